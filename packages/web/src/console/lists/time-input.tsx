import { Input } from "antd";
import { useState } from "react";
import styles from "./filters.module.css";

/**
 * A minute in the person's own time zone; `value` in epoch milliseconds. A time that is being typed, as the year 2 on the
 * way to 2026, changes nothing yet.
 */
export function TimeInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | undefined;
  onChange: (time: number | undefined) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      type="datetime-local"
      aria-label={label}
      className={styles.minute}
      value={typed ?? (value === undefined ? "" : localMinute(value))}
      onChange={({ target }) => {
        setTyped(target.value);
        const time = Date.parse(target.value);
        if (time >= 0) onChange(time);
      }}
      onBlur={() => {
        if (typed === "") onChange(undefined);
        setTyped(null);
      }}
    />
  );
}

function localMinute(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
