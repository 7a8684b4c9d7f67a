import { Button, Dropdown, type MenuProps } from "antd";
import type { ReactNode } from "react";
import { chooseLocale, chooseTheme, LOCALES, THEMES, usePreferences } from "../look/preferences.ts";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Avatar } from "./avatar.tsx";
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

/** The account's button and its menu: who is signed in, language, look, what else a page has, "Sign out". */
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
  extra?: { key: string; label: ReactNode }[];
  onSignOut: () => void;
}) {
  const say = useWords(SHARED);
  const items: MenuProps["items"] = [
    {
      key: "who",
      disabled: true,
      label: (
        <div className={styles.who}>
          <strong>{name}</strong>
          <span>{detail}</span>
        </div>
      ),
    },
    { type: "divider" },
    ...extra,
    ...usePreferenceItems(),
    { type: "divider" },
    { key: "sign-out", label: say("signOut"), onClick: onSignOut },
  ];
  return (
    <Dropdown trigger={["click"]} placement="bottomRight" menu={{ items }}>
      <Button type="text" className={styles.account} aria-label={say("account")}>
        <Avatar id={id} name={name} size={28} />
      </Button>
    </Dropdown>
  );
}

/** Language and look, for a page where nobody is signed in. */
export function PreferencesMenu() {
  const say = useWords(SHARED);
  const { locale } = usePreferences();
  const items = usePreferenceItems();
  return (
    <Dropdown trigger={["click"]} placement="bottomRight" menu={{ items }}>
      <Button type="text" aria-label={`${LANGUAGE_NAMES[locale]}, ${say("language")}, ${say("theme")}`}>
        {LANGUAGE_NAMES[locale]}
      </Button>
    </Dropdown>
  );
}

function usePreferenceItems(): NonNullable<MenuProps["items"]> {
  const say = useWords(SHARED);
  const { locale, themeChoice } = usePreferences();
  return [
    {
      type: "group",
      label: say("language"),
      children: LOCALES.map((each) => ({
        key: each,
        label: <Choice isChosen={each === locale}>{LANGUAGE_NAMES[each]}</Choice>,
        onClick: () => chooseLocale(each),
      })),
    },
    {
      type: "group",
      label: say("theme"),
      children: THEMES.map((each) => ({
        key: each,
        label: <Choice isChosen={each === themeChoice}>{say(THEME_WORDS[each])}</Choice>,
        onClick: () => chooseTheme(each),
      })),
    },
  ];
}

function Choice({ isChosen, children }: { isChosen: boolean; children: ReactNode }) {
  return (
    <span className={styles.choice} data-chosen={isChosen}>
      {children}
    </span>
  );
}
