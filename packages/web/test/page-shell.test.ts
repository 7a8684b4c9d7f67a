import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openMessenger } from "./support/sign-in.ts";

const PAGES = [
  { path: "/", script: /\/assets\/start-/, area: { "en-US": "Start", "zh-CN": "首页" }, there: "nav a" },
  { path: "/console/", script: /\/assets\/console-/, area: { "en-US": "Console", "zh-CN": "控制台" }, there: "form" },
  {
    path: "/messenger/",
    script: /\/assets\/messenger-/,
    area: { "en-US": "Messenger", "zh-CN": "消息" },
    there: "form",
  },
  { path: "/desk/", script: /\/assets\/desk-/, area: { "en-US": "Desk", "zh-CN": "客服工作台" }, there: "form" },
  { path: "/docs/", script: /\/assets\/docs-/, area: { "en-US": "Docs", "zh-CN": "文档" }, there: "#content a" },
];

/** Runs in the page before all else: sums up how far what is seen is moved by itself. */
const WATCH_SHIFTS = `
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
  }).observe({ type: "layout-shift", buffered: true });`;

/** Below this nobody notices; Chromium's own mark for a good page is ten times as much. */
const MOST_SHIFT = 0.01;

describe("what is painted before a page's script runs", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  for (const { path, script, area, there } of PAGES) {
    for (const [locale, theme] of [
      ["en-US", "light"],
      ["zh-CN", "dark"],
    ] as const) {
      it(`is the bar of ${path}, in ${locale} and ${theme}, and stays where it is when the page comes`, async () => {
        await using visitor = await world.visit({ locale, colorScheme: theme, viewport: { width: 500, height: 800 } });
        const { page } = visitor;
        await page.addInitScript(WATCH_SHIFTS);
        const come = await holdBack(page, script);
        await page.goto(path, { waitUntil: "commit" });
        const bar = page.locator("#root[aria-busy] .top-bar");
        await bar.getByText(area[locale], { exact: true }).waitFor();
        // Nothing is painted before the style sheets have come, but the driver sees it. They hide what is there already.
        await bar.getByText(area[locale === "en-US" ? "zh-CN" : "en-US"], { exact: true }).waitFor({ state: "hidden" });
        assert.equal(await bar.innerText(), `Portico\n${area[locale]}`);
        await page.locator(".coming").waitFor();
        assert.equal(await page.getByRole("alert").count(), 0);
        const before = await looks(page);
        assert.equal(before.ground, theme === "dark" ? "rgb(21, 23, 28)" : "rgb(255, 255, 255)");

        come();
        await page.locator(there).first().waitFor();
        assert.equal(await page.locator("#root[aria-busy], .coming").count(), 0);
        assert.deepEqual(await looks(page), before);
        const shifted = Number(await page.evaluate("globalThis.shifted"));
        assert.ok(shifted < MOST_SHIFT, `${shifted}`);
      });
    }
  }

  it("has the theme and the language that the person chose, whatever the system has", async () => {
    await using visitor = await world.visit({ colorScheme: "dark" });
    const { page } = visitor;
    await page.addInitScript(`localStorage["portico.theme"] = "light"; localStorage["portico.locale"] = "zh-CN";`);
    await holdBack(page, /\/assets\/start-/);
    await page.goto("/", { waitUntil: "commit" });
    await page.locator(".top-bar").getByText("首页").waitFor();
    assert.equal((await looks(page)).ground, "rgb(255, 255, 255)");
  });

  it("says so when the page's code does not come", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.route(/\/assets\/messenger-/, (route) => route.abort());
    await page.goto("/messenger/", { waitUntil: "commit" });
    await page.getByRole("alert").getByText("The page could not be loaded.").waitFor();
    assert.equal(await page.locator(".coming").isVisible(), false);
  });

  it("stays, for everyone to use, until it is known who is signed in and what they see first is there", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.addInitScript(WATCH_SHIFTS);
    const answer = await holdBack(page, "**/auth/refresh");
    const come = await holdBack(page, "**/conversations?*");
    await openMessenger(page, world.service.member("alice"));
    await page.locator("#root[aria-busy] .top-bar").waitFor();
    const before = await looks(page);
    await assertAccessible(page);
    answer();
    // The list is asked for before anything is drawn, so its skeleton takes the frame's place.
    await page.getByRole("list", { name: "Conversations" }).waitFor({ state: "attached" });
    assert.deepEqual(await looks(page), before);
    come();
    await page.getByRole("list", { name: "Conversations" }).getByRole("link").first().waitFor();
    const shifted = Number(await page.evaluate("globalThis.shifted"));
    assert.ok(shifted < MOST_SHIFT, `${shifted}`);
  });
});

/** Keeps files from the page until the function that it gives is called. */
async function holdBack(page: Page, address: RegExp | string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Where the product's name is, and what is behind it. */
function looks(page: Page): Promise<{ place: object; ground: string }> {
  return page.evaluate(`(() => {
    const { x, y, width, height } = document.querySelector(".top-bar-name").getBoundingClientRect();
    return { place: { x, y, width, height }, ground: getComputedStyle(document.body).backgroundColor };
  })()`);
}
