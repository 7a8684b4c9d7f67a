import type { WidgetSettings } from "@portico/protocol/schemas";
import type { CSSProperties } from "react";
import { textOn } from "../../shared/look/contrast.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./widget-preview.module.css";
import { WIDGET } from "./words.ts";

/** What visitors will see, drawn as the widget draws it. */
export function WidgetPreview({ name, settings }: { name: string; settings: WidgetSettings }) {
  const say = useWords(WIDGET);
  const { themeColor, position, greeting } = settings;
  const colors = { "--accent": themeColor, "--on-accent": textOn(themeColor) } as CSSProperties;
  return (
    <figure className={styles.preview} style={colors}>
      <figcaption>{say("preview")}</figcaption>
      <div className={`${styles.page} ${position === "left" ? styles.left : ""}`} aria-hidden="true">
        <div className={styles.panel}>
          <div className={styles.header}>
            <span className={styles.initial}>{[...name][0]?.toUpperCase()}</span>
            <div>
              <strong>{name}</strong>
              <p>{say("online")}</p>
            </div>
          </div>
          <p className={styles.theirs}>{greeting || say("defaultGreeting")}</p>
          <p className={styles.own}>{say("exampleQuestion")}</p>
        </div>
        <div className={styles.button}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M21 11.5a8.4 8.4 0 0 1-12 7.6L3 21l1.9-5.7A8.4 8.4 0 1 1 21 11.5Z" />
          </svg>
        </div>
      </div>
    </figure>
  );
}
