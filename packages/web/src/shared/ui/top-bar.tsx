import type { ReactNode } from "react";
import { chooseLocale, chooseTheme, LOCALES, THEMES, usePreferences } from "../look/preferences.ts";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Avatar } from "./avatar.tsx";
import { MenuButton, type MenuEntry } from "./menu.tsx";
import styles from "./top-bar.module.css";

const LANGUAGE_NAMES = { "zh-CN": "简体中文", "en-US": "English" };
const THEME_WORDS = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;

/** The bar at the top of every page: the product, where one is, and the account. */
export function TopBar({ home, area, children }: { home: string; area: string; children?: ReactNode }) {
  const say = useWords(SHARED);
  return (
    <header className={styles.bar}>
      <a className={styles.skip} href="#content">
        {say("skipToContent")}
      </a>
      <a className={styles.brand} href={home}>
        <img src="/assets/portico.svg" alt="" width={24} height={24} />
        <span className={styles.name}>{say("product")}</span>
        <span className={styles.area}>{area}</span>
      </a>
      <div className={styles.tools}>{children}</div>
    </header>
  );
}

/** The account's button and its menu: who is signed in, what else a page has, language, look, "Sign out". */
export function AccountMenu({
  id,
  name,
  detail,
  extra = [],
  onSignOut,
}: {
  id: string;
  name: string;
  detail: string;
  extra?: readonly MenuEntry[];
  onSignOut: () => void;
}) {
  const say = useWords(SHARED);
  const who = (
    <div className={styles.who}>
      <strong>{name}</strong>
      <span>{detail}</span>
    </div>
  );
  const entries: MenuEntry[] = [
    { kind: "text", key: "who", content: who },
    { kind: "line", key: "line-1" },
    ...extra,
    ...usePreferenceEntries(),
    { kind: "line", key: "line-2" },
    { kind: "action", key: "sign-out", label: say("signOut"), onChoose: onSignOut },
  ];
  return (
    <MenuButton label={say("account")} entries={entries}>
      <Avatar id={id} name={name} size={28} />
    </MenuButton>
  );
}

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

function usePreferenceEntries(): MenuEntry[] {
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
