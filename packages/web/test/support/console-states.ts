import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import type { ConsoleScene, ConsoleStage } from "../../screenshots/console-scene.ts";
import { CONSOLE_SCENES } from "../../screenshots/console-scenes.ts";
import { seed } from "../../screenshots/seed.ts";
import { seedConsole } from "../../screenshots/seed-console.ts";
import { assertAccessible } from "./accessibility.ts";
import { NO_BROWSER } from "./browser.ts";
import { DemoWorld } from "./demo-world.ts";
import type { Visit } from "./visit.ts";

/** States of an application with everything in it. */
export function isOfFullApp({ name }: ConsoleScene): boolean {
  return name.startsWith("app-");
}

/** States of the operators' section. */
export function isOfOperators({ name }: ConsoleScene): boolean {
  return name.startsWith("operator-");
}

/** The kinds of windows: each language and each size once. Without motion, of which axe-core looks at the end alone. */
const WINDOWS = {
  desktop: { locale: "en-US", viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" },
  phone: { locale: "zh-CN", viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: "reduce" },
} satisfies Record<string, BrowserContextOptions>;

/** Declares a test for each state of the console that is `chosen`, looked at in a kind of window, in light and in dark. */
export function describeStates(window: keyof typeof WINDOWS, chosen: (scene: ConsoleScene) => boolean): void {
  describe(`every state of the console on a ${window}`, { skip: NO_BROWSER }, () => {
    const world = new DemoWorld();
    let stage: ConsoleStage;
    let visitor: Visit;
    before(async () => {
      const { service } = world;
      stage = { service, refusedReqNo: await seed(service), console: await seedConsole(service) };
      visitor = await world.visit(WINDOWS[window]);
    });
    after(async () => {
      await visitor?.[Symbol.asyncDispose]();
      await stage?.console[Symbol.asyncDispose]();
    });

    for (const scene of CONSOLE_SCENES.filter(chosen)) {
      it(`${scene.name} can be used by everybody, and is no wider than the window`, async () => {
        const { page, context } = visitor;
        await scene.show(page, stage);
        await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
        await assertAccessible(page);
        const excess = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        assert.ok(excess <= 0, `${excess} pixels too wide`);
        await context.setOffline(false);
        await page.unrouteAll();
      });
    }
  });
}
