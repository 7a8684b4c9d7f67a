import type { ErasedOfMember, VisitorErasure } from "@portico/protocol/schemas";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./persons.module.css";
import { PERSONS } from "./words.ts";

/** What an erasure has erased: what was there, and of the rest nothing. */
export function ErasedCounts({ counts }: { counts: Partial<ErasedOfMember & VisitorErasure> }) {
  const say = useWords(PERSONS);
  const format = useFormat();
  return (
    <dl className={styles.counts}>
      {(Object.keys(counts) as (keyof typeof counts)[]).map((name) => (
        <div key={name}>
          <dt>{say(name)}</dt>
          <dd>{format.number(counts[name] ?? 0)}</dd>
        </div>
      ))}
    </dl>
  );
}
