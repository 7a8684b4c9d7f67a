import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** A browser of one's own choice for these tests. */
const CHOSEN = "PORTICO_TEST_BROWSER";
/** First the one without a window, which does the same with a fifth less work. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The system's Chromium; null when the machine has none. */
export const BROWSER_PATH = process.env[CHOSEN] ?? NAMES.map(onPath).find((path) => path !== null) ?? null;

/** Why tests that need a browser are skipped; false when there is one. */
export const NO_BROWSER = BROWSER_PATH === null ? `no Chromium on this machine; install one or set ${CHOSEN}` : false;

/**
 * What V8's optimising compilers make of a page's scripts comes too late in a test: without them, a browser takes a tenth less of
 * the processors.
 */
const UNOPTIMISED = "--js-flags=--max-opt=1";

/** Starts the browser for tests, with more arguments where one needs them. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  return await chromium.launch(optionsOf([UNOPTIMISED, ...args]));
}

/** Starts the browser as people have it, for measurements. */
export async function launchMeasuredBrowser(): Promise<Browser> {
  return await chromium.launch(optionsOf([]));
}

/** Starts a browser that a test may kill. */
export async function launchOwnBrowser(): Promise<{ browser: Browser; kill(): Promise<void> }> {
  const server = await chromium.launchServer(optionsOf([UNOPTIMISED]));
  const browser = await chromium.connect(server.wsEndpoint());
  return { browser, kill: () => server.kill() };
}

function optionsOf(args: readonly string[]) {
  if (BROWSER_PATH === null) throw new Error(String(NO_BROWSER));
  return {
    executablePath: BROWSER_PATH,
    // Chromium refuses its sandbox to root; containers give little shared memory.
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-dev-shm-usage", ...args],
  };
}

/** Where a program is; null when the machine has none of that name. */
export function onPath(name: string): string | null {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
