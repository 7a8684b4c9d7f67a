import { CARD_MESSAGES, type CardProblem, cardFault, suggestionFor } from "@portico/protocol";
import { Refusal } from "../../platform/errors/refusal.ts";

/**
 * The error for a card that breaks a rule: 400006 with the contract's message.
 *
 * @param at JSON pointer to the card in the body; empty for the card of a template.
 */
export function refusedCard(problem: CardProblem, card: unknown, at: string): Refusal {
  const { rule } = problem;
  const pointer = at + problem.pointer;
  const details = { rule, pointer, suggestion: suggestionFor(problem, card) };
  const reason = `card rule ${rule} at ${JSON.stringify(pointer)}`;
  return new Refusal(cardFault(problem), { check: "card", details }, { reason });
}

/** {@link refusedCard} for a value that is not a JSON object, which breaks the first rule. */
export function notAnObject(card: unknown, at: string): Refusal {
  return refusedCard({ rule: "schema", message: CARD_MESSAGES.schema, pointer: "", value: undefined }, card, at);
}
