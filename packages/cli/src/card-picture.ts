import { setTimeout as sleep } from "node:timers/promises";
import type { DevTools } from "./browser/dev-tools.ts";
import { findBrowser } from "./browser/find-browser.ts";
import { HeadlessBrowser } from "./browser/headless-browser.ts";
import { Page, type Place } from "./browser/page.ts";
import { FailureError } from "./command.ts";
import { awaitInterruption } from "./interruption.ts";
import { numberOf } from "./json.ts";

/** For everything: the start of the browser, the page, the pictures in the card. */
const TIMEOUT_MS = 60_000;
/** For the pictures in the card, which come from anywhere. */
const PICTURES_TIMEOUT_MS = 15_000;
const WINDOW_WIDTH = 1280;
const FIRST_WINDOW_HEIGHT = 800;
const BELOW_CARD = 64;
/** A card grows when its pictures come. */
const MAX_MEASUREMENTS = 5;
/** Pixels of the picture for each of the page, as on a screen with fine pixels. */
const SCALE = 2;
/** Of a picture's sides; beyond, browsers paint nothing. */
const MAX_SIDE_PIXELS = 16_384;

/** A picture of a card. */
export interface CardPicture {
  png: Buffer;
  /** How many pictures in the card are not shown: they had not come in time, or cannot be fetched. */
  missing: number;
  /** The card is longer than a picture can be: its end is left out. */
  isCut: boolean;
}

/**
 * Takes a picture of the card that a link to the preview draws, with a browser of this machine.
 *
 * @throws FailureError
 */
export async function takePicture(url: string): Promise<CardPicture> {
  const program = await findBrowser();
  using interruption = awaitInterruption();
  await using browser = await HeadlessBrowser.start(program);
  const end = async (what: Promise<unknown>, message: string) => {
    await what;
    throw new FailureError(message);
  };
  const picture = photograph(browser.devTools, url);
  // Nobody waits for it when one of the others is first.
  picture.catch(() => {});
  return await Promise.race([
    picture,
    end(interruption.happened, "interrupted: there is no picture"),
    end(
      sleep(TIMEOUT_MS, undefined, { ref: false }),
      `the preview was not drawn within ${TIMEOUT_MS / 1000} s: ${ADVICE}`,
    ),
  ]);
}

const ADVICE = "does the service at this address have /docs/preview?";

async function photograph(devTools: DevTools, url: string): Promise<CardPicture> {
  const page = await Page.open(devTools);
  await page.resize(WINDOW_WIDTH, FIRST_WINDOW_HEIGHT, SCALE);
  await page.goTo(url);
  const drawn = await page.evaluate(DRAWN);
  if (typeof drawn === "number") throw new FailureError(`the service answers ${drawn}: ${ADVICE}`);
  if (drawn !== "card") throw new FailureError(`the preview shows no card: ${drawn}`);
  for (let n = 0, height = FIRST_WINDOW_HEIGHT; ; n++) {
    const missing = Number(await page.evaluate(SETTLED));
    const card = placeIn(await page.evaluate(PLACE));
    const needed = Math.min(card.y + card.height + BELOW_CARD, MAX_SIDE_PIXELS);
    if (needed > height && n < MAX_MEASUREMENTS) {
      height = needed;
      await page.resize(WINDOW_WIDTH, height, Math.max(1, Math.min(SCALE, MAX_SIDE_PIXELS / height)));
      continue;
    }
    const shown = { ...card, height: Math.min(card.height, height - card.y) };
    return { png: await page.photograph(shown), missing, isCut: shown.height < card.height };
  }
}

function placeIn(value: unknown): Place {
  const [x = 0, y = 0, width = 0, height = 0] = ["x", "y", "width", "height"].map((name) => numberOf(value, name));
  if (width === 0 || height === 0) throw new FailureError("the card takes no room: there is nothing to see");
  return { x, y, width, height };
}

/** "card" when it is drawn, else what is wrong with the link, or the status of an answer that is no page. */
const DRAWN = `new Promise((resolve) => {
  const { responseStatus = 200 } = performance.getEntriesByType("navigation")[0] ?? {};
  const look = () => {
    if (responseStatus >= 400) return resolve(responseStatus);
    const at = document.querySelector("[data-preview]");
    if (at === null) setTimeout(look, 50);
    else resolve(at.dataset.preview === "card" ? "card" : at.dataset.fault);
  };
  look();
})`;

/** How many pictures are not shown; waits until all in sight have come, or cannot. */
const SETTLED = `document.fonts.ready.then(() => new Promise((resolve) => {
  const until = performance.now() + ${PICTURES_TIMEOUT_MS};
  const look = () => {
    const pictures = [...document.querySelectorAll("[data-preview] img")].filter((each) => each.checkVisibility());
    const coming = pictures.filter(({ complete }) => !complete).length;
    if (coming > 0 && performance.now() < until) return setTimeout(look, 50);
    const failed = document.querySelectorAll("[data-preview] [data-state=failed]").length;
    const shown = pictures.filter(({ complete }) => complete).map((each) => each.decode());
    Promise.allSettled(shown).then(() => resolve(coming + failed));
  };
  look();
}))`;

/** Whole pixels around the card. */
const PLACE = `(() => {
  const { left, top, right, bottom } = document.querySelector("[data-preview] [data-card]").getBoundingClientRect();
  const [x, y] = [Math.floor(left), Math.floor(top)];
  return { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
})()`;
