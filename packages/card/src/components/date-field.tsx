import { type ReactNode, useEffect, useId } from "react";
import { useCard } from "../card-context.ts";
import { listOf, member } from "../model/json.ts";
import { firstText } from "../model/text.ts";
import { Field, unlabelled } from "../parts/field.tsx";
import type { PartProps } from "../parts/part.ts";
import { useEntry } from "../parts/use-entry.ts";
import { filledIn, useReport } from "../parts/use-report.ts";
import { Select } from "./select.tsx";

/** A year is typed digit by digit, and each is a date already: what stands for so long is meant. */
const SETTLED_MS = 1000;

type Kind = "date" | "datetime-local" | "time";

/** `date_picker`: reports `YYYY-MM-DD`. */
export function DatePicker(props: PartProps): ReactNode {
  return <DateField {...props} kind="date" />;
}

/** `picker_datetime`: reports `YYYY-MM-DDTHH:MM`, by the member's own clock, and beside it the member's time zone. */
export function DateTimePicker(props: PartProps): ReactNode {
  return <DateField {...props} kind="datetime-local" />;
}

/** `select_time`: a dropdown of its options; where it has none, a field for a time, which reports `HH:MM`. */
export function TimeSelect(props: PartProps): ReactNode {
  const hasOptions = listOf(props.element, "options").length > 0;
  return hasOptions ? <Select {...props} /> : <DateField {...props} kind="time" />;
}

function DateField({ element, tag, kind }: PartProps & { kind: Kind }): ReactNode {
  const { words, disabled } = useCard();
  const id = useId();
  const reporter = useReport(element, tag);
  const { text, write, isNew, commit } = useEntry(initialOf(element, kind), (entered) =>
    reporter.report({
      value: entered,
      formValue: filledIn(element, entered),
      ...(kind === "datetime-local" && { timeZone: ownTimeZone() }),
    }),
  );
  useEffect(() => {
    if (!isNew) return;
    const timer = setTimeout(commit, SETTLED_MS, false);
    return () => clearTimeout(timer);
  });

  const name = { date: words.date, "datetime-local": words.dateTime, time: words.time }[kind];
  return (
    <Field id={id} element={element} reporter={reporter}>
      <input
        id={id}
        type={kind}
        className="pc-input"
        value={text}
        max={kind === "date" ? "9999-12-31" : kind === "datetime-local" ? "9999-12-31T23:59" : undefined}
        aria-label={unlabelled(element, name)}
        disabled={disabled || member(element, "disabled") === true}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onBlur={() => commit(false)}
        onKeyDown={({ key }) => key === "Enter" && commit(false)}
      />
    </Field>
  );
}

function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const SHAPES: Readonly<Record<Kind, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d/,
  "datetime-local": /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  time: /^\d\d:\d\d/,
};

function initialOf(element: PartProps["element"], kind: Kind): string {
  const given = firstText(element, ["initial_date", "initial_datetime", "initial_time", "default_value", "value"]);
  return SHAPES[kind].exec(given)?.[0].replace(" ", "T") ?? "";
}
