import { sizeProblem } from "./check-card.ts";
import { compactJson } from "./compact-json.ts";
import type { CardRule } from "./contract.ts";
import { isJsonObject } from "./json-object.ts";
import { suggestionFor } from "./suggestions.ts";
import { walkCard } from "./walk-card.ts";

/** A problem to fix before the service accepts the card. */
export interface CardFinding {
  /** JSON pointer (RFC 6901) of the invalid value, or of the place of a missing one. */
  pointer: string;
  /** Stable name of the rule. */
  rule: CardRule;
  /** The message of the service's answer. */
  message: string;
  /** A suggestion in English. */
  suggestion: string;
}

/** The most findings in a result; the first ones are kept. */
export const MAX_CARD_FINDINGS = 100;

/**
 * All problems that can be found in the card itself; only the service knows whether image keys can be resolved.
 * Structure comes first, in document order, then size, then missing image keys. The first finding is the service's
 * answer; without findings {@link checkCard} accepts the card. The content of containers that are nested too deep is
 * not checked.
 *
 * @param card a JSON value.
 * @param json its JSON text, where there is one: numbers then count as they are spelled in it.
 */
export function findCardProblems(card: unknown, json?: string): CardFinding[] {
  const { problems, missingKeys } = walkCard(card, MAX_CARD_FINDINGS);
  const oversize = isJsonObject(card) ? sizeProblem(json ?? compactJson(card)) : null;
  if (oversize) problems.push(oversize);
  return [...problems, ...missingKeys].slice(0, MAX_CARD_FINDINGS).map((problem) => {
    const { pointer, rule, message } = problem;
    return { pointer, rule, message, suggestion: suggestionFor(problem, card) };
  });
}
