import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { CARD_MESSAGES, CARD_TAGS } from "./contract.ts";
import { assertPasses } from "./testing/build-card.ts";

const docs = new URL("../../../../docs/", import.meta.url);
const text = readFileSync(new URL("contract/cards.md", docs), "utf8");
const guide = readFileSync(new URL("cards.md", docs), "utf8");

describe("docs/contract/cards.md", () => {
  test("its example passes", () => {
    const [, example = ""] = /```json\n(.*?)```/s.exec(text) ?? [];
    assertPasses(JSON.parse(example));
  });
  test("it names every message and tag", () => {
    for (const message of Object.values(CARD_MESSAGES)) assert.ok(text.includes(`\`${message}`), message);
    for (const tag of CARD_TAGS) assert.ok(text.includes(`\`${tag}\``), tag);
  });
});

test("docs/cards.md names every rule of a finding", () => {
  for (const rule of Object.keys(CARD_MESSAGES)) assert.ok(guide.includes(`\`${rule}\``), rule);
});
