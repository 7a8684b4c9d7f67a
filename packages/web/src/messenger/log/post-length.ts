import { partOf } from "../../shared/text/long-text.ts";
import { beginningOf, MOST_TEXT_LENGTH } from "../../shared/text/text-length.ts";
import type { PostSpan } from "./read-post.ts";

/** As much of a post as is drawn of a text after `parts` were asked for. */
export function partOfPost(paragraphs: readonly PostSpan[][], parts: number): PostSpan[][] {
  let room = parts * MOST_TEXT_LENGTH;
  const shown: PostSpan[][] = [];
  for (const spans of paragraphs) {
    if (room <= 0) break;
    shown.push([]);
    for (const span of spans) {
      if (room <= 0) break;
      const part = span.kind === "text" ? { ...span, text: beginningOf(partOf(span.text, parts), room) } : span;
      shown.at(-1)?.push(part);
      room -= lengthOf([[part]]);
      if (lengthOf([[part]]) < lengthOf([[span]])) return shown;
    }
  }
  return shown;
}

/** Its characters; a picture counts as one. */
export function lengthOf(paragraphs: readonly PostSpan[][]): number {
  return paragraphs.flat().reduce((sum, span) => sum + ("text" in span ? span.text.length : 1), 0);
}
