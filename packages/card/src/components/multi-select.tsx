import { type ReactNode, useId } from "react";
import { useCard } from "../card-context.ts";
import { member } from "../model/json.ts";
import { initiallyChosen, optionsOf } from "../model/options.ts";
import { captionOf } from "../model/text.ts";
import { Field, unlabelled } from "../parts/field.tsx";
import { More } from "../parts/omitted.tsx";
import type { PartProps } from "../parts/part.ts";
import { useDefault } from "../parts/use-default.ts";
import { filledIn, useReport } from "../parts/use-report.ts";

const NAMES_SHOWN = 3;

/** `multi_select_static`, `multi_select_person`: some of `options[].text`. Reports all that are chosen at each change. */
export function MultiSelect({ element, tag }: PartProps): ReactNode {
  const { words, disabled } = useCard();
  const id = useId();
  const reporter = useReport(element, tag);
  const { items, more } = optionsOf(element);
  const initial = initiallyChosen(element, items, ["selected_values", "initial_options", "default_value"]);
  const [text, setText] = useDefault(initial.join(","));
  const chosen = new Set(text === "" ? [] : text.split(",").map(Number));
  const placeholder = captionOf(member(element, "placeholder")) || (items.length > 0 ? words.choose : words.noOptions);
  const names = items.filter(({ index }) => chosen.has(index)).map((item) => item.text);

  function toggle(index: number): void {
    const next = items.filter((item) => (item.index === index) !== chosen.has(item.index));
    setText(next.map((item) => item.index).join(","));
    const option = next.map(({ value }) => value);
    reporter.report({ value: member(element, "value") ?? null, option, formValue: filledIn(element, option) });
  }

  return (
    <Field id={id} element={element} reporter={reporter}>
      <button
        id={id}
        type="button"
        className="pc-input pc-select"
        dir="auto"
        data-empty={names.length === 0 || undefined}
        aria-label={unlabelled(element, words.choose)}
        aria-describedby={`${id}-chosen`}
        popoverTarget={`${id}-menu`}
        disabled={disabled || items.length === 0 || member(element, "disabled") === true}
      >
        <span id={`${id}-chosen`} className="pc-select-value">
          {names.length === 0
            ? placeholder
            : names.length <= NAMES_SHOWN
              ? names.join(", ")
              : words.chosen(names.length)}
        </span>
      </button>
      <ul id={`${id}-menu`} className="pc-menu" popover="auto">
        {items.map((item) => (
          <li key={item.index}>
            <label className="pc-menu-item pc-toggle">
              <input
                type="checkbox"
                className="pc-toggle-input"
                disabled={disabled}
                checked={chosen.has(item.index)}
                onChange={() => toggle(item.index)}
              />
              <span dir="auto">{item.text}</span>
            </label>
          </li>
        ))}
        {more > 0 && (
          <li className="pc-menu-item">
            <More count={more} />
          </li>
        )}
      </ul>
    </Field>
  );
}
