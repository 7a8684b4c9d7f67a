/** The browser has taken hold of what it saves by then. */
const TAKEN_WITHIN_MS = 10_000;

/** Has the browser save a text as a file. */
export function saveFile(text: string | readonly Blob[], { name, type }: { name: string; type: string }): void {
  const url = URL.createObjectURL(new Blob(typeof text === "string" ? [text] : [...text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), TAKEN_WITHIN_MS);
}
