import { CloseOutlined } from "@ant-design/icons-svg";
import { MAX_OPENING_SPANS, type OpeningHours } from "@portico/protocol/schemas";
import { Button, Input, Radio, Select } from "antd";
import { useMemo } from "react";
import { Icon } from "../../shared/ui/icon.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DAYS, nextSpan, officeHours } from "./opening-hours.ts";
import styles from "./widget-page.module.css";
import { WIDGET } from "./words.ts";

type Hours = OpeningHours | null;

/** Always, or the hours of each day by the clock of a time zone; the form gives value and change. */
export function HoursField({ value = null, onChange }: { value?: Hours; onChange?: (value: Hours) => void }) {
  const say = useWords(WIDGET);
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => ({ value: zone })), []);
  const changeSpan = (index: number, change: Partial<OpeningHours["days"][number]>) => {
    if (value === null) return;
    onChange?.({ ...value, days: value.days.map((span, at) => (at === index ? { ...span, ...change } : span)) });
  };
  return (
    <>
      <Radio.Group
        aria-label={say("hours")}
        value={value === null}
        options={[
          { value: true, label: say("always") },
          { value: false, label: say("limited") },
        ]}
        onChange={({ target }) => onChange?.(target.value ? null : officeHours())}
      />
      {value !== null && (
        <>
          <ul className={styles.spans} aria-label={say("hours")}>
            <li className={styles.zone}>
              <Select
                showSearch
                aria-label={say("timeZone")}
                value={value.timeZone}
                options={zones}
                onChange={(timeZone) => onChange?.({ ...value, timeZone })}
              />
            </li>
            {value.days.map(({ day, from, to }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing of their own by which they could be told apart.
              <li key={index} className={styles.span}>
                <Select
                  aria-label={say("day")}
                  value={day}
                  options={DAYS.map((each) => ({ value: each as number, label: say(`day${each}`) }))}
                  onChange={(chosen) => changeSpan(index, { day: chosen })}
                />
                <TimeInput label={say("from")} value={from} onChange={(time) => changeSpan(index, { from: time })} />
                <TimeInput
                  label={say("to")}
                  value={to}
                  onChange={(time) => changeSpan(index, { to: time === "00:00" ? "24:00" : time })}
                />
                <Button
                  type="text"
                  aria-label={say("removeSpan")}
                  icon={<Icon of={CloseOutlined} />}
                  onClick={() => onChange?.({ ...value, days: value.days.filter((_, at) => at !== index) })}
                />
              </li>
            ))}
          </ul>
          <Button
            disabled={value.days.length >= MAX_OPENING_SPANS}
            onClick={() => onChange?.({ ...value, days: [...value.days, nextSpan(value)] })}
          >
            {say("addSpan")}
          </Button>
        </>
      )}
    </>
  );
}

/** The end of a day is 24:00 to the service, and midnight to browsers. */
function TimeInput({ label, value, onChange }: { label: string; value: string; onChange: (time: string) => void }) {
  return (
    <Input
      type="time"
      aria-label={label}
      value={value === "24:00" ? "00:00" : value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
