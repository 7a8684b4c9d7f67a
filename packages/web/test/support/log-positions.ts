import type { Page } from "playwright-core";

/** How long these wait: a machine that is busy with other tests draws a frame a second. */
const WITHIN_MS = 30_000;

/**
 * Runs in the page: until a frame has been drawn. Rows that have come since the last one may stand where nobody ever sees
 * them, because their heights are not known before.
 */
const DRAWN = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))";

/** A message on the page, and where its upper edge is, in pixels. */
export interface Placed {
  id: string;
  top: number;
}

/** The first message that is wholly in view; null when there is none. */
export async function topmost(page: Page): Promise<Placed | null> {
  return await page.evaluate(`(async () => {
    await ${DRAWN};
    const frame = document.querySelector("[role=log]").getBoundingClientRect();
    for (const row of document.querySelectorAll("[role=log] article")) {
      const { top } = row.getBoundingClientRect();
      if (top >= frame.top) return { id: row.dataset.message, top };
    }
    return null;
  })()`);
}

/** Where a message is; null when it is not drawn. */
export async function topOf(page: Page, id: string): Promise<number | null> {
  return await page.evaluate(`(async () => {
    await ${DRAWN};
    return document.querySelector('[data-message="${id}"]')?.getBoundingClientRect().top ?? null;
  })()`);
}

/** Waits until the log has stood still for three frames. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const log = document.querySelector("[role=log]");
    const place = () => {
      const first = log.querySelector("article");
      return first === null ? log.scrollTop : first.dataset.message + "@" + first.getBoundingClientRect().top;
    };
    const end = performance.now() + ${WITHIN_MS};
    for (let before = "", same = 0, frames = 0; same < 3; frames++) {
      const now = place();
      if (performance.now() > end) {
        throw new Error("the log never stands still: in " + frames + " frames, last from " + before + " to " + now);
      }
      await new Promise(requestAnimationFrame);
      same = now === before ? same + 1 : 0;
      before = now;
    }
  })()`);
}

/** The number in the text "message 1 …" of the first message in view; 0 when none has one. */
export async function numberInView(page: Page): Promise<number> {
  return await page.evaluate(`(() => {
    const { top } = document.querySelector("[role=log]").getBoundingClientRect();
    for (const row of document.querySelectorAll("[role=log] article")) {
      const found = /message (\\d+) /.exec(row.textContent);
      if (found !== null && row.getBoundingClientRect().bottom > top + 1) return Number(found[1]);
    }
    return 0;
  })()`);
}

/** The numbers in the texts "message 1 …" that are in view or near, from above. */
export async function numbersDrawn(page: Page): Promise<number[]> {
  return await page.evaluate(`[...document.querySelectorAll("[role=log] article")].flatMap((row) => {
    const found = /message (\\d+) /.exec(row.textContent);
    return found === null ? [] : [Number(found[1])];
  })`);
}

/** Waits until an expression is true in the page; the pages' policy lets a driver evaluate only once at a time. */
export async function until(page: Page, expression: string): Promise<void> {
  await page.evaluate(`(async () => {
    for (const end = performance.now() + ${WITHIN_MS}; !(${expression}); ) {
      if (performance.now() > end) throw new Error(${JSON.stringify(`not within ${WITHIN_MS} ms: ${expression}`)});
      await new Promise(requestAnimationFrame);
    }
  })()`);
}
