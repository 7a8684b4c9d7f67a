import { type KeyboardEvent, type ReactNode, useId } from "react";
import { useCard } from "../card-context.ts";
import { member } from "../model/json.ts";
import { captionOf, textOf } from "../model/text.ts";
import { Field, unlabelled } from "../parts/field.tsx";
import type { PartProps } from "../parts/part.ts";
import { useEntry } from "../parts/use-entry.ts";
import { filledIn, useReport } from "../parts/use-report.ts";

/** Of what may be entered, when the card names no other bound. */
const LENGTH_MAX = 10_000;

/** `input`: one line. It reports when it is committed, by Enter or by leaving it. */
export function Input(props: PartProps): ReactNode {
  return <TextField {...props} lines="one" />;
}

/** `textarea`: several lines. Enter begins the next; leaving it commits, and so does Enter with Ctrl or Command. */
export function Textarea(props: PartProps): ReactNode {
  return <TextField {...props} lines="many" />;
}

function TextField({ element, tag, lines }: PartProps & { lines: "one" | "many" }): ReactNode {
  const { words, disabled } = useCard();
  const id = useId();
  const reporter = useReport(element, tag);
  const given = textOf(member(element, "default_value")).slice(0, LENGTH_MAX);
  const { text, write, commit } = useEntry(given, (entered) =>
    reporter.report({ value: entered, formValue: filledIn(element, entered) }),
  );

  function onKeyDown(event: KeyboardEvent): void {
    // The Enter that ends a composition chooses characters.
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    if (lines === "many" && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    commit(true);
  }

  const Control = lines === "one" && member(element, "input_type") !== "multiline_text" ? "input" : "textarea";
  return (
    <Field id={id} element={element} reporter={reporter}>
      <Control
        id={id}
        className="pc-input"
        dir="auto"
        autoComplete="off"
        rows={Control === "textarea" ? 3 : undefined}
        value={text}
        maxLength={lengthMax(member(element, "max_length"))}
        placeholder={captionOf(member(element, "placeholder")) || undefined}
        aria-label={unlabelled(element, words.input)}
        required={member(element, "required") === true}
        disabled={disabled || member(element, "disabled") === true}
        onChange={(event: { currentTarget: { value: string } }) => write(event.currentTarget.value)}
        onBlur={() => commit(false)}
        onKeyDown={onKeyDown}
      />
    </Field>
  );
}

function lengthMax(given: unknown): number {
  return Number.isSafeInteger(given) && Number(given) > 0 ? Math.min(Number(given), LENGTH_MAX) : LENGTH_MAX;
}
