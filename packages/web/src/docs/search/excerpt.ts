import { literally, type SoughtWord } from "./query.ts";

/** A piece of a text, in parts: those that were sought are marked. */
export type Excerpt = readonly { text: string; marked: boolean }[];

const BEFORE = 40;
const LENGTH = 150;

/** The piece around the first sought word of a text; its beginning where there is none. */
export function excerptOf(text: string, words: readonly SoughtWord[]): Excerpt {
  const all = words.flatMap(({ texts }) => texts);
  const lower = text.toLowerCase();
  const places = all.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const begin = first <= BEFORE ? 0 : wordBegin(text, first - BEFORE);
  const piece = text.slice(begin, begin + LENGTH);
  const shown = `${begin > 0 ? "…" : ""}${piece}${begin + LENGTH < text.length ? "…" : ""}`;
  return marked(shown, all);
}

/** Where a word begins at or after a place, unless that is far. */
function wordBegin(text: string, at: number): number {
  const space = text.indexOf(" ", at);
  return space >= 0 && space - at < BEFORE / 2 ? space + 1 : at;
}

function marked(text: string, words: readonly string[]): Excerpt {
  const longestFirst = words.toSorted((a, b) => b.length - a.length).map((word) => literally(word));
  const parts = text.split(new RegExp(`(${longestFirst.join("|")})`, "giu"));
  return parts.map((part, index) => ({ text: part, marked: index % 2 === 1 })).filter((part) => part.text !== "");
}
