import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test as plainTest } from "node:test";
import { acme, botApp, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { assertPrototypesUnchanged, assertUnharmed } from "./support/unharmed.ts";
import { suiteWorld } from "./support/world.ts";

const corpora = process.env.PORTICO_TEST_CORPORA;

/** Groups of the JSON test suite, by the first letter of the file's name. */
const GROUPS = { y: "valid JSON", n: "no JSON", i: "JSON that may be read either way" };

if (corpora === undefined) {
  plainTest("hostile corpora", { skip: "set PORTICO_TEST_CORPORA to run" }, () => {});
} else {
  const suite = join(corpora, "json-test-suite", "test_parsing");
  const payloads: string[] = JSON.parse(readFileSync(join(corpora, "prototype-pollution", "payloads.json"), "utf8"));

  onBothEngines("hostile corpora", (engine, test) => {
    const world = suiteWorld(engine, acme(botApp("app_bot")));

    for (const [letter, what] of Object.entries(GROUPS)) {
      const files = readdirSync(suite).filter((file) => file.startsWith(`${letter}_`));
      test(`the JSON test suite: ${what} (${files.length} files) as the body of a send gives 400 + 400006`, async () => {
        assert.ok(files.length > 0);
        for (const file of files) {
          const answer = await sendText(world(), "app_bot", "", { body: readFileSync(join(suite, file)) });
          assert.equal(`${answer.status} ${answer.json?.code}`, "400 400006", `${file}: ${answer.text}`);
        }
      });
    }

    for (const [index, payload] of payloads.entries()) {
      test(`prototype pollution ${index + 1}: ${payload.slice(0, 60).replaceAll(/\s+/g, " ")} is inert`, async () => {
        assertRefused(await sendText(world(), "app_bot", "", { body: payload }), 400, "400006");
        assertPrototypesUnchanged();
        const body = textBody("x").replace('{"text":"x"}', () => payload);
        const sent = await sendText(world(), "app_bot", "", { body });
        if (hasText(payload)) assertSuccess(sent);
        else assertRefused(sent, 400, "400006");
        assertPrototypesUnchanged();
        assertSuccess(await sendText(world(), "app_bot", "the next"));
      });
    }
    test("after all these tests the service works normally", async () => {
      await assertUnharmed(world(), "app_bot");
    });
  });
}

/** Whether a payload, as the content of a text message, contains a text itself. */
function hasText(payload: string): boolean {
  try {
    const content: unknown = JSON.parse(payload);
    return typeof content === "object" && content !== null && Object.hasOwn(content, "text");
  } catch {
    return false;
  }
}
