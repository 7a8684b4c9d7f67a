import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { DOCS_SCENES } from "../screenshots/docs-scenes.ts";
import { assertAccessibleInItsTheme } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import type { Visit } from "./support/visit.ts";
import { becomeWindow, PHONE_FIRST, WINDOWS, type WindowName, windowsFor } from "./support/windows.ts";

/** How much more there is than the window shows. What is long scrolls within its own place. */
const EXCESS = `(({ scrollWidth, scrollHeight }) => Math.max(scrollWidth - innerWidth, scrollHeight - innerHeight))(
  document.documentElement,
)`;

describe("every state of the docs can be used by everybody, and is no larger than the window", {
  skip: NO_BROWSER,
}, () => {
  const world = new DemoWorld();

  // One page: the next one it loads needs neither a process of its own, nor its scripts compiled once more.
  let visitor: Visit;
  before(async () => {
    visitor = await world.visit(WINDOWS.desktop);
  });
  after(() => visitor?.[Symbol.asyncDispose]());

  for (const [index, { name, isOfPhones = false, show }] of DOCS_SCENES.entries()) {
    it(name, async () => {
      const { page, context } = visitor;
      const [first, second] = isOfPhones ? PHONE_FIRST : windowsFor(index);
      try {
        await becomeWindow(page, first);
        await show(page, world);
        await assertForEverybody(page, first);
        await becomeWindow(page, second);
        await assertForEverybody(page, second);
      } finally {
        await context.setOffline(false);
        await page.unrouteAll();
      }
    });
  }
});

async function assertForEverybody(page: Page, window: WindowName): Promise<void> {
  await assertAccessibleInItsTheme(page);
  const excess = await page.evaluate<number>(EXCESS);
  assert.ok(excess <= 0, `${excess} pixels too large on a ${window}`);
}
