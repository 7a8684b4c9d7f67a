import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useCard } from "../card-context.ts";
import { member } from "../model/json.ts";
import { captionOf } from "../model/text.ts";
import { Failure, ProgressMark } from "../parts/field.tsx";
import type { PartProps } from "../parts/part.ts";
import { type Changed, useDefault } from "../parts/use-default.ts";
import { useKept } from "../parts/use-kept.ts";
import { filledIn, nameOf, useReport } from "../parts/use-report.ts";

/** `checkbox`: its caption is `label`. It reports whether it is checked. */
export function Checkbox({ element, tag }: PartProps): ReactNode {
  const [checked, setChecked] = useDefault(member(element, "checked") === true);
  const reporter = useReport(element, tag);
  return (
    <Caption element={element} reporter={reporter}>
      {(attributes) => (
        <input
          type="checkbox"
          {...attributes}
          checked={checked}
          onChange={({ currentTarget }) => {
            setChecked(currentTarget.checked);
            reporter.report(reportOf(element, currentTarget.checked));
          }}
        />
      )}
    </Caption>
  );
}

/** `radio`: its caption is `label`. Of those of one name in a card one is chosen; it reports when it becomes that one. */
export function Radio({ element, tag }: PartProps): ReactNode {
  const { id } = useCard();
  const own = useId();
  const reporter = useReport(element, tag);
  const input = useRef<HTMLInputElement>(null);
  const name = `${id}${nameOf(element) ?? own}`;
  const given = member(element, "checked") === true;
  const kept = useKept<Changed<boolean>>("entry");
  const [initially] = useState(() => kept.get()?.value ?? given);
  // One that begins chosen takes the choice from those that the member has chosen before it was there.
  const shown = useRef(kept.get()?.from ?? false);
  useEffect(() => {
    // The browser keeps one of a name chosen, so that only what an update of the card says anew is set.
    if (shown.current === given) return;
    shown.current = given;
    kept.set(undefined);
    if (input.current !== null) input.current.checked = given;
  }, [given, kept]);
  useEffect(() => {
    const radio = input.current;
    if (radio === null) return;
    // Whichever of the name becomes the chosen one, the others hear nothing of it.
    const keep = ({ target }: Event) => {
      if (target instanceof HTMLInputElement && target.name === name) kept.set({ from: given, value: radio.checked });
    };
    radio.ownerDocument.addEventListener("change", keep);
    return () => radio.ownerDocument.removeEventListener("change", keep);
  }, [name, given, kept]);
  return (
    <Caption element={element} reporter={reporter}>
      {(attributes) => (
        <input
          ref={input}
          type="radio"
          {...attributes}
          name={name}
          defaultChecked={initially}
          onChange={() => reporter.report(reportOf(element, true))}
        />
      )}
    </Caption>
  );
}

interface CaptionProps extends Pick<PartProps, "element"> {
  reporter: ReturnType<typeof useReport>;
  children(attributes: {
    className: string;
    disabled: boolean;
    "aria-busy": boolean;
    "aria-label"?: string;
  }): ReactNode;
}

function Caption({ element, reporter, children }: CaptionProps): ReactNode {
  const { words, disabled } = useCard();
  const label = captionOf(member(element, "label"));
  const unnamed = label === "" ? (nameOf(element) ?? words.choose) : undefined;
  return (
    <>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: its children draw it */}
      <label className="pc-toggle" data-progress={reporter.progress}>
        {children({
          className: "pc-toggle-input",
          disabled: disabled || member(element, "disabled") === true,
          "aria-busy": reporter.progress === "pending",
          "aria-label": unnamed,
        })}
        <span dir="auto">{label}</span>
        <ProgressMark reporter={reporter} />
      </label>
      <Failure reporter={reporter} />
    </>
  );
}

function reportOf(
  element: PartProps["element"],
  checked: boolean,
): Parameters<ReturnType<typeof useReport>["report"]>[0] {
  const option = checked ? (member(element, "value") ?? null) : null;
  return { value: checked, option, formValue: filledIn(element, option ?? checked) };
}
