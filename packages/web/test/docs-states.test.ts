import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DOCS_SCENES } from "../screenshots/docs-scenes.ts";
import { assertAccessibleInItsTheme } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import type { Visit } from "./support/visit.ts";
import { WINDOWS } from "./support/windows.ts";

/** How much more there is than the window shows. What is long scrolls within its own place. */
const EXCESS = `(({ scrollWidth, scrollHeight }) => Math.max(scrollWidth - innerWidth, scrollHeight - innerHeight))(
  document.documentElement,
)`;

describe("every state of the docs can be used by everybody, and is no larger than the window", {
  skip: NO_BROWSER,
}, () => {
  const world = new DemoWorld();

  for (const [window, options] of Object.entries(WINDOWS)) {
    describe(`on a ${window}`, () => {
      // One page: the next one it loads needs neither a process of its own, nor its scripts compiled once more.
      let visitor: Visit;
      before(async () => {
        visitor = await world.visit(options);
      });
      after(() => visitor?.[Symbol.asyncDispose]());

      for (const { name, show } of DOCS_SCENES) {
        it(name, async () => {
          const { page, context } = visitor;
          try {
            await show(page, world);
            await assertAccessibleInItsTheme(page);
            const excess = await page.evaluate<number>(EXCESS);
            assert.ok(excess <= 0, `${excess} pixels too large`);
          } finally {
            await context.setOffline(false);
            await page.unrouteAll();
          }
        });
      }
    });
  }
});
