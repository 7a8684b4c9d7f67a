import { beginningOf, excessOf, MOST_TEXT_LENGTH } from "./text-length.ts";

/** What a person can write at once is drawn whole, up to so many lines. */
const LINES = 500;

/** As much of a text as is drawn after `parts` were asked for; a bot may send a text of any length. */
export function partOf(text: string, parts: number): string {
  const most = parts * MOST_TEXT_LENGTH;
  const beginning = excessOf(text, most) === 0 ? text : beginningOf(text, most);
  let end = -1;
  for (let lines = 0; lines < parts * LINES; lines++) {
    end = beginning.indexOf("\n", end + 1);
    if (end === -1) return beginning;
  }
  return beginning.slice(0, end);
}
