/**
 * The files that a paste is meant to attach. A file that was copied in a file manager comes with its name or its path as
 * text; spreadsheets and the like put a picture beside the text that is meant.
 */
export function pastedFiles(data: Pick<DataTransfer, "getData" | "files">): File[] {
  const files = [...data.files];
  const lines = data
    .getData("text/plain")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  return lines.every((line) => files.some(({ name }) => isNamed(line, name))) ? files : [];
}

/** Whether a line is a file's name, its path or its address; some systems leave the ending away. */
function isNamed(line: string, name: string): boolean {
  const last = line.trim().split(/[/\\]/).at(-1) ?? "";
  const said = normal(last);
  return [name, name.replace(/\.[^.]+$/, "")].some(
    (each) => said === normal(each) || last === encodeURIComponent(each),
  );
}

/** macOS takes letters and their marks apart. */
function normal(name: string): string {
  return name.normalize("NFC").replace(/^["']|["']$/g, "");
}
