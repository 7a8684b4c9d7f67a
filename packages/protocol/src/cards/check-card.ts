import { ApiError, type ApiErrorCode, CARD_RULE_ERRORS, fault, type Stated } from "../errors/index.ts";
import { compactJson, compactText, utf8Bytes } from "./compact-json.ts";
import { CARD_LIMITS, CARD_MESSAGES } from "./contract.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";
import { type CardImage, type CardProblem, tagText, walkCard } from "./walk-card.ts";

/** The result of {@link checkCard}. */
export type CardCheck = PassedCard | { failure: CardProblem; images: CardImage[] };

/** A valid card, provided that its images can be resolved. */
export interface PassedCard {
  failure: null;
  card: JsonObject;
  /** The images to resolve, in document order. */
  images: CardImage[];
}

/**
 * Checks a card (docs/contract/cards.md) up to the first rule that it breaks: its structure, then its size, then, if
 * both are valid, its images. An image that cannot be resolved also breaks a rule, which only the service can check:
 * when `failure` is a missing `img_key`, `images` has the images before it; with any other failure it is empty. So
 * resolve the images first, report the first one that fails, and only then report the failure. Without either,
 * {@link applyImages} adds the URLs to the card.
 *
 * @param card a JSON value.
 * @param json its JSON text, where there is one: numbers then count as they are spelled in it.
 */
export function checkCard(card: unknown, json?: string): CardCheck {
  const {
    images,
    problems: [broken],
    missingKeys: [missingKey],
  } = walkCard(card, 1);
  if (broken) return { failure: broken, images: [] };
  const oversize = sizeProblem(json ?? compactJson(card));
  if (oversize) return { failure: oversize, images: [] };
  if (missingKey) return { failure: missingKey, images };
  if (!isJsonObject(card)) throw new Error("a card that is no object broke no rule");
  return { failure: null, card, images };
}

/**
 * {@link checkCard} for a caller that does not resolve images.
 *
 * @throws ApiError with the message of the first broken rule.
 */
export function validateCard(card: unknown): PassedCard {
  const check = checkCard(card);
  if (check.failure) throw cardError(check.failure);
  return check;
}

/** The refusal of a card: 400006 with the contract's message. The pointer is only logged. */
function cardError(problem: CardProblem): ApiError {
  const { rule, pointer } = problem;
  return new ApiError(cardFault(problem), { reason: `card rule ${rule} at ${JSON.stringify(pointer)}` });
}

/** The error for a rule that a card breaks. */
export function cardFault({ rule, value }: Pick<CardProblem, "rule" | "value">): Stated<ApiErrorCode> {
  return rule === "component-tag" ? fault("CARD_TAG_UNSUPPORTED", { tag: tagText(value) }) : CARD_RULE_ERRORS[rule];
}

/** The problem of a card whose compact JSON is too long; null otherwise. */
export function sizeProblem(json: string): CardProblem | null {
  // No text becomes longer when it is compacted, and a UTF-16 unit takes one to three bytes: most need no counting.
  if (json.length * 3 <= CARD_LIMITS.jsonBytes || utf8Bytes(json) <= CARD_LIMITS.jsonBytes) return null;
  const bytes = compactBytes(json);
  if (bytes <= CARD_LIMITS.jsonBytes) return null;
  return { rule: "size", message: CARD_MESSAGES.size, pointer: "", value: bytes };
}

/** The size of a card by its JSON text, which {@link CARD_LIMITS} limits: bytes of its compact form in UTF-8. */
export function compactBytes(json: string): number {
  return utf8Bytes(compactText(json));
}
