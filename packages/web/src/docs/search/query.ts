import { CHINESE_TERMS } from "./chinese-terms.ts";

/** A word that is sought. */
export interface SoughtWord {
  /** In lower case: a text that has one of these has the word. */
  texts: readonly string[];
  /** Whether a text has it, in lower case, as the beginning of a word. */
  begins: RegExp;
}

/** More would only make a search slower. */
const WORDS_MAX = 8;
const HAN = /\p{Script=Han}+/gu;

/**
 * The words of what was typed, in lower case. Chinese has no spaces between its words: the known terms of a run are
 * words, each of which may also be there in English, and so is what is left between them.
 */
export function wordsOf(query: string): SoughtWord[] {
  const words: (readonly string[])[] = [];
  for (const typed of query.normalize("NFKC").toLowerCase().split(/\s+/)) {
    let end = 0;
    for (const { 0: run, index } of typed.matchAll(HAN)) {
      words.push([typed.slice(end, index)], ...chineseWords(run));
      end = index + run.length;
    }
    words.push([typed.slice(end)]);
  }
  const sought = words.filter(([word]) => word !== undefined && word !== "");
  return sought.slice(0, WORDS_MAX).map((texts) => ({
    texts,
    begins: new RegExp(`(?<![\\p{L}\\p{N}])(?:${texts.map(literally).join("|")})`, "u"),
  }));
}

/** A text as a part of a regular expression. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function chineseWords(run: string): (readonly string[])[] {
  const words: (readonly string[])[] = [];
  let rest = "";
  for (let at = 0; at < run.length; ) {
    const term = CHINESE_TERMS.find(([word]) => run.startsWith(word, at));
    if (term === undefined) {
      rest += run[at];
      at += 1;
    } else {
      words.push([rest], term);
      rest = "";
      at += term[0].length;
    }
  }
  return [...words, [rest]];
}
