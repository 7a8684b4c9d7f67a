/**
 * `npm run screenshots`: a picture of every page and state and of every card, in light and dark, on a desktop and a phone,
 * in both languages, put into the folder `screenshots/`. `npm run screenshots -- WORD…` takes those alone whose
 * path has one of the words, such as `app-deliveries` or `phone-dark-zh-CN/app-`.
 */
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BrowserContext } from "playwright-core";
import { launchBrowser, NO_BROWSER } from "../test/support/browser.ts";
import { DemoService } from "../test/support/demo-service.ts";
import { photographCards } from "./cards.ts";
import { SCENES, type Scene, type Stage } from "./scenes.ts";
import { seed } from "./seed.ts";
import { seedConsole } from "./seed-console.ts";
import { seedDesk } from "./seed-desk.ts";
import { settled } from "./settled.ts";
import { photographWidget, widgetSite } from "./widget.ts";

const FOLDER = resolve(import.meta.dirname, "../../../screenshots");
/** What is still being drawn or loaded after this long is part of the picture. */
const SETTLED_WITHIN_MS = 5_000;

const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true },
};

if (NO_BROWSER) {
  console.error(NO_BROWSER);
  process.exit(1);
}
const words = process.argv.slice(2);
const isChosen = (path: string) => words.length === 0 || words.some((word) => path.includes(word));
const windows = windowsWithScenes();
if (words.length === 0) await rm(FOLDER, { recursive: true, force: true });

const failures: string[] = [];
let taken = 0;
await using stack = new AsyncDisposableStack();
const browser = stack.adopt(await launchBrowser(), (launched) => launched.close());
if (windows.length > 0) await takePages();
const cards = await photographCards(browser, FOLDER, words);
taken += cards.taken;
failures.push(...cards.failures);
for (const note of cards.notes) console.log(note);
console.log(`${taken} pictures${failures.length > 0 ? `; not taken:\n${failures.join("\n")}` : ""}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** The kinds of windows, each with what is to be taken in it. */
function windowsWithScenes() {
  const kinds = Object.entries(DEVICES).flatMap(([device, options]) =>
    (["light", "dark"] as const).flatMap((colorScheme) =>
      ["en-US", "zh-CN"].map((locale) => ({
        name: `${device}-${colorScheme}-${locale}`,
        options: { ...options, colorScheme, locale, reducedMotion: "reduce" as const },
      })),
    ),
  );
  return kinds
    .map((kind) => ({
      ...kind,
      scenes: SCENES.filter((scene) => isChosen(`${kind.name}/${scene.name}`)),
      hasWidget: isChosen(`${kind.name}/widget`),
    }))
    .filter(({ scenes, hasWidget }) => scenes.length > 0 || hasWidget);
}

async function takePages(): Promise<void> {
  const service = stack.adopt(await DemoService.start(), (started) => started.stop());
  const refusedReqNo = await seed(service);
  await seedDesk(service);
  const stage = { service, refusedReqNo, console: stack.use(await seedConsole(service)) };
  const site = windows.some(({ hasWidget }) => hasWidget) ? stack.use(await widgetSite(service)) : null;
  for (const { name, options, scenes, hasWidget } of windows) {
    const folder = join(FOLDER, name);
    await mkdir(folder, { recursive: true });
    const context = await browser.newContext({ ...options, baseURL: service.url });
    context.setDefaultTimeout(SETTLED_WITHIN_MS);
    for (const scene of scenes) await take(scene, context, folder, stage);
    if (site !== null && hasWidget) taken += await photographWidget(context, { service, site, folder });
    await context.close();
    console.log(`${folder}: ${scenes.length} scenes`);
  }
}

async function take(scene: Scene, context: BrowserContext, folder: string, stage: Stage): Promise<void> {
  const page = await context.newPage();
  try {
    await scene.show(page, stage);
    await settled(page);
    await page.screenshot({ path: join(folder, `${scene.name}.png`) });
    taken++;
  } catch (error) {
    failures.push(`${folder}/${scene.name}: ${error instanceof Error ? error.message.split("\n", 1)[0] : error}`);
    await page.screenshot({ path: join(folder, `${scene.name}.failed.png`) }).catch(() => {});
  } finally {
    await context.setOffline(false);
    await page.close();
  }
}
