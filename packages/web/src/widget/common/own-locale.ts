import type { Locale } from "./messages.ts";

/** The language to show: what the page chose, else what the application's owner did, else the visitor's own. */
export function ownLocale(chosen: string | undefined, ofApp: string): Locale {
  const [first] = [chosen, ofApp, ...navigator.languages].filter((tag) => tag !== undefined && tag !== "auto");
  return /^zh\b/i.test(first ?? "") ? "zh-CN" : "en-US";
}
