import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults, RunOptions } from "axe-core";
import type { Frame, Page } from "playwright-core";

/** Each page reads it anew, and with the comments it would be three times as long. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
/** It would write out the whole page for each rule about it: a tenth of its time. */
const AXE = `${SOURCE}; axe.configure({ noHtml: true });`;

type Theme = "light" | "dark";

/**
 * Fails when axe-core finds anything on the page, in light or in dark; or in a frame of it, whose page is another's. Dark has
 * the same elements in other colours, so what does not look at colours is asked once.
 */
export async function assertAccessible(page: Page, place: Page | Frame = page): Promise<void> {
  const theme = await page.evaluate<Theme>(THEME);
  const isStill = await page.evaluate<boolean>("matchMedia('(prefers-reduced-motion: reduce)').matches");
  for (const [colorScheme, options] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await assertNothingFound(place, colorScheme, options);
  }
  await page.emulateMedia({ colorScheme: theme, reducedMotion: isStill ? "reduce" : null });
}

/**
 * The same in the one theme that the window prefers: for states that are looked at in both windows of `windows.ts`, of which each
 * prefers another. What only one of them shows needs both themes there.
 */
export async function assertAccessibleInItsTheme(page: Page, place: Page | Frame = page): Promise<void> {
  await assertNothingFound(place, await page.evaluate<Theme>(THEME), ALL_RULES);
}

async function assertNothingFound(place: Page | Frame, theme: Theme, options: RunOptions): Promise<void> {
  if (!(await place.evaluate<boolean>("globalThis.axe !== undefined"))) await place.evaluate(AXE);
  await place.evaluate(SETTLED);
  const violations = await place.evaluate<AxeResults["violations"]>(violationsBy(options));
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => `${theme}: ${id}: ${help}\n${target.join(" ")}\n${failureSummary}`),
  );
  assert.deepEqual(found, []);
}

/** What passes is thousands of elements, which nobody reads. */
const ALL_RULES: RunOptions = { reporter: "no-passes" };
const RULES_OF_COLOURS: RunOptions = { ...ALL_RULES, runOnly: ["color-contrast", "link-in-text-block"] };
const LOOKS = [
  ["light", ALL_RULES],
  ["dark", RULES_OF_COLOURS],
] as const;

/** Runs in the page: what the window prefers. */
const THEME = "matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'";

/** Runs in the page. */
function violationsBy(options: RunOptions): string {
  return `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
}

/** Runs in the page: until nothing has moved for three frames, as what an element inherits sets out when its parent has arrived. */
const SETTLED = `(async () => {
  for (let still = 0; still < 3; still++) {
    await new Promise(requestAnimationFrame);
    const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    if (moving.length > 0) still = -1;
    await Promise.allSettled(moving.map(({ finished }) => finished));
  }
})()`;
