import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

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

/** Starts a site whose pages are `pages` by their paths; asked for before each answer, so that a test may change them. */
export async function startSite(pages: Readonly<Record<string, SitePage>>): Promise<Site> {
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
    origin: `http://127.0.0.1:${port}`,
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
