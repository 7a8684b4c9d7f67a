import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { seed } from "../../screenshots/seed.ts";
import { assertAccessible } from "./accessibility.ts";
import { launchBrowser, NO_BROWSER } from "./browser.ts";
import { DemoService } from "./demo-service.ts";
import { STATES } from "./messenger-states.ts";
import { visit } from "./visit.ts";

/** Registers tests that axe-core finds no fault in any state of start page and messenger, in both themes. */
export function testStates(device: string, locale: string, options: BrowserContextOptions): void {
  describe(`start page and messenger on a ${device} have no fault that axe-core finds`, { skip: NO_BROWSER }, () => {
    let service: DemoService;
    let browser: Browser;
    before(async () => {
      [service, browser] = await Promise.all([DemoService.start(), launchBrowser()]);
      await seed(service);
    });
    after(async () => {
      await browser?.close();
      await service?.stop();
    });

    for (const { name, path, isSignedIn, show } of STATES) {
      it(name, async () => {
        await using person = await visit(browser, service.url, options);
        const { page, context } = person;
        if (isSignedIn) await signIn(page, service);
        await page.goto(path);
        await show(page);
        await page.evaluate(chooseLocale(locale));
        await assertAccessible(page);
        await context.setOffline(false);
      });
    }
  });
}

/** Past the form, which has tests of its own: the cookie signs the page in. */
async function signIn(page: Page, service: DemoService): Promise<void> {
  const { username, password } = service.member("alice");
  await page.goto("/");
  await page.evaluate(`fetch("/api/client/v1/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: ${JSON.stringify(JSON.stringify({ tenantId: "t_demo", username, password }))},
  })`);
}

/** Runs in the page: as another tab would choose the language. */
function chooseLocale(locale: string): string {
  return `
    localStorage.setItem("portico.locale", "${locale}");
    dispatchEvent(new StorageEvent("storage", { key: "portico.locale" }));
  `;
}
