import assert from "node:assert/strict";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** What a page did that no page may: errors of its scripts, reports of its policy, requests to elsewhere, tokens stored. */
export class Misdeeds {
  readonly all: string[] = [];
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  watch(page: Page): void {
    page.on("pageerror", (error) => this.all.push(`error: ${error.stack ?? error.message}`));
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() !== "error" || SAID_BY_THE_BROWSER.test(text)) return;
      this.all.push(`console: ${text}`);
    });
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (!/^https?:$/.test(protocol) || origin === this.#origin) return;
      if (request.resourceType() !== "image") this.all.push(`request to elsewhere: ${request.url()}`);
    });
  }
}

/**
 * What browsers say of every call that is refused or does not get through, which the page shows to the person, and of
 * pages that came by plain http.
 */
const SAID_BY_THE_BROWSER =
  /^(?:Failed to load resource|WebSocket connection to|The Cross-Origin-Opener-Policy header has been ignored)/;

/** A person in front of a browser of their own. */
export interface Visit extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  misdeeds: Misdeeds;
  /** Fails when a page has broken a rule that holds for every page. */
  assertRulesKept(): Promise<void>;
}

/** How long something may take to appear, on a machine that is busy with other tests. */
const APPEARS_WITHIN_MS = 30_000;

/**
 * Opens a browser window that has been nowhere. When the visit ends, the test fails if the page broke a rule that holds
 * for every page.
 */
export async function visit(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    baseURL,
    locale: "en-US",
    viewport: { width: 1280, height: 800 },
    // On a busy machine, a dialog that grows into its place is clicked where it no longer is.
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(APPEARS_WITHIN_MS);
  const misdeeds = new Misdeeds(baseURL);
  context.on("page", (page) => misdeeds.watch(page));
  const page = await context.newPage();
  return {
    context,
    page,
    misdeeds,
    async assertRulesKept() {
      assertKept(misdeeds, await storedKeys(context));
    },
    async [Symbol.asyncDispose]() {
      const stored = await storedKeys(context);
      await context.close();
      assertKept(misdeeds, stored);
    },
  };
}

function assertKept(misdeeds: Misdeeds, stored: readonly string[]): void {
  assert.deepEqual(misdeeds.all, []);
  assert.deepEqual(
    stored.filter((key) => key !== "portico.theme" && key !== "portico.locale"),
    [],
    "pages keep language and theme in storage, and nothing else",
  );
}

/** The keys of localStorage and sessionStorage, and the names of databases, of all pages that are open. */
async function storedKeys(context: BrowserContext): Promise<string[]> {
  const keys = await Promise.all(context.pages().map((page) => page.evaluate<string[]>(STORED_KEYS).catch(() => [])));
  return keys.flat();
}

/** Runs in the page. */
const STORED_KEYS = `(async () => [
  ...Object.keys(localStorage),
  ...Object.keys(sessionStorage),
  ...(await indexedDB.databases()).map(({ name }) => name),
])()`;
