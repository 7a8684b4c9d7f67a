import type { Page } from "playwright-core";

/** Pages that are live ask again and again; this long they are waited for. */
const STILL_WITHIN_MS = 1_000;

/** Waits until nothing is being loaded; a live page may never be quite still. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: STILL_WITHIN_MS }).catch(() => {});
  await page
    .locator("[aria-busy=true]")
    .first()
    .waitFor({ state: "detached" })
    .catch(() => {});
}
