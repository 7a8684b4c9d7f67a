import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { ConsoleScene, ConsoleStage } from "../../screenshots/console-scene.ts";
import { CONSOLE_SCENES } from "../../screenshots/console-scenes.ts";
import { seed } from "../../screenshots/seed.ts";
import { seedConsole } from "../../screenshots/seed-console.ts";
import { assertAccessibleInItsTheme } from "./accessibility.ts";
import { NO_BROWSER } from "./browser.ts";
import { DemoWorld } from "./demo-world.ts";
import type { Visit } from "./visit.ts";
import { becomeWindow, WINDOWS, type WindowName, windowsFor } from "./windows.ts";

/** States of an application with everything in it. */
export function isOfFullApp({ name }: ConsoleScene): boolean {
  return name.startsWith("app-");
}

/** States of the operators' section. */
export function isOfOperators({ name }: ConsoleScene): boolean {
  return name.startsWith("operator-");
}

/** Declares a test for each state of the console that is `chosen`, looked at in both windows. */
export function describeStates(chosen: (scene: ConsoleScene) => boolean): void {
  describe("every state of the console", { skip: NO_BROWSER }, () => {
    const world = new DemoWorld();
    let stage: ConsoleStage;
    let visitor: Visit;
    before(async () => {
      const { service } = world;
      stage = { service, refusedReqNo: await seed(service), console: await seedConsole(service) };
      visitor = await world.visit(WINDOWS.desktop);
    });
    after(async () => {
      await visitor?.[Symbol.asyncDispose]();
      await stage?.console[Symbol.asyncDispose]();
    });

    for (const [index, scene] of CONSOLE_SCENES.filter(chosen).entries()) {
      it(`${scene.name} can be used by everybody, and is no wider than the window`, async () => {
        const { page, context } = visitor;
        const [first, second] = windowsFor(index);
        await becomeWindow(page, first);
        await scene.show(page, stage);
        await assertForEverybody(page, first);
        await becomeWindow(page, second);
        await assertForEverybody(page, second);
        await context.setOffline(false);
        await page.unrouteAll();
      });
    }
  });
}

async function assertForEverybody(page: Page, window: WindowName): Promise<void> {
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  await assertAccessibleInItsTheme(page);
  const excess = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  assert.ok(excess <= 0, `${excess} pixels too wide on a ${window}`);
}
