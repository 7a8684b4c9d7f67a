import assert from "node:assert/strict";
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** Fails when axe-core finds anything on the page, in light or in dark. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(SETTLED);
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => `${colorScheme}: ${id}: ${help}\n${html}\n${failureSummary}`),
    );
    assert.deepEqual(found, []);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Runs in the page: two frames, in which another look is drawn, then the end of what still moves into it. */
const SETTLED = `(async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(moving.map(({ finished }) => finished));
  await new Promise(requestAnimationFrame);
})()`;
