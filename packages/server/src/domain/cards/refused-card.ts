import { CARD_MESSAGES, type CardProblem, cardFault, suggestionFor } from "@portico/protocol";
import { Refusal } from "../../platform/errors/refusal.ts";

/**
 * The refusal of a card for the rule that it breaks: 400006 with the contract's message.
 *
 * @param at JSON pointer of the card in the body; empty for that of a template.
 */
export function refusedCard(problem: CardProblem, card: unknown, at: string): Refusal {
  const { rule } = problem;
  const pointer = at + problem.pointer;
  const details = { rule, pointer, suggestion: suggestionFor(problem, card) };
  const reason = `card rule ${rule} at ${JSON.stringify(pointer)}`;
  return new Refusal(cardFault(problem), { check: "card", details }, { reason });
}

/** {@link refusedCard} for what is no JSON object: that breaks the first rule. */
export function notAnObject(card: unknown, at: string): Refusal {
  return refusedCard({ rule: "schema", message: CARD_MESSAGES.schema, pointer: "", value: undefined }, card, at);
}
