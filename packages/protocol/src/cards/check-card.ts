import { ApiError, type ApiErrorCode, CARD_RULE_ERRORS, fault, type Stated } from "../errors/index.ts";
import { compactJson, utf8Bytes } from "./compact-json.ts";
import { CARD_LIMITS, CARD_MESSAGES } from "./contract.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";
import { type CardImage, type CardProblem, tagText, walkCard } from "./walk-card.ts";

/** What {@link checkCard} finds. */
export type CardCheck = PassedCard | { failure: CardProblem; images: CardImage[] };

/** A card that breaks no rule, provided that its images can be resolved. */
export interface PassedCard {
  failure: null;
  card: JsonObject;
  /** The images to resolve, in document order. */
  images: CardImage[];
  /** The card's compact JSON, the one whose size was judged. */
  json: string;
}

/**
 * Judges a card (docs/contract/cards.md) up to the first rule it breaks: its structure, then its size, and its images
 * only when both are sound. An image that cannot be resolved is a broken rule too, which only the service can find:
 * those in `images` stand before a `failure` that is a missing `img_key`; with any other failure there are none. So
 * resolve them first, report the first that cannot be, and only then the failure; with neither, {@link applyImages}
 * writes the addresses into the card.
 *
 * @param card a JSON value.
 */
export function checkCard(card: unknown): CardCheck {
  const {
    images,
    problems: [broken],
    missingKeys: [missingKey],
  } = walkCard(card, 1);
  if (broken) return { failure: broken, images: [] };
  const json = compactJson(card);
  const oversize = sizeProblem(json);
  if (oversize) return { failure: oversize, images: [] };
  if (missingKey) return { failure: missingKey, images };
  if (!isJsonObject(card)) throw new Error("a card that is no object broke no rule");
  return { failure: null, card, images, json };
}

/**
 * {@link checkCard} for where images are not resolved.
 *
 * @throws ApiError with the message of the first rule that the card breaks.
 */
export function validateCard(card: unknown): PassedCard {
  const check = checkCard(card);
  if (check.failure) throw cardError(check.failure);
  return check;
}

/** The refusal of a card: 400006 with the contract's message; where in the card is for the log. */
function cardError(problem: CardProblem): ApiError {
  const { rule, pointer } = problem;
  return new ApiError(cardFault(problem), { reason: `card rule ${rule} at ${JSON.stringify(pointer)}` });
}

/** What is answered to a card for a rule that it breaks. */
export function cardFault({ rule, value }: Pick<CardProblem, "rule" | "value">): Stated<ApiErrorCode> {
  return rule === "component-tag" ? fault("CARD_TAG_UNSUPPORTED", { tag: tagText(value) }) : CARD_RULE_ERRORS[rule];
}

/** The problem of a card whose compact JSON is too long, if it is. */
export function sizeProblem(json: string): CardProblem | null {
  // A UTF-16 unit makes one to three bytes, so most sizes need no counting.
  if (json.length * 3 <= CARD_LIMITS.jsonBytes) return null;
  const bytes = utf8Bytes(json);
  if (bytes <= CARD_LIMITS.jsonBytes) return null;
  return { rule: "size", message: CARD_MESSAGES.size, pointer: "", value: bytes };
}
