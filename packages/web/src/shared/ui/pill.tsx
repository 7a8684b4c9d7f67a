import type { ReactNode } from "react";
import styles from "./pill.module.css";

/** What a pill says of what it is about. */
export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

/** A state or a kind in a word or two. The word says it; the colour only helps. */
export function Pill({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.pill} data-tone={tone}>
      {children}
    </span>
  );
}
