import type { ReactNode } from "react";
import { useCard } from "../card-context.ts";
import { type JsonObject, member } from "../model/json.ts";
import { DRAWN } from "../model/limits.ts";
import { captionOf, cut, firstText } from "../model/text.ts";
import type { Reporter } from "./use-report.ts";

interface Props {
  /** The id of the control that the label belongs to. */
  id: string;
  element: JsonObject;
  reporter: Reporter;
  children: ReactNode;
}

/** A control with its label above and how its report fares below. */
export function Field({ id, element, reporter, children }: Props): ReactNode {
  const label = captionOf(member(element, "label"));
  return (
    <div className="pc-field" aria-busy={reporter.progress === "pending"}>
      {label !== "" && (
        <label className="pc-label" htmlFor={id} dir="auto">
          {label}
        </label>
      )}
      <div className="pc-control" data-progress={reporter.progress}>
        {children}
        <ProgressMark reporter={reporter} />
      </div>
      <Failure reporter={reporter} />
    </div>
  );
}

/** The accessible name of a control without a label. */
export function unlabelled(element: JsonObject, otherwise: string): string | undefined {
  if (captionOf(member(element, "label")) !== "") return undefined;
  return cut(firstText(element, ["placeholder", "name"]), DRAWN.captionChars) || otherwise;
}

/** A turning ring while a report is under way, a tick when it has arrived. */
export function ProgressMark({ reporter }: { reporter: Reporter }): ReactNode {
  const { progress } = reporter;
  if (progress !== "pending" && progress !== "done") return null;
  return <span className="pc-progress" data-progress={progress} aria-hidden="true" />;
}

/** Says that a report has not arrived, and offers to send it again. */
export function Failure({ reporter }: { reporter: Reporter }): ReactNode {
  const { words } = useCard();
  if (reporter.progress !== "failed") return null;
  return (
    <span className="pc-failure">
      {words.failed}
      <button type="button" className="pc-more-button" onClick={reporter.retry}>
        {words.retry}
      </button>
    </span>
  );
}
