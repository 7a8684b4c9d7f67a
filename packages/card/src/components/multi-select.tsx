import { type ReactNode, useId } from "react";
import { useCard } from "../card-context.ts";
import { member } from "../model/json.ts";
import { initiallyChosen, optionsOf } from "../model/options.ts";
import { captionOf } from "../model/text.ts";
import { Field, unlabelled } from "../parts/field.tsx";
import { Menu } from "../parts/menu.tsx";
import type { PartProps } from "../parts/part.ts";
import { useDefault } from "../parts/use-default.ts";
import { filledIn, useReport } from "../parts/use-report.ts";

const NAMES_SHOWN = 3;

/** `multi_select_static`, `multi_select_person`: some of `options[].text`. Reports all that are chosen at each change. */
export function MultiSelect({ element, tag }: PartProps): ReactNode {
  const { words, disabled } = useCard();
  const id = useId();
  const reporter = useReport(element, tag);
  const options = optionsOf(element);
  const { items } = options;
  const initial = initiallyChosen(element, items, ["selected_values", "initial_options", "default_value"]);
  const [text, setText] = useDefault(JSON.stringify(initial));
  const chosen: ReadonlySet<string> = new Set(JSON.parse(text));
  const placeholder = captionOf(member(element, "placeholder")) || (items.length > 0 ? words.choose : words.noOptions);
  const names = items.filter(({ key }) => chosen.has(key)).map((item) => item.text);

  function toggle(key: string): void {
    const next = items.filter((item) => (item.key === key) !== chosen.has(item.key));
    setText(JSON.stringify(next.map((item) => item.key)));
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
      <Menu id={`${id}-menu`} options={options}>
        {({ key, text: caption }) => (
          <label className="pc-menu-item pc-toggle">
            <input
              type="checkbox"
              className="pc-toggle-input"
              disabled={disabled}
              checked={chosen.has(key)}
              onChange={() => toggle(key)}
            />
            <span dir="auto">{caption}</span>
          </label>
        )}
      </Menu>
    </Field>
  );
}
