import { type CardFinding, checkCard, findCardProblems } from "@portico/protocol/cards";
import { type Place, placeOf, readTree } from "./json-places.ts";
import { findSyntaxFault, type SyntaxReason } from "./syntax-fault.ts";

/** Something to mend in a card's text, and its place. */
export type Problem = Place & { line: number; column: number } & (
    | { kind: "syntax"; reason: SyntaxReason }
    | { kind: "rule"; finding: CardFinding }
  );

/** What a text is, as a card. */
export interface Study {
  text: string;
  /** The JSON value; absent when the text is no JSON. */
  parsed: { card: unknown } | undefined;
  problems: readonly Problem[];
  /** Whether the service takes it, as far as it can be told here. */
  isValid: boolean;
  /** Whether it has pictures by fileKey, which only the service can look up. */
  hasKeys: boolean;
}

/** Checks a text by the rules of the service, and finds the places of what breaks them. */
export function studyCard(text: string): Study {
  const tree = readTree(text);
  const lines = linesOf(text);
  const parsed = parse(text);
  if (parsed === undefined) {
    const { reason, place } = findSyntaxFault(text, tree);
    const fault: Problem = { kind: "syntax", reason, ...place, ...lines(place.from) };
    return { text, parsed, problems: [fault], isValid: false, hasKeys: false };
  }
  const broken = findCardProblems(parsed.card, text).map((finding): Problem => {
    const place = placeOf(tree, text, finding.pointer);
    return { kind: "rule", finding, ...place, ...lines(place.from) };
  });
  const hasKeys = checkCard(parsed.card).images.length > 0;
  return { text, parsed, problems: broken, isValid: broken.length === 0, hasKeys };
}

function parse(text: string): { card: unknown } | undefined {
  try {
    return { card: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Tells line and column of an offset; both start at 1. */
function linesOf(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let line = starts.findLastIndex((start) => start <= offset);
    if (line < 0) line = 0;
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}
