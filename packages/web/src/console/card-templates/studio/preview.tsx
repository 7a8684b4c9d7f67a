import { type CardAction, CardView } from "@portico/card";
import { CARD_LIMITS, compactJson, isJsonObject, measureCard, member } from "@portico/protocol/cards";
import { Segmented, Select } from "antd";
import { useId, useMemo, useState } from "react";
import { LOCALES, type Theme, usePreferences } from "../../../shared/look/preferences.ts";
import { useImageProxy } from "../../../shared/session/use-image-proxy.ts";
import { useFormat } from "../../../shared/words/format.ts";
import { useWords } from "../../../shared/words/words.ts";
import styles from "./preview.module.css";
import { STUDIO } from "./words.ts";

type Width = "desktop" | "phone";

/** A card as members see it: on a desktop or a phone, light or dark, in each of its languages. */
export function Preview({ parsed, isStale }: { parsed: { card: unknown } | undefined; isStale: boolean }) {
  const say = useWords(STUDIO);
  const preferences = usePreferences();
  const [width, setWidth] = useState<Width>("desktop");
  const [theme, setTheme] = useState<Theme>(preferences.theme);
  const [chosen, setLocale] = useState<string>(preferences.locale);
  const [action, setAction] = useState<CardAction>();
  const imageProxy = useImageProxy();
  const card = parsed?.card;
  const locales = useMemo(() => localesOf(card), [card]);
  const locale = locales.find((each) => normal(each) === normal(chosen)) ?? locales[0] ?? preferences.locale;
  return (
    <section className={styles.preview} aria-label={say("preview")}>
      <header className={styles.header}>
        <h2 className={styles.title}>{say("preview")}</h2>
        <Segmented<Width>
          size="small"
          aria-label={say("width")}
          value={width}
          onChange={setWidth}
          options={[
            { value: "desktop", label: say("desktop") },
            { value: "phone", label: say("phone") },
          ]}
        />
        <Segmented<Theme>
          size="small"
          aria-label={`${say("light")}, ${say("dark")}`}
          value={theme}
          onChange={setTheme}
          options={[
            { value: "light", label: say("light") },
            { value: "dark", label: say("dark") },
          ]}
        />
        <Select
          size="small"
          className={styles.locale}
          aria-label={say("locale")}
          value={locale}
          onChange={setLocale}
          options={locales.map((value) => ({ value, label: value }))}
        />
      </header>
      {isStale && <p className={styles.stale}>{say("stale")}</p>}
      {parsed === undefined ? (
        <p className={styles.nothing}>{say("nothingYet")}</p>
      ) : (
        <div className={styles.stage} data-stage={theme}>
          <div className={styles.frame} data-width={width}>
            <CardView
              card={card}
              messageId=""
              locale={locale}
              theme={theme}
              onAction={async (pressed) => setAction(pressed)}
              imageProxy={imageProxy}
            />
          </div>
        </div>
      )}
      {parsed !== undefined && <Size card={card} />}
      {action !== undefined && <Pressed action={action} />}
    </section>
  );
}

function Size({ card }: { card: unknown }) {
  const say = useWords(STUDIO);
  const format = useFormat();
  const { components } = useMemo(() => measureCard(card), [card]);
  const bytes = useMemo(() => new TextEncoder().encode(compactJson(card)).length, [card]);
  return (
    <p className={styles.size}>
      {say("size", {
        components: format.number(components),
        maxComponents: format.number(CARD_LIMITS.components),
        bytes: format.bytes(bytes),
        maxBytes: format.bytes(CARD_LIMITS.jsonBytes),
      })}
    </p>
  );
}

/** What the bot would get of what was pressed. */
function Pressed({ action }: { action: CardAction }) {
  const say = useWords(STUDIO);
  const id = useId();
  return (
    <div className={styles.pressed} role="status">
      <p id={id}>
        {say("pressed")} <code>card.interaction</code>
      </p>
      <pre>{JSON.stringify(action, null, 2)}</pre>
    </div>
  );
}

const MAX_LOCALES = 50;

/** Case and separator of a locale do not matter (docs/contract/cards.md#what-clients-draw). */
function normal(locale: string): string {
  return locale.toLowerCase().replaceAll("_", "-");
}

/** The languages that a card declares; where it declares none, those of the pages, as its own words have them. */
function localesOf(card: unknown): string[] {
  const config = isJsonObject(card) ? member(card, "config") : undefined;
  const declared = isJsonObject(config) ? member(config, "locales") : undefined;
  const named = (Array.isArray(declared) ? declared : []).filter(
    (locale) => typeof locale === "string" && locale !== "",
  );
  return named.length > 0 ? [...new Set<string>(named)].slice(0, MAX_LOCALES) : [...LOCALES];
}
