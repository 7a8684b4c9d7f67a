import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page } from "playwright-core";

/** What a page of a site holds. */
export interface SitePage {
  /** The HTML of its body. */
  body: string;
  headers?: Record<string, string>;
}

/** A site of somebody's: its pages are on another host and another port than the service. */
export interface Site extends AsyncDisposable {
  origin: string;
}

/**
 * Starts a site whose pages are `pages` by their paths; asked for before each answer, so that a test may change them.
 *
 * @param host `localhost` is the same site as the service to a browser, though another origin; 127.0.0.1 is another site, to
 * whose frames the tests' browser gives no storage.
 */
export async function startSite(
  pages: Readonly<Record<string, SitePage>>,
  host: "localhost" | "127.0.0.1" = "localhost",
): Promise<Site> {
  const server = createServer(({ url = "/" }, response) => {
    const page = pages[url.split("?")[0] ?? ""];
    if (page === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...page.headers });
    response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
      <meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
      <body style="margin: 0; font-family: sans-serif">${page.body}</body></html>`);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** The one script tag that a site needs. */
export function scriptTag(service: string, appId: string, more = ""): string {
  return `<script src="${service}/widget.js" data-app-id="${appId}" async ${more}></script>`;
}

/** Enough of a page to scroll. */
export const SHOP = `<main style="max-width: 720px; margin: auto; padding: 24px">
  <h1>Shop</h1>${"<p>Everything for your garden, from seeds to sheds. </p>".repeat(30)}</main>`;

/** How long something may take to appear, on a machine that is busy with other tests. */
const APPEARS_WITHIN_MS = 30_000;

/** Somebody who looks at a site, in a browser of their own. */
export interface Shopper extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** The conversation, in the widget's frame. */
  chat: FrameLocator;
}

/** Opens a window for a site. When the visit ends, the test fails if a script has thrown, on the site's page or in the frame. */
export async function shopper(browser: Browser, options: BrowserContextOptions = {}): Promise<Shopper> {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(APPEARS_WITHIN_MS);
  const errors: string[] = [];
  context.on("weberror", (error) => errors.push(error.error().stack ?? error.error().message));
  const page = await context.newPage();
  return {
    context,
    page,
    chat: page.frameLocator("iframe"),
    async [Symbol.asyncDispose]() {
      await context.close();
      assert.deepEqual(errors, []);
    },
  };
}

/** Opens the widget as a visitor does. */
export async function openChat({ page, chat }: Pick<Shopper, "page" | "chat">): Promise<void> {
  await page.getByRole("button", { name: "Chat with us" }).click();
  await chat.getByRole("textbox", { name: "Message" }).waitFor();
}

/** Writes a message as a visitor does. */
export async function write({ chat }: Pick<Shopper, "chat">, text: string): Promise<void> {
  await chat.getByRole("textbox", { name: "Message" }).fill(text);
  await chat.getByRole("button", { name: "Send" }).click();
}

/** The messages of a text in the visitor's conversation. */
export function said({ chat }: Pick<Shopper, "chat">, text: string) {
  return chat.getByRole("log", { name: "Messages" }).getByRole("article").filter({ hasText: text });
}
