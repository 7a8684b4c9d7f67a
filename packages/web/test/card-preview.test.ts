import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deflateSync } from "node:zlib";
import { findCardProblems } from "@portico/protocol/cards/find-card-problems";
import { previewFragment } from "@portico/protocol/cards/preview-link";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";

const CARD = {
  schema: "2.0",
  config: { locales: ["en_us", "ja_jp"] },
  header: { title: { content: "Build 12 failed", i18n: { ja_jp: "ビルド 12 が失敗" } }, template: "red" },
  body: {
    elements: [
      { tag: "markdown", content: "**main** broke" },
      { tag: "button", text: { tag: "plain_text", content: "Run again" }, name: "rerun", value: { build: 12 } },
    ],
  },
};
const DEEP = `{"schema":"2.0","body":{"elements":[]},"x":${"[".repeat(60_000)}${"]".repeat(60_000)}}`;
const HOSTILE = {
  schema: "2.0",
  header: { title: { content: "<img src=x onerror=document.title=1>" } },
  body: {
    elements: [
      { tag: "markdown", content: "<script>document.title=1</script>[x](javascript:document.title=1)" },
      { tag: "button", text: { tag: "plain_text", content: "Go" }, url: "javascript:document.title=1" },
      { tag: "img", img_url: "data:image/svg+xml,<svg onload='document.title=1'/>" },
    ],
  },
};

/** The places of the findings that are listed. */
const PLACES = `[...document.querySelectorAll("li code")].map((place) => place.innerText).join("\\n")`;

/** Goes to another card within the page, as a person does who pastes another link. */
async function show(page: Page, fragment: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
}

/** Waits for these places of findings. The page's policy lets nothing in it wait for an expression, which is eval. */
async function assertPlaces(page: Page, expected: string): Promise<void> {
  const until = Date.now() + 30_000;
  let listed: unknown;
  do listed = await page.evaluate(PLACES);
  while (listed !== expected && Date.now() < until);
  assert.equal(listed, expected);
}

function packed(text: string | Buffer): string {
  return `card=${deflateSync(text).toString("base64url")}`;
}

describe("the preview of a card", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  it("draws the card of the address as its link says, and tells what the bot would be told; no server gets it", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    const fragment = await previewFragment(CARD, { locale: "ja-JP", theme: "dark" });
    await page.goto(`/docs/preview#${fragment}`);
    const card = page.getByRole("group", { name: "ビルド 12 が失敗" });
    await card.waitFor();
    assert.equal(await card.getAttribute("data-theme"), "dark");
    await card.getByRole("button", { name: "Run again" }).click();
    const told = await page.getByRole("figure", { name: "What the bot is told" }).locator("pre").innerText();
    assert.deepEqual(JSON.parse(told).value, { build: 12 });
    await page.getByText("The service accepts this card.").waitFor();
    assert.ok(asked.length > 3);
    const [, secret = ""] = /card=([\w-]+)/.exec(fragment) ?? [];
    assert.deepEqual(
      asked.filter((request) => request.includes(secret.slice(0, 40))),
      [],
    );

    await show(page, await previewFragment(CARD, { theme: "light" }));
    await page.locator('[data-card][data-theme="light"]').getByText("Build 12 failed").waitFor();
  });

  it("lists each rule that the card breaks, with its place, in the person's language", async () => {
    await using visitor = await world.visit({ locale: "zh-CN", viewport: { width: 390, height: 844 } });
    const { page } = visitor;
    const wrong = {
      ...CARD,
      body: { elements: [...CARD.body.elements, { tag: "markdwon" }, { tag: "a", url: "ftp:x" }] },
    };
    await page.goto(`/docs/preview#${await previewFragment(wrong)}`);
    const check = page.getByRole("region", { name: "检查" });
    await check.getByText("服务会拒绝这张卡片，有 3 处需要修改。").waitFor();
    assert.deepEqual(await check.locator("li code").allInnerTexts(), [
      "/body/elements/2/tag",
      "/body/elements/3/tag",
      "/body/elements/3/url",
    ]);
    await check.getByText("不支持的卡片组件: markdwon").waitFor();
    await page.getByRole("group", { name: "Build 12 failed" }).waitFor();
    assert.equal(await page.evaluate("document.querySelector('main').scrollWidth <= innerWidth"), true);
  });

  it("says what is wrong with an address that holds no card, and goes on with the next one", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/docs/preview");
    await page.getByText("No card is in the address").waitFor();
    const fragment = packed(JSON.stringify(CARD));
    for (const [wrong, said] of [
      [fragment.slice(0, -6), /The address is damaged/],
      ["card=%3Cscript%3E", /The address is damaged/],
      [packed(Buffer.from([0xff])), /The address is damaged/],
      [packed('{"schema"'), /holds no JSON/],
      [packed(" ".repeat(2_000_000)), /far larger than a card may be/],
    ] as const) {
      await show(page, wrong);
      await page.getByRole("alert").getByText(said).waitFor();
    }
    await show(page, fragment);
    await page.getByRole("group", { name: "Build 12 failed" }).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  it("is harmed by no card: nothing runs, nothing breaks, whatever it is", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/docs/preview");
    for (const json of [
      JSON.stringify(HOSTILE),
      DEEP,
      "null",
      "[[[]]]",
      '{"__proto__":{"schema":"2.0"},"body":{"elements":[[],null,1,"x"]}}',
      JSON.stringify({ schema: "2.0", body: { elements: Array.from({ length: 5000 }, () => ({ tag: "hr" })) } }),
    ]) {
      await show(page, packed(json));
      await page.locator("[data-preview=card] [data-card]").waitFor();
      const places = findCardProblems(JSON.parse(json)).map(({ pointer }) => pointer || "The whole card");
      assert.notEqual(places.length, 0, json.slice(0, 80));
      await assertPlaces(page, places.join("\n"));
    }
    assert.equal(await page.title(), "Card preview · Portico");
  });
});
