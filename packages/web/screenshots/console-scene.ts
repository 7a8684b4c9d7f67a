import type { BrowserContext, Page } from "playwright-core";
import type { DemoService } from "../test/support/demo-service.ts";
import type { SeededConsole } from "./seed-console.ts";

/** What a scene of the console may use. */
export interface ConsoleStage {
  service: DemoService;
  console: SeededConsole;
  /** Of a call whose signature was wrong. */
  refusedReqNo: string;
}

/** A page of the console in a state. */
export interface ConsoleScene {
  name: string;
  show(page: Page, stage: ConsoleStage): Promise<unknown>;
}

/** The applications of the demo that have everything. */
export const BOT = "/console/apps/app_demo_bot";
export const SERVICE = "/console/apps/app_demo_service";

/** Of the console's logins. */
const REFRESH_COOKIE = "open_refresh_token";

/** Something done on a page that is there: with names in both languages. */
export type Act = (page: Page) => Promise<unknown>;

/** A page at an address, and what is done on it. */
export function scene(name: string, path: string, act?: Act): ConsoleScene {
  return sceneOf(name, () => path, act);
}

/** The same, with an address that the seeded console tells. */
export function sceneOf(name: string, pathOf: (console: SeededConsole) => string, act?: Act): ConsoleScene {
  return {
    name,
    async show(page, stage) {
      await developer(page, stage, pathOf(stage.console));
      await act?.(page);
    },
  };
}

/** Presses the first button of a name. */
export async function press(page: Page, english: string, chinese: string): Promise<void> {
  const button = page.getByRole("button", { name: english, exact: true });
  await button
    .or(page.getByRole("button", { name: chinese, exact: true }))
    .first()
    .click();
}

/** Opens a page, signed in as the developer of the demo. */
export async function developer(page: Page, stage: ConsoleStage, path: string): Promise<void> {
  await openAs(page, stage.service.developer, path);
}

/** Who is signed in where. */
const signedIn = new WeakMap<BrowserContext, string>();

/** Opens a page, signed in as somebody; who was signed in before is no longer. */
export async function openAs(page: Page, account: DemoService["developer"], path: string): Promise<void> {
  const context = page.context();
  if ((signedIn.get(context) ?? account.phone) !== account.phone) await context.clearCookies({ name: REFRESH_COOKIE });
  signedIn.set(context, account.phone);
  await page.goto(path);
  const content = page.locator("main#content");
  await page.locator("input[autocomplete=username]").or(content).first().waitFor();
  if (!(await content.isVisible())) {
    await signIn(page, account);
    await page.goto(path);
  }
  await page.locator("#root:not([aria-busy])").locator("h1, [role=alert], main p").first().waitFor();
}

/** Signs in by the form. */
export async function signIn(page: Page, { phone, password }: { phone: string; password: string }): Promise<void> {
  await page.locator("input[autocomplete=username]").fill(phone);
  await page.locator("input[type=password]").fill(password);
  await page.locator("button[type=submit]").click();
  await page.locator("main#content").waitFor();
}
