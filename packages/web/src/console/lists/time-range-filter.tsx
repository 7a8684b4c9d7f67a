import { useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import type { AddressChange } from "./address.ts";
import { FilterSelect } from "./filter-select.tsx";
import styles from "./filters.module.css";
import { TimeInput } from "./time-input.tsx";
import { RECENTS, type Recent, type TimeRange } from "./time-range.ts";
import { LISTS } from "./words.ts";

const RECENT_WORDS = { "15m": "last15m", "1h": "last1h", "24h": "last24h", "7d": "last7d" } as const;

/** Chooses a range of time: one that ends now, or any. */
export function TimeRangeFilter({
  range: { recent, from, to },
  onChange,
}: {
  range: TimeRange;
  onChange: (changes: AddressChange) => void;
}) {
  const say = useWords(LISTS);
  const [isOwn, setOwn] = useState(false);
  const hasOwn = recent === undefined && (isOwn || from !== undefined || to !== undefined);
  return (
    <>
      <FilterSelect<Recent | "own">
        label={say("time")}
        all={say("anyTime")}
        value={hasOwn ? "own" : recent}
        options={[
          ...RECENTS.map((each) => ({ value: each, label: say(RECENT_WORDS[each]) })),
          { value: "own", label: say("ownRange") },
        ]}
        onChange={(chosen) => {
          setOwn(chosen === "own");
          onChange({ range: chosen === "own" ? undefined : chosen, from: undefined, to: undefined });
        }}
      />
      {hasOwn && (
        <span className={styles.range}>
          <TimeInput label={say("from")} value={from} onChange={(time) => onChange({ from: time })} />
          <span aria-hidden="true">–</span>
          <TimeInput label={say("to")} value={to} onChange={(time) => onChange({ to: time })} />
        </span>
      )}
    </>
  );
}
