import { type ReactNode, useId } from "react";
import { useCard } from "../card-context.ts";
import { member } from "../model/json.ts";
import { initiallyChosen, optionsOf } from "../model/options.ts";
import { captionOf, lineOf } from "../model/text.ts";
import { Field, unlabelled } from "../parts/field.tsx";
import type { PartProps } from "../parts/part.ts";
import { useDefault } from "../parts/use-default.ts";
import { filledIn, useReport } from "../parts/use-report.ts";

/** `select_static`, `select_person`, `select_time`: one of `options[].text`. */
export function Select({ element, tag }: PartProps): ReactNode {
  const { words, disabled } = useCard();
  const id = useId();
  const reporter = useReport(element, tag);
  const { items, more } = optionsOf(element);
  const [initial = ""] = initiallyChosen(element, items, ["initial_option", "default_value"]);
  const [chosen, setChosen] = useDefault(initial);
  const option = items.find(({ key }) => key === chosen);
  const placeholder = captionOf(member(element, "placeholder")) || (items.length > 0 ? words.choose : words.noOptions);

  function choose(key: string): void {
    setChosen(key);
    const value = items.find((item) => item.key === key)?.value;
    reporter.report({ value: member(element, "value") ?? null, option: value, formValue: filledIn(element, value) });
  }

  return (
    <Field id={id} element={element} reporter={reporter}>
      <select
        id={id}
        className="pc-input pc-select"
        dir="auto"
        value={option?.key ?? ""}
        data-empty={option === undefined || undefined}
        aria-label={unlabelled(element, words.choose)}
        disabled={disabled || items.length === 0 || member(element, "disabled") === true}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="" disabled hidden>
          {placeholder}
        </option>
        {items.map(({ key, text }) => (
          <option key={key} value={key} title={text}>
            {lineOf(text)}
          </option>
        ))}
        {more > 0 && <option disabled>{words.more(more, "entries")}</option>}
      </select>
    </Field>
  );
}
