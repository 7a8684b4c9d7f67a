import { type Ref, useImperativeHandle } from "react";
import type { Draft, Outgoing } from "../live/outbox.ts";
import { type Attachments, MAX_ATTACHMENTS } from "./use-attachments.ts";

/** What the log asks of the field beside it. */
export interface ComposerHandle {
  /** Puts what could not be sent into the field again, and takes it out of the log. */
  putBack(failed: Outgoing): void;
}

type TextDraft = Extract<Draft, { kind: "text" }>;

/**
 * Answers the log.
 *
 * @param onText puts a text behind what is in the field.
 */
export function usePutBack(
  ref: Ref<ComposerHandle>,
  {
    log,
    attachments,
    onText,
  }: { log: { giveUp(clientMessageId: string): void }; attachments: Attachments; onText: (draft: TextDraft) => void },
): void {
  useImperativeHandle(ref, () => ({
    putBack({ draft, clientMessageId }) {
      const hasRoom = draft.kind === "text" || attachments.items.length < MAX_ATTACHMENTS;
      if (draft.kind === "text") onText(draft);
      else attachments.add([draft.file]);
      // What finds no room says so, and stays where it is.
      if (hasRoom) log.giveUp(clientMessageId);
    },
  }));
}

/** A text behind another, on a line of its own. */
export function joined(text: string, added: string): string {
  return text.trim() === "" ? added : `${text}\n${added}`;
}
