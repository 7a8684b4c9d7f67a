import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import type { NamedCard } from "../../card/gallery/named-card.ts";
import { SAMPLES } from "../../card/gallery/samples.ts";
import { GallerySite } from "../../card/test/support/gallery-site.ts";
import { publishedCards } from "./published-cards.ts";

/** A phone, and a wide log. */
const WIDTHS = [390, 720];
const HEIGHT = 900;
const LOADED_WITHIN_MS = 5_000;
const LOCALES = ["en-US", "zh-CN"];
const HUES = [262, 190, 152, 60, 25, 300];

/** What was taken, and what was not, with the reason. */
export interface Taken {
  taken: number;
  failures: string[];
  notes: string[];
}

/**
 * Takes a picture of every card of the gallery, and of the published cards where there are any, on a phone and in a wide
 * log, in light and dark, in both languages if it has both.
 */
export async function photographCards(browser: Browser, folder: string, words: readonly string[]): Promise<Taken> {
  const published = publishedCards();
  const cards = [...SAMPLES, ...published.cards]
    .map(({ name, card }) => ({ name: `card-${name}`, card }))
    .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const result: Taken = { taken: 0, failures: [], notes: published.note === null ? [] : [published.note] };
  if (cards.length === 0) return result;
  await using stack = new AsyncDisposableStack();
  const site = stack.adopt(await GallerySite.start(), (started) => started.stop());
  for (const width of WIDTHS) {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [index, locale] of LOCALES.entries()) {
        const shown = cards.filter(({ card }) => index === 0 || hasBothLanguages(card));
        if (shown.length === 0) continue;
        const into = resolve(folder, `cards-${width}-${colorScheme}-${locale}`);
        await mkdir(into, { recursive: true });
        const viewport = { width, height: HEIGHT };
        await using context = await browser.newContext({ viewport, colorScheme, locale, reducedMotion: "reduce" });
        await context.route(/^https:/, drawPicture);
        const page = await context.newPage();
        site.show(shown);
        await page.goto(`${site.url}?locale=${locale}`);
        await takeEach(page, shown, into, result);
      }
    }
  }
  return result;
}

async function takeEach(page: Page, cards: readonly NamedCard[], folder: string, result: Taken): Promise<void> {
  await page.locator("[data-card]").last().waitFor();
  const articles = page.locator("article");
  for (const [index, { name }] of cards.entries()) {
    try {
      const article = articles.nth(index);
      await article.scrollIntoViewIfNeeded();
      await article.locator("[data-state=loading]").first().waitFor({ state: "detached", timeout: LOADED_WITHIN_MS });
      await article.screenshot({ path: join(folder, `${name}.png`) });
      result.taken += 1;
    } catch (error) {
      result.failures.push(`${folder}/${name}: ${error instanceof Error ? error.message.split("\n", 1)[0] : error}`);
    }
  }
}

function hasBothLanguages(card: unknown): boolean {
  return JSON.stringify(card).includes('"i18n"');
}

/** Pictures of the world outside are drawn here: a sky above a ground, in a colour by the address. */
async function drawPicture(route: Route): Promise<void> {
  const url = route.request().url();
  if (url.endsWith("missing.png")) return await route.abort();
  const hue = HUES[[...url].reduce((sum, character) => sum + character.charCodeAt(0), 0) % HUES.length];
  await route.fulfill({
    contentType: "image/svg+xml",
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540"><rect width="960" height="540" fill="oklch(85% 0.06 ${hue})"/><path d="M0 400 320 180 560 380 720 260 960 420V540H0Z" fill="oklch(60% 0.1 ${hue})"/></svg>`,
  });
}
