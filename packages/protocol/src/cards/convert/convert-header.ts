import { isJsonObject, type JsonObject, member } from "../index.ts";
import type { ChangeLog } from "./changes.ts";
import { without } from "./read.ts";

/**
 * Rewrites a card's header: translations stand in `i18n` here, for locales that the card declares.
 *
 * @returns the header, and the locales to declare.
 */
export function convertHeader(header: unknown, log: ChangeLog): { header: JsonObject | undefined; locales: string[] } {
  if (!isJsonObject(header)) return { header: undefined, locales: [] };
  const locales = new Set<string>();
  const translated = Object.fromEntries(
    ["title", "subtitle"].flatMap((key) => {
      const text = member(header, key);
      return isJsonObject(text) ? [[key, convertText(text, locales, log)]] : [];
    }),
  );
  const icon = member(header, "ud_icon");
  if (icon === undefined) return { header: { ...header, ...translated }, locales: [...locales] };
  log.add("moved", "ud_icon", "icon");
  return { header: { ...without(header, ["ud_icon"]), ...translated, icon }, locales: [...locales] };
}

function convertText(text: JsonObject, locales: Set<string>, log: ChangeLog): JsonObject {
  const translations = member(text, "i18n_content");
  if (!isJsonObject(translations) || Object.keys(translations).length === 0) return text;
  log.add("moved", "i18n_content", "i18n");
  for (const locale of Object.keys(translations)) locales.add(locale);
  return { ...without(text, ["i18n_content"]), i18n: translations };
}
