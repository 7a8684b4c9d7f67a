import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { CARD_MESSAGES, CARD_TAGS } from "./contract.ts";
import { assertPasses } from "./testing/build-card.ts";

const text = readFileSync(new URL("../../../../docs/cards.md", import.meta.url), "utf8");

describe("docs/cards.md", () => {
  test("its example passes", () => {
    const [, example = ""] = /```json\n(.*?)```/s.exec(text) ?? [];
    assertPasses(JSON.parse(example));
  });
  test("it names every rule, message and tag", () => {
    for (const [rule, message] of Object.entries(CARD_MESSAGES)) {
      assert.ok(text.includes(`\`${rule}\``), rule);
      assert.ok(text.includes(`\`${message}`), message);
    }
    for (const tag of CARD_TAGS) assert.ok(text.includes(`\`${tag}\``), tag);
  });
});
