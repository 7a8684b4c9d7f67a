import type { GuideSectionText } from "../guide/markdown.ts";
import { type Excerpt, excerptOf } from "./excerpt.ts";
import { type SoughtWord, wordsOf } from "./query.ts";

/** A page whose texts are searched. */
export interface SearchPage {
  /** Its address within the docs. */
  path: string;
  title: string;
  sections: readonly GuideSectionText[];
}

/** A place that was found. */
export interface Hit {
  /** Its address within the docs, with the id of its heading. */
  to: string;
  /** The page's title. */
  title: string;
  /** The heading above it; empty where that is the page's title. */
  heading: string;
  excerpt: Excerpt;
}

const HITS_MAX = 20;
const HITS_OF_A_PAGE_MAX = 3;
/** What a word counts for, by where it is. */
const [IN_TITLE, IN_HEADING, IN_TEXT] = [8, 5, 1];
/** A word counts for more where it begins one. */
const BEGINS_A_WORD = 1;

interface Found extends Hit {
  page: string;
  score: number;
}

/** The places that have every word of the query, the best first. Nothing for a query without words. */
export function searchTexts(pages: readonly SearchPage[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = pages.flatMap((page) => page.sections.flatMap((section) => hitOf(page, section, words) ?? []));
  found.sort((a, b) => b.score - a.score);
  const taken = new Map<string, number>();
  const few = found.filter(({ page }) => {
    const before = taken.get(page) ?? 0;
    taken.set(page, before + 1);
    return before < HITS_OF_A_PAGE_MAX;
  });
  return few.slice(0, HITS_MAX).map(({ page: _, score: __, ...hit }) => hit);
}

function hitOf(page: SearchPage, section: GuideSectionText, words: readonly SoughtWord[]): Found | null {
  const places = [
    { text: page.title.toLowerCase(), worth: IN_TITLE },
    { text: section.heading.toLowerCase(), worth: IN_HEADING },
    { text: section.text.toLowerCase(), worth: IN_TEXT },
  ];
  let score = 0;
  let isInSection = false;
  for (const word of words) {
    const worths = places.map(({ text, worth }) => worthOf(text, word, worth));
    const sum = worths.reduce((all, each) => all + each, 0);
    if (sum === 0) return null;
    isInSection ||= (worths[1] ?? 0) + (worths[2] ?? 0) > 0;
    score += sum;
  }
  const isFirst = section === page.sections[0];
  // A page that is called so is found once, at its beginning, and not again with each of its parts.
  if (!isInSection && !isFirst) return null;
  const { path, title } = page;
  const [to, heading] = isFirst ? [path, ""] : [`${path}#${section.anchor}`, section.heading];
  return { page: path, score, to, title, heading, excerpt: excerptOf(section.text, words) };
}

function worthOf(text: string, { texts, begins }: SoughtWord, worth: number): number {
  if (!texts.some((each) => text.includes(each))) return 0;
  return worth + (begins.test(text) ? BEGINS_A_WORD : 0);
}
