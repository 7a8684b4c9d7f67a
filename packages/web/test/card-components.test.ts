import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CARD_TAGS } from "@portico/protocol/cards/contract";
import { findCardProblems } from "@portico/protocol/cards/find-card-problems";
import { GROUPS, samples } from "../src/docs/components/samples.ts";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { unnamedControls } from "./support/unnamed-controls.ts";

const ALL = Object.values(samples("https://chat.example.com")).flat();

describe("the samples of the gallery of components", () => {
  it("are of every tag that a card may have, each once", () => {
    assert.deepEqual(ALL.map(({ tag }) => tag).sort(), [...CARD_TAGS].sort());
    assert.deepEqual(Object.keys(samples("")).sort(), [...GROUPS].sort());
  });

  it("are cards that the service takes", () => {
    for (const sample of ALL) {
      assert.deepEqual(findCardProblems({ schema: "2.0", body: { elements: [sample] } }), [], sample.tag);
      assert.deepEqual(unnamedControls(sample), []);
    }
  });
});

describe("the gallery of components", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  it("draws each component beside its JSON, without a fault", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/docs/");
    await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Card components" }).click();
    await page.getByRole("heading", { name: "Card components", level: 1 }).waitFor();
    for (const { tag } of ALL) {
      const sample = page.getByRole("region", { name: tag, exact: true });
      await sample.locator(`[data-card] [data-tag="${tag}"]`).first().waitFor();
      assert.equal(JSON.parse(await sample.locator("pre").first().innerText()).tag, tag);
    }
    await assertAccessible(page);
  });

  it("says what a bot is told when a component is used", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/docs/components#button");
    const sample = page.getByRole("region", { name: "button", exact: true });
    await sample.getByRole("button", { name: "Run again" }).click();
    const told = await sample.getByRole("status").locator("pre").innerText();
    assert.partialDeepStrictEqual(JSON.parse(told), { tag: "button", name: "rerun", value: { build: 128 } });
  });

  it("is no wider than a phone, and is found by a component's name", async () => {
    await using visitor = await world.visit({ viewport: { width: 390, height: 844 }, locale: "zh-CN" });
    const { page } = visitor;
    await page.goto("/docs/");
    await page.getByRole("button", { name: "目录" }).click();
    await page.getByRole("searchbox").fill("multi_select_person");
    await page.getByRole("link", { name: "卡片组件 › multi_select_person" }).click();
    await page.getByRole("region", { name: "multi_select_person" }).waitFor();
    assert.equal(await page.evaluate("document.querySelector('main').scrollWidth <= innerWidth"), true);
    await assertAccessible(page);
  });
});
