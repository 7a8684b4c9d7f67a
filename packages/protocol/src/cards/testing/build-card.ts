import assert from "node:assert/strict";
import { checkCard } from "../check-card.ts";

/** A card with these elements. */
export function cardOf(...elements: unknown[]) {
  return { schema: "2.0", body: { elements } };
}

/** `levels` nested containers, with `innermost` in the last of them. */
export function nestedForms(levels: number, ...innermost: unknown[]): unknown {
  let elements = innermost;
  for (let level = 0; level < levels; level++) elements = [{ tag: "form", elements }];
  return elements[0];
}

/** `levels` nested column_sets of one column each. */
export function nestedColumnSets(levels: number, ...innermost: unknown[]): unknown {
  let elements = innermost;
  for (let level = 0; level < levels; level++) {
    elements = [{ tag: "column_set", columns: [{ tag: "column", elements }] }];
  }
  return elements[0];
}

/** The service's answer when every image key can be resolved: the message, or null. */
export function answerTo(card: unknown): string | null {
  return checkCard(card).failure?.message ?? null;
}

export function assertPasses(card: unknown): void {
  assert.equal(answerTo(card), null);
}

export function assertRefused(card: unknown, message: string): void {
  assert.equal(answerTo(card), message);
}

/** A card of exactly `bytes` bytes, mostly of three-byte characters. */
export function cardOfBytes(bytes: number) {
  const frame = Buffer.byteLength(JSON.stringify(cardOf({ tag: "markdown", content: "" })));
  const rest = bytes - frame;
  return cardOf({ tag: "markdown", content: "字".repeat(Math.floor(rest / 3)) + "a".repeat(rest % 3) });
}
