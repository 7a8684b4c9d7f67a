import type { Page } from "playwright-core";
import { CONSOLE_SCENES, type ConsoleStage } from "./console-scenes.ts";

/** What a scene may use. */
export type Stage = ConsoleStage;

/** A page in a state. Names of roles differ by language, so scenes go by addresses and by what stands in fixed places. */
export interface Scene {
  name: string;
  show(page: Page, stage: Stage): Promise<unknown>;
}

/** All scenes, the signed-out ones first. A context keeps its logins, so each person signs in once. */
export const SCENES: readonly Scene[] = [
  { name: "start", show: (page) => page.goto("/") },
  { name: "messenger-sign-in", show: (page) => page.goto("/messenger/") },
  { name: "messenger-list", show: (page, stage) => messenger(page, stage, "/messenger/") },
  { name: "messenger-group", show: (page, stage) => messenger(page, stage, "/messenger/group%3Ag_demo") },
  { name: "messenger-empty", show: (page, stage) => messenger(page, stage, "/messenger/bot%3Aapp_demo_bot") },
  { name: "messenger-unknown", show: (page, stage) => messenger(page, stage, "/messenger/group%3Anowhere") },
  { name: "messenger-offline", show: offline },
  ...CONSOLE_SCENES,
];

async function messenger(page: Page, { service }: Stage, path: string): Promise<void> {
  await page.goto(path);
  const organisation = page.locator("input[autocomplete=organization]");
  await organisation.or(page.locator("main#content")).first().waitFor();
  if (!(await organisation.isVisible())) return;
  await organisation.fill("t_demo");
  await page.locator("input[autocomplete=username]").fill("alice");
  await page.locator("input[type=password]").fill(service.member("alice").password);
  await page.locator("button[type=submit]").click();
  await page.locator("main#content").waitFor();
}

async function offline(page: Page, stage: Stage): Promise<void> {
  await messenger(page, stage, "/messenger/group%3Ag_demo");
  await page.getByRole("log").waitFor();
  await page.context().setOffline(true);
  await page.locator("textarea").fill("Is anybody there?");
  await page.locator("button[type=submit]").click();
  await page.locator("[role=log] [role=alert]").waitFor();
}
