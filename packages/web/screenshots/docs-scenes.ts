import type { Page } from "playwright-core";
import type { DemoService } from "../test/support/demo-service.ts";

/** A page of the docs in a state. */
export interface DocsScene {
  name: string;
  /** Whether a phone shows in it what no state on a desktop shows. */
  isOfPhones?: boolean;
  show(page: Page, stage: { service: DemoService }): Promise<unknown>;
}

const SEND = "/docs/reference/bot.sendMessage";
const LIST = "/docs/reference/bot.listApps";

const BUILD_CARD = {
  schema: "2.0",
  header: { title: { content: "Build 12 failed" }, template: "red" },
  body: {
    elements: [
      { tag: "markdown", content: "**main** broke: *2 of 1,204* tests failed." },
      { tag: "button", text: { tag: "plain_text", content: "Run again" }, type: "primary", value: { build: 12 } },
    ],
  },
};

/** The pages of the docs, and the states in which a person may find them. */
export const DOCS_SCENES: readonly DocsScene[] = [
  scene("docs-home", "/docs/"),
  scene("docs-guide", "/docs/guide/integration"),
  scene("docs-guide-tables", "/docs/guide/contract/limits"),
  scene("docs-guide-errors", "/docs/guide/contract/errors"),
  scene("docs-guide-inside", "/docs/guide/contract/events#verifying-an-address"),
  scene("docs-operation", SEND),
  scene("docs-operation-errors", SEND, (page) => page.locator("table").scrollIntoViewIfNeeded()),
  scene("docs-operation-python", LIST, (page) => page.getByRole("button", { name: "Python", exact: true }).click()),
  scene("docs-operation-of-members", "/docs/reference/member.login"),
  scene("docs-event", "/docs/reference/event.card.interaction"),
  scene("docs-try-it", SEND, form),
  scene("docs-try-it-nothing-entered", SEND, async (page) => {
    await send(page);
    await page.getByRole("alert").waitFor();
  }),
  { name: "docs-try-it-answered", show: (page, { service }) => answered(page, service, "") },
  { name: "docs-try-it-refused", show: (page, { service }) => answered(page, service, "x") },
  {
    name: "docs-try-it-offline",
    async show(page, { service }) {
      await filledIn(page, service, "");
      await page.context().setOffline(true);
      await send(page);
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "docs-try-it-by-plain-http",
    async show(page) {
      // What browsers leave out on pages that came by plain http from elsewhere.
      await using _ = await page.addInitScript("delete Crypto.prototype.subtle");
      await open(page, SEND);
      await form(page);
    },
  },
  scene("docs-card-preview", `/docs/preview#${linkTo(BUILD_CARD)}&theme=dark`),
  scene("docs-card-preview-refused", `/docs/preview#${linkTo({ ...BUILD_CARD, schema: "1.0" })}`),
  scene("docs-card-preview-of-nothing", "/docs/preview"),
  scene("docs-card-preview-damaged", "/docs/preview#card=eJyrVi"),
  { ...scene("docs-contents", "/docs/guide/contract/signing", contents), isOfPhones: true },
  { ...scene("docs-contents-found", "/docs/", (page) => search(page, "message")), isOfPhones: true },
  { ...scene("docs-contents-nothing-found", "/docs/", (page) => search(page, "nothing")), isOfPhones: true },
  scene("docs-unknown-page", "/docs/guide/nowhere"),
  { name: "docs-unreachable", show: (page) => without(page, "/docs/json", "/docs/") },
  {
    name: "docs-guide-unreachable",
    show: (page) => without(page, /\/assets\/signing-/, "/docs/guide/contract/signing"),
  },
  { name: "docs-operation-unreachable", show: (page) => without(page, /\/assets\/operation-page-.*js/, LIST) },
];

/** The fragment of a link to the preview of a card. */
function linkTo(card: unknown): string {
  return `card=${Buffer.from(JSON.stringify(card)).toString("base64url")}`;
}

function scene(name: string, path: string, act?: (page: Page) => Promise<unknown>): DocsScene {
  return {
    name,
    async show(page) {
      await open(page, path);
      await act?.(page);
    },
  };
}

async function open(page: Page, path: string): Promise<void> {
  // From the same page, an address with a fragment would load nothing anew.
  if (path.includes("#")) await page.goto("about:blank");
  await page.goto(path);
  await page.locator("#root:not([aria-busy]) main :is(h1, [role=alert])").first().waitFor();
}

/** Opens a page for which something does not arrive. */
async function without(page: Page, what: string | RegExp, path: string): Promise<void> {
  await page.route(what, (route) => route.abort());
  await page.goto(path);
  await page.locator("#root:not([aria-busy])").getByRole("alert").waitFor();
}

/** Brings the form into the window. */
async function form(page: Page): Promise<void> {
  await page
    .locator("h2")
    .last()
    .evaluate((heading) => heading.scrollIntoView());
}

async function send(page: Page): Promise<void> {
  await page.locator("form button[type=submit]").click();
}

async function filledIn(page: Page, service: DemoService, wrong: string): Promise<void> {
  const { appId, credentials } = service.app("app_demo_bot");
  await open(page, LIST);
  const fields = page.locator("form input");
  const values = [appId, credentials[0]?.credentialId ?? "", `${credentials[0]?.appSecret}${wrong}`];
  for (const [at, value] of values.entries()) await fields.nth(at).fill(value);
}

async function answered(page: Page, service: DemoService, wrong: string): Promise<void> {
  await filledIn(page, service, wrong);
  await send(page);
  await page.locator("[role=status]", { hasText: /^[24]\d\d/ }).scrollIntoViewIfNeeded();
}

/** Opens the contents, which a phone has behind a button. */
async function contents(page: Page): Promise<void> {
  const button = page.locator("[aria-controls=contents]");
  if (await button.isVisible()) await button.click();
}

async function search(page: Page, text: string): Promise<void> {
  await contents(page);
  await page.getByRole("searchbox").fill(text);
}
