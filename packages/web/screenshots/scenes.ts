import type { Page } from "playwright-core";
import type { DemoService } from "../test/support/demo-service.ts";
import type { Seeded } from "./seed.ts";

/** What a scene may use. */
export interface Stage {
  service: DemoService;
  seeded: Seeded;
}

/** A page in a state. Names of roles differ by language, so scenes go by addresses and by what stands in fixed places. */
export interface Scene {
  name: string;
  show(page: Page, stage: Stage): Promise<unknown>;
}

const APP = "/console/apps/app_demo_bot";
const APP_PAGES = [
  "overview",
  "credentials",
  "scopes",
  "events",
  "deliveries",
  "requests",
  "card-templates",
  "card-templates/new",
  "installations",
  "statistics",
  "api-explorer",
  "audit-log",
];

/** All scenes, the signed-out ones first. A context keeps its logins, so each person signs in once. */
export const SCENES: readonly Scene[] = [
  { name: "start", show: (page) => page.goto("/") },
  { name: "console-sign-in", show: (page) => page.goto("/console/") },
  { name: "console-sign-in-refused", show: refuseSignIn },
  { name: "messenger-sign-in", show: (page) => page.goto("/messenger/") },
  { name: "messenger-list", show: (page, stage) => messenger(page, stage, "/messenger/") },
  { name: "messenger-group", show: (page, stage) => messenger(page, stage, "/messenger/group%3Ag_demo") },
  { name: "messenger-empty", show: (page, stage) => messenger(page, stage, "/messenger/bot%3Aapp_demo_bot") },
  { name: "messenger-unknown", show: (page, stage) => messenger(page, stage, "/messenger/group%3Anowhere") },
  { name: "messenger-offline", show: offline },
  { name: "console-apps", show: (page, stage) => developer(page, stage, "/console/apps") },
  { name: "console-apps-none-found", show: (page, stage) => developer(page, stage, "/console/apps?keyword=nothing") },
  { name: "console-sessions", show: (page, stage) => developer(page, stage, "/console/sessions") },
  { name: "console-unknown-app", show: (page, stage) => developer(page, stage, "/console/apps/app_nowhere/overview") },
  { name: "console-unknown-page", show: (page, stage) => developer(page, stage, "/console/nowhere") },
  ...APP_PAGES.map((path) => ({
    name: `app-${path.replaceAll("/", "-")}`,
    show: (page: Page, stage: Stage) => developer(page, stage, `${APP}/${path}`),
  })),
  {
    name: "app-card-studio",
    show: (page, stage) => developer(page, stage, `${APP}/card-templates/${stage.seeded.templateId}`),
  },
  {
    name: "app-request-explained",
    show: (page, stage) => developer(page, stage, `${APP}/requests?reqNo=${stage.seeded.refusedReqNo}`),
  },
  {
    name: "new-app-overview",
    show: (page, stage) => developer(page, stage, `/console/apps/${stage.seeded.newAppId}/overview`),
  },
  ...["agents", "visitors"].map((path) => ({
    name: `service-${path}`,
    show: (page: Page, stage: Stage) => developer(page, stage, `/console/apps/app_demo_service/${path}`),
  })),
];

async function developer(page: Page, { service }: Stage, path: string): Promise<void> {
  await page.goto(path);
  const phone = page.locator("input[autocomplete=username]");
  await phone.or(page.locator("main#content")).first().waitFor();
  if (!(await phone.isVisible())) return;
  await phone.fill(service.developer.phone);
  await page.locator("input[type=password]").fill(service.developer.password);
  await page.locator("button[type=submit]").click();
  await page.locator("main#content").waitFor();
  await page.goto(path);
}

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

async function refuseSignIn(page: Page, { service }: Stage): Promise<void> {
  await page.goto("/console/");
  await page.locator("input[autocomplete=username]").fill(service.developer.phone);
  await page.locator("input[type=password]").fill("not the password");
  await page.locator("button[type=submit]").click();
  await page.getByRole("alert").waitFor();
}

async function offline(page: Page, stage: Stage): Promise<void> {
  await messenger(page, stage, "/messenger/group%3Ag_demo");
  await page.getByRole("log").waitFor();
  await page.context().setOffline(true);
  await page.locator("textarea").fill("Is anybody there?");
  await page.locator("button[type=submit]").click();
  await page.locator("[role=log] [role=alert]").waitFor();
}
