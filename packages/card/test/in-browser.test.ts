import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import axe, { type AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, NO_BROWSER } from "../../web/test/support/browser.ts";
import type { NamedCard } from "../gallery/named-card.ts";
import { SAMPLES } from "../gallery/samples.ts";
import { cardOf } from "./support/cards.ts";
import { GallerySite } from "./support/gallery-site.ts";
import { HOSTILE_CARDS } from "./support/hostile-cards.ts";

const CORPORA = process.env.PORTICO_TEST_CORPORA;
const PHONE = { width: 360, height: 740 };
const DESK = { width: 700, height: 900 };
const HUGE = `<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"><rect width="100%" height="100%"/></svg>`;

/** What is wider than what is around it, and how many pixels reach out of the card. Tables that scroll are meant to. */
const OVERHANGS = `[...document.querySelectorAll("[data-card]")].flatMap((card) => {
  const box = card.getBoundingClientRect();
  return [...card.querySelectorAll("*")]
    .filter((inner) => inner.closest("[data-scrolls]") === null || inner.matches("[data-scrolls]"))
    .map((inner) => ({ inner, rect: inner.getBoundingClientRect() }))
    .filter(({ rect }) => rect.width > 0 && (rect.right > box.right + 1 || rect.left < box.left - 1))
    .map(({ inner }) => card.closest("article").querySelector("h2").textContent + ": " + inner.outerHTML.slice(0, 200));
})`;

describe("cards in a browser", { skip: NO_BROWSER }, () => {
  let site: GallerySite;
  let browser: Browser;
  before(async () => {
    [site, browser] = await Promise.all([GallerySite.start(), launchBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
  });

  /** Opens the gallery with these cards. What the page should never do is in `faults`. */
  async function open(
    t: TestContext,
    cards: readonly NamedCard[],
    viewport = DESK,
    query = "",
  ): Promise<[Page, string[]]> {
    const context = await browser.newContext({ viewport });
    t.after(() => context.close());
    const faults: string[] = [];
    await context.route(/^https:/, (route) => {
      const isPicture = route.request().resourceType() === "image";
      if (!isPicture) faults.push(`request: ${route.request().url()}`);
      return isPicture ? route.fulfill({ contentType: "image/svg+xml", body: HUGE }) : route.abort();
    });
    const page = await context.newPage();
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    page.on("dialog", (dialog) => faults.push(`dialog: ${dialog.message()}`));
    site.show(cards);
    await page.goto(`${site.url}?locale=en-US${query}`);
    await page
      .locator("[data-card]")
      .nth(cards.length - 1)
      .waitFor();
    return [page, faults];
  }

  for (const viewport of [DESK, PHONE]) {
    test(`of hostile cards ${viewport.width} px wide nothing runs, the layout holds and the page is usable`, async (t) => {
      const [page, faults] = await open(t, [...HOSTILE_CARDS, { name: "after", card: SAMPLES[0]?.card }], viewport);
      assert.deepEqual(await page.evaluate(OVERHANGS), []);
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways");
      await page.locator("[data-card]").last().getByRole("button", { name: "重新运行" }).click();
      await page.locator("#actions li").waitFor();
      assert.equal(await page.evaluate("globalThis.ran"), undefined);
      assert.deepEqual(faults, []);
    });
  }

  for (const theme of ["light", "dark"]) {
    test(`axe-core finds nothing in any component or header colour, ${theme}`, async (t) => {
      const [page] = await open(t, SAMPLES, DESK, `&theme=${theme}`);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<AxeResults>("axe.run()");
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      );
      assert.deepEqual(found, []);
    });
  }

  test("marks that combine stay within the card", async (t) => {
    const above = async (text: string) => {
      const card = { ...cardOf({ tag: "text", content: text }), config: { summary: { content: "same" } } };
      const [page] = await open(t, [{ name: "marks", card }]);
      const box = await page.locator("[data-card]").boundingBox();
      assert.ok(box);
      return await page.screenshot({ clip: { x: box.x, y: box.y - 60, width: box.width, height: 50 } });
    };
    assert.ok((await above("a")).equals(await above(`a${"\u0301".repeat(60)}`)));
  });

  test("columns stand side by side, and wrap on a phone", async (t) => {
    const tops = `[...document.querySelectorAll("[data-tag=column_set] [data-tag=column]")].slice(0, 3).map((column) => column.getBoundingClientRect().top)`;
    const rows = async (viewport: typeof DESK) => {
      const [page] = await open(t, SAMPLES.slice(0, 1), viewport);
      return new Set(await page.evaluate<number[]>(tops)).size;
    };
    assert.equal(await rows(DESK), 1);
    assert.ok((await rows(PHONE)) > 1);
  });

  test("an unbubbled card takes the whole row", async (t) => {
    const [page] = await open(
      t,
      SAMPLES.filter(({ name }) => name === "centred"),
    );
    const share = `document.querySelector("[data-card]").offsetWidth / document.querySelector(".log").clientWidth`;
    assert.ok((await page.evaluate<number>(share)) >= 0.85);
  });

  test("all that can be acted on can be by keyboard, and the bot hears of it", async (t) => {
    const [page, faults] = await open(
      t,
      SAMPLES.filter(({ name }) => name === "build"),
    );
    const more = page.getByRole("button", { name: "More actions" });
    await more.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const action = page.locator("#actions li");
    assert.match((await action.textContent()) ?? "", /"tag":"overflow","name":"more","value":null,"option":"mute"/);
    assert.deepEqual(faults, []);
  });

  test("a press anywhere in a card with card_link opens it, one on a button does not", async (t) => {
    const [page] = await open(
      t,
      SAMPLES.filter(({ name }) => name === "linked"),
    );
    const opened: string[] = [];
    page.context().on("request", (request) => request.isNavigationRequest() && opened.push(request.url()));
    await page.getByRole("button", { name: "赞" }).click();
    await page.locator("#actions li").waitFor();
    assert.deepEqual(opened, []);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.locator("[data-tag=plain_text]").click(),
    ]);
    assert.equal(await tab.evaluate("window.opener").catch(() => null), null);
    assert.deepEqual(opened, ["https://example.com/post"]);
  });

  const withoutCorpora = CORPORA ? false : "PORTICO_TEST_CORPORA names no directory of published cards";
  test("published cards are drawn whole", { skip: withoutCorpora }, async (t) => {
    const folder = join(CORPORA ?? "", "feishu-cards");
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    const cards = names.map((name) => ({ name, card: JSON.parse(readFileSync(join(folder, name), "utf8")) }));
    assert.equal(cards.length, 28);
    for (const viewport of [DESK, PHONE]) {
      const [page, faults] = await open(t, cards, viewport);
      assert.deepEqual(await page.evaluate(OVERHANGS), []);
      assert.equal(await page.getByText("This part of the card cannot be shown").count(), 0);
      assert.deepEqual(faults, []);
    }
  });
});
