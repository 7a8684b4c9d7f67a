import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { CONSOLE_SCENES, type ConsoleStage } from "../screenshots/console-scenes.ts";
import { seed } from "../screenshots/seed.ts";
import { seedConsole } from "../screenshots/seed-console.ts";
import { settled } from "../screenshots/settled.ts";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import type { Visit } from "./support/visit.ts";

/** Each language and each size once; what is accessible is looked at in light and in dark. */
const WINDOWS = [
  { name: "on a desktop in English", locale: "en-US", viewport: { width: 1280, height: 800 } },
  { name: "on a phone in Chinese", locale: "zh-CN", viewport: { width: 390, height: 844 }, hasTouch: true },
];

describe("every state of the console", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  let stage: ConsoleStage;
  before(async () => {
    const { service } = world;
    stage = { service, refusedReqNo: await seed(service), console: await seedConsole(service) };
  });
  after(async () => {
    await stage?.console[Symbol.asyncDispose]();
  });

  for (const { name: window, ...options } of WINDOWS) {
    describe(window, () => {
      let visitor: Visit;
      before(async () => {
        visitor = await world.visit(options);
      });
      after(async () => {
        await visitor?.[Symbol.asyncDispose]();
      });

      for (const { name, show } of CONSOLE_SCENES) {
        it(`${name} can be used by everybody, and is no wider than the window`, async () => {
          const page = await visitor.context.newPage();
          await show(page, stage);
          await settled(page);
          await assertAccessible(page);
          const excess = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
          assert.ok(excess <= 0, `${excess} pixels too wide`);
          await visitor.context.setOffline(false);
          await page.close();
        });
      }
    });
  }
});
