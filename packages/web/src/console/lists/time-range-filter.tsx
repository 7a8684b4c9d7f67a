import { Input, Select } from "antd";
import { useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./log.module.css";
import { RECENTS, type Recent, type TimeRange } from "./time-range.ts";
import type { AddressChange } from "./use-address.ts";
import { LOG } from "./words.ts";

const RECENT_WORDS = { "15m": "last15m", "1h": "last1h", "24h": "last24h", "7d": "last7d" } as const;

/** Chooses a range of time: one that ends now, or any. */
export function TimeRangeFilter({
  range: { recent, from, to },
  onChange,
}: {
  range: TimeRange;
  onChange: (changes: AddressChange) => void;
}) {
  const say = useWords(LOG);
  const [isOwn, setOwn] = useState(from !== undefined || to !== undefined);
  const value = recent ?? (isOwn ? "own" : "any");
  return (
    <>
      <Select<Recent | "own" | "any">
        aria-label={say("time")}
        value={value}
        popupMatchSelectWidth={false}
        options={[
          { value: "any", label: say("anyTime") },
          ...RECENTS.map((each) => ({ value: each, label: say(RECENT_WORDS[each]) })),
          { value: "own", label: say("ownRange") },
        ]}
        onChange={(chosen) => {
          setOwn(chosen === "own");
          onChange({
            range: chosen === "own" || chosen === "any" ? undefined : chosen,
            from: undefined,
            to: undefined,
          });
        }}
      />
      {value === "own" && (
        <span className={styles.range}>
          <TimeInput label={say("from")} value={from} onChange={(time) => onChange({ from: time })} />
          <span aria-hidden="true">–</span>
          <TimeInput label={say("to")} value={to} onChange={(time) => onChange({ to: time })} />
        </span>
      )}
    </>
  );
}

/** A minute in the person's own time zone; `value` in epoch milliseconds. */
export function TimeInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | undefined;
  onChange: (time: number | undefined) => void;
}) {
  return (
    <Input
      type="datetime-local"
      aria-label={label}
      className={styles.minute}
      value={value === undefined ? "" : localMinute(value)}
      onChange={({ target }) => {
        const time = Date.parse(target.value);
        onChange(Number.isNaN(time) ? undefined : time);
      }}
    />
  );
}

function localMinute(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
