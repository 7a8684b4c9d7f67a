import i18next from "i18next";
import { useMemo } from "react";
import { LOCALES, type Locale, onPreferences, preferences, usePreferences } from "../look/preferences.ts";

/** Texts by key. Where `{{count}}` is said, a key is there twice, with the endings `_one` and `_other`. */
type Texts = Readonly<Record<string, string>>;

/** The name that a text is asked for by: without the ending of a number. */
type KeyOf<T> = T extends `${infer Key}_one` ? Key : T extends `${infer Key}_other` ? Key : T;

/** The words of one feature, in each language. */
export interface Words<Key extends string> {
  readonly namespace: string;
  /** Not there in values; carries the type. */
  readonly key?: Key;
}

/** The keys of a feature's words. */
export type KeysOf<W> = W extends Words<infer Key> ? Key : never;

/** Says a text: with what is to be filled in. */
export type Say<Key extends string> = (key: Key, values?: Readonly<Record<string, string | number>>) => string;

const i18n = i18next.createInstance();
void i18n.init({
  lng: preferences().locale,
  fallbackLng: false,
  supportedLngs: [...LOCALES],
  load: "currentOnly",
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  resources: {},
  // React escapes.
  interpolation: { escapeValue: false },
});
onPreferences(() => void i18n.changeLanguage(preferences().locale));

/**
 * Declares the words of a feature. Both languages must have the same keys, which the compiler and a test check.
 *
 * @param namespace one for each feature; the feature's folder.
 */
export function defineWords<const En extends Texts>(
  namespace: string,
  texts: { readonly "en-US": En; readonly "zh-CN": Readonly<Record<keyof En, string>> },
): Words<KeyOf<keyof En & string>> {
  for (const locale of LOCALES) i18n.addResourceBundle(locale, namespace, texts[locale], true, true);
  return { namespace };
}

/** The words of a feature in the person's language, in a component. */
export function useWords<Key extends string>(words: Words<Key>): Say<Key> {
  const { locale } = usePreferences();
  return useMemo(() => sayIn(words, locale), [words, locale]);
}

/** The words of a feature in the person's language of this moment, outside of components. */
export function wordsNow<Key extends string>(words: Words<Key>): Say<Key> {
  return sayIn(words, preferences().locale);
}

function sayIn<Key extends string>({ namespace }: Words<Key>, locale: Locale): Say<Key> {
  const say: (key: string, values: Record<string, unknown>) => string = i18n.getFixedT(locale, namespace);
  return (key, values = {}) => say(key, values);
}

/** All texts that have been declared so far, by feature, of a language. */
export function definedTexts(locale: Locale): Readonly<Record<string, Texts>> {
  return i18n.getDataByLanguage(locale) as Readonly<Record<string, Texts>>;
}
