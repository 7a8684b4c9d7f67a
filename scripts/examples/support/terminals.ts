import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const DOCS = resolve(import.meta.dirname, "../../../docs");

/** Commands that run until they are stopped: what follows them is for another terminal. */
const STAYING = /^(?:.* )?(?:npm start|node bot\.js)$/;

/**
 * The commands of a page of the guide, in their order: those of each terminal that the reader has open as one text.
 *
 * @param page its path in `docs/`, without the ending.
 */
export function terminalsOf(page: string): string[] {
  const text = readFileSync(`${DOCS}/${page}.md`, "utf8");
  const terminals = [""];
  for (const [, block = ""] of text.matchAll(/^```sh\n(.*?)^```$/gms)) {
    const last = block.trimEnd().split("\n").at(-1) ?? "";
    terminals.push(`${terminals.pop()}${block}`);
    if (STAYING.test(last)) terminals.push("");
  }
  return terminals.filter((commands) => commands !== "");
}
