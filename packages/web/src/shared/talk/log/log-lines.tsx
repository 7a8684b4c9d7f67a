import { dayOf, useFormat, useNow } from "../../words/format.ts";
import { useWords } from "../../words/words.ts";
import { TALK } from "../words.ts";
import styles from "./log-lines.module.css";

const DAY_MS = 86_400_000;
/** A page that stays open over midnight says so within this time. */
const RENEWED_MS = 60_000;

/** Begins a day. */
export function DayLine({ at }: { at: number }) {
  const say = useWords(TALK);
  const format = useFormat();
  const now = useNow(RENEWED_MS);
  const day = dayOf(at);
  const name = day === dayOf(now) ? say("today") : day === dayOf(now - DAY_MS) ? say("yesterday") : format.date(at);
  return <div className={styles.day}>{name}</div>;
}

/** Begins what the member has not seen. */
export function NewLine() {
  const say = useWords(TALK);
  return <div className={styles.new}>{say("newMessages")}</div>;
}
