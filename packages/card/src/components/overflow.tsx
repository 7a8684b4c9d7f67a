import { type ReactNode, useId } from "react";
import { useCard } from "../card-context.ts";
import { member } from "../model/json.ts";
import { optionsOf } from "../model/options.ts";
import { Failure, ProgressMark } from "../parts/field.tsx";
import { Menu } from "../parts/menu.tsx";
import type { PartProps } from "../parts/part.ts";
import { useReport } from "../parts/use-report.ts";

/** `overflow`: a button that opens a list of actions. */
export function Overflow({ element, tag }: PartProps): ReactNode {
  const { words, disabled } = useCard();
  const id = useId();
  const reporter = useReport(element, tag);
  const options = optionsOf(element);
  const isPending = reporter.progress === "pending";
  return (
    <>
      <button
        type="button"
        className="pc-button pc-overflow"
        data-kind="default"
        data-progress={reporter.progress}
        aria-label={words.moreActions}
        aria-busy={isPending}
        popoverTarget={id}
        disabled={disabled || options.items.length === 0}
      >
        <span className="pc-button-text" aria-hidden="true">
          ···
        </span>
        <ProgressMark reporter={reporter} />
      </button>
      <Menu id={id} options={options}>
        {({ text, value }) => (
          <button
            type="button"
            className="pc-menu-item"
            dir="auto"
            disabled={disabled}
            aria-disabled={isPending || undefined}
            popoverTarget={id}
            popoverTargetAction="hide"
            onClick={() => reporter.press({ value: member(element, "value") ?? null, option: value })}
          >
            {text}
          </button>
        )}
      </Menu>
      <Failure reporter={reporter} />
    </>
  );
}
