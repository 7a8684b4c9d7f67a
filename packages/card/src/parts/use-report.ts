import { useEffect, useRef, useState } from "react";
import type { CardAction } from "../action.ts";
import { useCard } from "../card-context.ts";
import { type JsonObject, member } from "../model/json.ts";

/** How the last report of a component fares. */
export type Progress = "idle" | "pending" | "done" | "failed";

/** What a component reports of itself; its tag and name are added. */
export type Report = Partial<Pick<CardAction, "value" | "option" | "formValue" | "timeZone">>;

export interface Reporter {
  progress: Progress;
  /** Takes what was done to the bot. While an earlier report is under way only the latest one waits. */
  report(report: Report): void;
  /** Like report, but does nothing while an earlier one is under way. */
  press(report: Report): void;
  /** Sends the last one again. */
  retry(): void;
}

const DONE_SHOWN_MS = 2000;

/** Reports what a member does with the component, and tells how that fares. */
export function useReport(element: JsonObject, tag: string): Reporter {
  const { act, announce, words } = useCard();
  const [progress, setProgress] = useState<Progress>("idle");
  const underWay = useRef(false);
  const waiting = useRef<CardAction | null>(null);
  const last = useRef<CardAction | null>(null);

  useEffect(() => {
    if (progress !== "done") return;
    const timer = setTimeout(() => setProgress("idle"), DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [progress]);

  async function send(action: CardAction): Promise<void> {
    if (act === null) return;
    underWay.current = true;
    setProgress("pending");
    announce(words.sending);
    let outcome: Progress = "failed";
    for (let next: CardAction | null = action; next !== null; ) {
      last.current = next;
      outcome = await act(next).then(
        () => "done" as const,
        () => "failed" as const,
      );
      next = waiting.current;
      waiting.current = null;
    }
    underWay.current = false;
    setProgress(outcome);
    announce(outcome === "done" ? words.sent : words.failed);
  }

  function actionOf(report: Report): CardAction {
    return { tag, name: nameOf(element), value: null, option: null, formValue: null, ...report };
  }

  return {
    progress,
    report(report) {
      if (underWay.current) waiting.current = actionOf(report);
      else void send(actionOf(report));
    },
    press(report) {
      if (!underWay.current) void send(actionOf(report));
    },
    retry() {
      if (!underWay.current && last.current !== null) void send(last.current);
    },
  };
}

/** The name under which a component reports. */
export function nameOf(element: JsonObject): string | null {
  const name = member(element, "name");
  return typeof name === "string" ? name : null;
}

/** What was filled in, by the control's name. */
export function filledIn(element: JsonObject, value: unknown): CardAction["formValue"] {
  const name = nameOf(element);
  return name === null ? null : { [name]: value };
}
