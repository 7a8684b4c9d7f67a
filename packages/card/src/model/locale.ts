import { isJsonObject, type JsonObject, listOf, member } from "./json.ts";
import { textOf } from "./text.ts";

const LOCALES_MAX = 50;

/** `zh_CN`, `zh-cn` and `ZH-CN` are the same locale. */
function normal(locale: string): string {
  return locale.toLowerCase().replaceAll("_", "-");
}

/** The locales that a card declares in `config.locales`. */
export function declaredLocales(config: JsonObject): ReadonlySet<string> {
  const named = listOf(config, "locales").slice(0, LOCALES_MAX);
  return new Set(named.filter((locale) => typeof locale === "string").map(normal));
}

/**
 * A text of the header in the reader's language: `i18n.<locale>` where the card declares that locale, else `content`,
 * else what there is in the first declared language.
 */
export function localText(value: unknown, locale: string, declared: ReadonlySet<string>): string {
  const i18n = isJsonObject(value) ? member(value, "i18n") : undefined;
  if (!isJsonObject(i18n)) return textOf(value);
  const known = new Map<string, string>();
  for (const [name, translated] of Object.entries(i18n).slice(0, LOCALES_MAX)) {
    const text = textOf(translated);
    if (text !== "" && declared.has(normal(name))) known.set(normal(name), text);
  }
  return known.get(normal(locale)) ?? (textOf(value) || [...known.values()][0] || "");
}
