import { useSyncExternalStore } from "react";

/** The languages of the pages. */
export const LOCALES = ["zh-CN", "en-US"] as const;
export type Locale = (typeof LOCALES)[number];

/** What a person may choose of light and dark; "system" follows the system. */
export const THEMES = ["system", "light", "dark"] as const;
export type ThemeChoice = (typeof THEMES)[number];
export type Theme = "light" | "dark";

/** How a person wants to see the pages. */
export interface Preferences {
  locale: Locale;
  themeChoice: ThemeChoice;
  theme: Theme;
}

/** These two are all that the pages keep in storage. */
const THEME_KEY = "portico.theme";
const LOCALE_KEY = "portico.locale";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let current = read();
show(current);

systemDark.addEventListener("change", refresh);
// Another tab has chosen.
addEventListener("storage", ({ key }) => {
  if (key === null || key === THEME_KEY || key === LOCALE_KEY) refresh();
});

/** The person's preferences, now. */
export function preferences(): Preferences {
  return current;
}

/** Calls `listener` after each change. @returns a function that ends this. */
export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The person's preferences, in a component. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, preferences);
}

/** Chooses a language; in all tabs, and from now on. */
export function chooseLocale(locale: Locale): void {
  store(LOCALE_KEY, locale);
  set({ ...current, locale });
}

/** Chooses light, dark, or what the system has; in all tabs, and from now on. */
export function chooseTheme(themeChoice: ThemeChoice): void {
  store(THEME_KEY, themeChoice === "system" ? null : themeChoice);
  set({ ...current, themeChoice, theme: themeOf(themeChoice) });
}

function refresh(): void {
  set(read());
}

function set(next: Preferences): void {
  current = next;
  show(next);
  for (const listener of listeners) listener();
}

function read(): Preferences {
  const theme = stored(THEME_KEY);
  const themeChoice = THEMES.find((each) => each === theme) ?? "system";
  const locale = stored(LOCALE_KEY);
  return {
    locale: LOCALES.find((each) => each === locale) ?? localeOf(navigator.languages),
    themeChoice,
    theme: themeOf(themeChoice),
  };
}

/** The first of a browser's languages that the pages have; English when there is none. */
function localeOf(languages: readonly string[]): Locale {
  for (const language of languages) {
    if (/^zh\b/i.test(language)) return "zh-CN";
    if (/^en\b/i.test(language)) return "en-US";
  }
  return "en-US";
}

function themeOf(choice: ThemeChoice): Theme {
  if (choice !== "system") return choice;
  return systemDark.matches ? "dark" : "light";
}

function show({ locale, theme }: Preferences): void {
  document.documentElement.lang = locale;
  document.documentElement.dataset.theme = theme;
}

/** Browsers may refuse storage; then a choice lasts as long as the page. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Kept for this page only.
  }
}
