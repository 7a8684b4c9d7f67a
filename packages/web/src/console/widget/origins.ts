/** Scheme, name, port if need be, and nothing behind them, as the service takes it. */
const ORIGIN = /^https?:\/\/[^\s/?#\\@*]+\/?$/i;

/** The sites that a text names, one on each line; blank lines count for nothing. */
export function originsOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The number, from 1, of the first line that names no site; undefined when all do. */
export function lineOfNoOrigin(text: string): number | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  const index = lines.findIndex((line) => line !== "" && !(ORIGIN.test(line) && URL.canParse(line)));
  return index === -1 ? undefined : index + 1;
}
