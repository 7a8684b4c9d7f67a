import { type ApiError, BOUNDS, fault, type MessageType } from "@portico/protocol";
import { wrongField } from "../../platform/errors/refusal.ts";
import { notAnObject } from "../cards/refused-card.ts";

/** Content with all fields that its type requires. Checks that need the database are still to be made. */
export type MessageShape =
  | { msgType: "text"; text: string }
  | { msgType: "post" }
  | AttachmentShape
  | { msgType: "card"; source: { card: object } | { cardId: string } };

/** Content that refers to an uploaded file. */
export type AttachmentShape =
  | { msgType: "image"; fileKey: string; width: number; height: number }
  | { msgType: "file"; fileKey: string };

/** @throws ApiError 400006 when `msgType` is not among the `allowed`. */
export function parseMessageType<Type extends MessageType>(msgType: string, allowed: readonly Type[]): Type {
  const known = allowed.find((type) => type === msgType);
  if (known === undefined) {
    const unsupported = fault("MESSAGE_TYPE_UNSUPPORTED", { msgType: msgType.slice(0, 64).toWellFormed() });
    throw wrongField("msgType", unsupported, { problem: "value", expected: `one of ${allowed.join(", ")}` });
  }
  return known;
}

/**
 * Checks the shape of a message's content (docs/contract/messages.md#content). The rules for cards are checked later,
 * because the card of a template is not known yet.
 *
 * @param content a JSON object.
 * @throws ApiError 400006 naming the field.
 */
export function parseShape(msgType: MessageType, content: object): MessageShape {
  switch (msgType) {
    case "text":
      return { msgType, text: readText(content, "text") };
    case "post":
      return { msgType };
    case "image":
    case "file":
      return parseAttachmentShape(msgType, content);
    case "card":
      return { msgType, source: parseCardSource(content) };
  }
}

/**
 * {@link parseShape} for the types that refer to a file.
 *
 * @throws ApiError 400006 naming the field.
 */
export function parseAttachmentShape(msgType: AttachmentShape["msgType"], content: object): AttachmentShape {
  if (msgType === "file") return { msgType, fileKey: readText(content, "fileKey") };
  const size = { width: readPixels(content, "width"), height: readPixels(content, "height") };
  return { msgType, fileKey: readText(content, "fileKey"), ...size };
}

function parseCardSource(content: object): { card: object } | { cardId: string } {
  const card = memberOf(content, "card");
  const cardId = memberOf(content, "cardId");
  if (card !== null && cardId !== null) {
    const expected = "an object with either card or cardId, not both";
    throw wrongField("content", "CARD_SOURCE_AMBIGUOUS", { problem: "value", expected });
  }
  if (card === null) return { cardId: readText(content, "cardId") };
  if (typeof card === "object" && !Array.isArray(card)) return { card };
  throw notAnObject(card, "/content/card");
}

function readText(content: object, name: string): string {
  const text = memberOf(content, name);
  if (text === null || text === "") throw missing(name);
  if (typeof text !== "string") throw wrongType(name, "string");
  return text;
}

function readPixels(content: object, name: string): number {
  const pixels = memberOf(content, name);
  if (pixels === null) throw missing(name);
  if (typeof pixels !== "number" || !Number.isInteger(pixels)) throw wrongType(name, "integer");
  if (pixels < 0 || pixels > BOUNDS.imagePixels) {
    const field = `content.${name}`;
    const max = BOUNDS.imagePixels;
    throw wrongField(field, fault("PIXELS_OUT_OF_RANGE", { field, max }), {
      problem: "range",
      expected: `from 0 to ${max}`,
    });
  }
  return pixels;
}

function missing(name: string): ApiError {
  const field = `content.${name}`;
  return wrongField(field, fault("FIELD_MISSING", { field }), { problem: "missing" });
}

function wrongType(name: string, type: "string" | "integer"): ApiError {
  const field = `content.${name}`;
  return wrongField(field, fault("FIELD_TYPE_WRONG", { field, type }), {
    problem: "type",
    expected: `of type ${type}`,
  });
}

/** A field of `content`; null when it is missing. */
function memberOf(content: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(content, name)?.value ?? null;
}
