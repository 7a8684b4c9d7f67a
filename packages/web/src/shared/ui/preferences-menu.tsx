import { chooseLocale, chooseTheme, LOCALES, THEMES, usePreferences } from "../look/preferences.ts";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { MenuButton, type MenuEntry } from "./menu.tsx";

const LANGUAGE_NAMES = { "zh-CN": "简体中文", "en-US": "English" };
const THEME_WORDS = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;

/** Language and look, for a page where nobody is signed in. */
export function PreferencesMenu() {
  const say = useWords(SHARED);
  const { locale } = usePreferences();
  const name = LANGUAGE_NAMES[locale];
  return (
    <MenuButton label={`${name}, ${say("language")}, ${say("theme")}`} entries={usePreferenceEntries()}>
      {name}
    </MenuButton>
  );
}

/** The choices of language and look, for a menu. */
export function usePreferenceEntries(): MenuEntry[] {
  const say = useWords(SHARED);
  const { locale, themeChoice } = usePreferences();
  return [
    { kind: "text", key: "language", content: say("language") },
    ...LOCALES.map((each) => ({
      kind: "choice" as const,
      key: each,
      label: LANGUAGE_NAMES[each],
      isChosen: each === locale,
      onChoose: () => chooseLocale(each),
    })),
    { kind: "text", key: "theme", content: say("theme") },
    ...THEMES.map((each) => ({
      kind: "choice" as const,
      key: each,
      label: say(THEME_WORDS[each]),
      isChosen: each === themeChoice,
      onChoose: () => chooseTheme(each),
    })),
  ];
}
