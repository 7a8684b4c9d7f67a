import type { BrowserContextOptions, CDPSession, Page } from "playwright-core";

/**
 * The windows in which every state of the pages is looked at: each language, each size and each theme once. Colours come
 * from the theme, hardly ever from the size of the window, and never from the language: both themes in both windows would
 * find what one in each does, while axe-core needs more time for colours than for all else. Without motion, of which it
 * looks at the end alone.
 */
export const WINDOWS = {
  desktop: {
    locale: "en-US",
    colorScheme: "light",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  },
  phone: {
    locale: "zh-CN",
    colorScheme: "dark",
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: "reduce",
  },
} satisfies Record<string, BrowserContextOptions>;

export type WindowName = keyof typeof WINDOWS;

/** One for each window: what a session has asked for, another one does not take back. */
const emulations = new WeakMap<Page, CDPSession>();

/**
 * Makes a window that was opened as one of the two into the other, or leaves it, with what it shows in it: to come into a state
 * again takes longer than to look at it.
 */
export async function becomeWindow(page: Page, name: WindowName): Promise<void> {
  const { locale, colorScheme, reducedMotion, viewport } = WINDOWS[name];
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion });
  const emulation = emulations.get(page) ?? (await page.context().newCDPSession(page));
  emulations.set(page, emulation);
  await emulation.send("Emulation.setTouchEmulationEnabled", { enabled: name === "phone" });
  await page.evaluate(chooseLocale(locale));
}

/** Two windows in their order: the first comes into a state, the second takes it over from there. */
type Order = readonly [WindowName, WindowName];

export const PHONE_FIRST: Order = ["phone", "desktop"];

/** The order for a state, by its place in a list: each window comes into half of them. */
export function windowsFor(index: number): Order {
  return index % 2 === 0 ? ["desktop", "phone"] : PHONE_FIRST;
}

/** Runs in the page: as another tab would choose the language. */
function chooseLocale(locale: string): string {
  return `if (origin !== "null") {
    localStorage.setItem("portico.locale", "${locale}");
    dispatchEvent(new StorageEvent("storage", { key: "portico.locale" }));
  }`;
}
