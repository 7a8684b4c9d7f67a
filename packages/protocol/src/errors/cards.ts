import { CARD_MESSAGES, type CardRule } from "../cards/contract.ts";
import type { ApiMessage } from "./open.ts";

const kind = "INVALID_REQUEST";

/** The rules that a card itself can break (docs/contract/cards.md). */
export const CARD_ERRORS = {
  CARD_SCHEMA_UNSUPPORTED: {
    kind,
    message: CARD_MESSAGES.schema,
    english: 'The card is no object whose schema is "2.0".',
  },
  CARD_BODY_MISSING: { kind, message: CARD_MESSAGES.body, english: "card.body is missing or no object." },
  CARD_ELEMENTS_NOT_AN_ARRAY: {
    kind,
    message: CARD_MESSAGES["body-elements"],
    english: "card.body.elements must be an array.",
  },
  CARD_COMPONENT_INVALID: {
    kind,
    message: CARD_MESSAGES["component-object"],
    english: "A component is no object, or the field of its children is no array.",
  },
  CARD_TAG_UNSUPPORTED: {
    kind,
    message: `${CARD_MESSAGES["component-tag"]}{tag}`,
    english: "There is no component with the tag {tag}.",
  },
  CARD_COMPONENTS_TOO_MANY: {
    kind,
    message: CARD_MESSAGES["component-count"],
    english: "The card has more than 200 components.",
  },
  CARD_LINK_UNSUPPORTED: {
    kind,
    message: CARD_MESSAGES.link,
    english: "A link of the card is no text that begins with http:// or https://.",
  },
  CARD_TOO_DEEP: {
    kind,
    message: CARD_MESSAGES.depth,
    english: "The components of the card are nested too deep.",
  },
  CARD_TOO_LARGE: { kind, message: CARD_MESSAGES.size, english: "The card is larger than 64 KiB of JSON." },
  CARD_IMAGE_KEY_MISSING: {
    kind,
    message: CARD_MESSAGES["image-key"],
    english: "An image of the card has neither an address nor an img_key.",
  },
} as const satisfies Record<string, ApiMessage>;

/** The error for each card rule; that of `component-tag` includes the tag. */
export const CARD_RULE_ERRORS = {
  schema: "CARD_SCHEMA_UNSUPPORTED",
  body: "CARD_BODY_MISSING",
  "body-elements": "CARD_ELEMENTS_NOT_AN_ARRAY",
  "component-object": "CARD_COMPONENT_INVALID",
  "component-tag": "CARD_TAG_UNSUPPORTED",
  "component-count": "CARD_COMPONENTS_TOO_MANY",
  link: "CARD_LINK_UNSUPPORTED",
  "child-array": "CARD_COMPONENT_INVALID",
  depth: "CARD_TOO_DEEP",
  size: "CARD_TOO_LARGE",
  "image-key": "CARD_IMAGE_KEY_MISSING",
} as const satisfies Record<CardRule, keyof typeof CARD_ERRORS>;
