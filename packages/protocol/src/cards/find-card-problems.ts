import { sizeProblem } from "./check-card.ts";
import { compactJson } from "./compact-json.ts";
import type { CardRule } from "./contract.ts";
import { isJsonObject } from "./json-object.ts";
import { suggestionFor } from "./suggestions.ts";
import { walkCard } from "./walk-card.ts";

/** One thing to change in a card before the service takes it. */
export interface CardFinding {
  /** JSON pointer (RFC 6901) of what breaks the rule; of where it should be when it is missing. */
  pointer: string;
  /** Stable name of the rule. */
  rule: CardRule;
  /** What the service would answer. */
  message: string;
  /** What to do about it, in English. */
  suggestion: string;
}

/** No list of findings is longer; the first ones are kept. */
export const MAX_CARD_FINDINGS = 100;

/**
 * All that keeps a card from being taken, as far as the card alone tells: whether its image keys can be resolved, only
 * the service knows. Structure comes first, in document order, then size, then missing image keys. The first finding is
 * what the service would answer; none means that {@link checkCard} passes the card. What stands in containers nested too
 * deep is not looked at.
 *
 * @param card a JSON value.
 * @param json the compact JSON that is sent for it, where numbers in that are spelled otherwise than JSON.stringify does.
 */
export function findCardProblems(card: unknown, json?: string): CardFinding[] {
  const { problems, missingKeys } = walkCard(card, MAX_CARD_FINDINGS);
  const jsons = isJsonObject(card) ? [compactJson(card), json ?? ""] : [];
  const [oversize] = jsons.flatMap((text) => sizeProblem(text) ?? []);
  if (oversize) problems.push(oversize);
  return [...problems, ...missingKeys].slice(0, MAX_CARD_FINDINGS).map((problem) => {
    const { pointer, rule, message } = problem;
    return { pointer, rule, message, suggestion: suggestionFor(problem, card) };
  });
}
