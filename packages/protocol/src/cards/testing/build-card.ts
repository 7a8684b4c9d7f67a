import assert from "node:assert/strict";
import { checkCard } from "../check-card.ts";

/** A card around these elements. */
export function cardOf(...elements: unknown[]) {
  return { schema: "2.0", body: { elements } };
}

/** `levels` containers in one another, `innermost` in the last of them. */
export function nestedForms(levels: number, ...innermost: unknown[]): unknown {
  let elements = innermost;
  for (let level = 0; level < levels; level++) elements = [{ tag: "form", elements }];
  return elements[0];
}

/** `levels` times a column_set with one column. */
export function nestedColumnSets(levels: number, ...innermost: unknown[]): unknown {
  let elements = innermost;
  for (let level = 0; level < levels; level++) {
    elements = [{ tag: "column_set", columns: [{ tag: "column", elements }] }];
  }
  return elements[0];
}

/** What the service would answer if every image key could be resolved: the message, or null. */
export function answerTo(card: unknown): string | null {
  return checkCard(card).failure?.message ?? null;
}

export function assertPasses(card: unknown): void {
  assert.equal(answerTo(card), null);
}

export function assertRefused(card: unknown, message: string): void {
  assert.equal(answerTo(card), message);
}

/** A card of exactly `bytes` bytes, nearly all of them in characters of three bytes. */
export function cardOfBytes(bytes: number) {
  const frame = Buffer.byteLength(JSON.stringify(cardOf({ tag: "markdown", content: "" })));
  const rest = bytes - frame;
  return cardOf({ tag: "markdown", content: "字".repeat(Math.floor(rest / 3)) + "a".repeat(rest % 3) });
}
