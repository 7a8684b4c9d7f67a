import type { BrowserContextOptions } from "playwright-core";

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
