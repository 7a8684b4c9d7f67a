import { useState } from "react";
import type { Draft } from "../live/outbox.ts";
import type { Attachments } from "./use-attachments.ts";

/** Where drafts are sent to, and how many may be before some have gone. */
interface Log {
  readonly room: number;
  send(draft: Draft): void;
}

type Mentions = Extract<Draft, { kind: "text" }>["mentions"];

/** Sends files and text together, files first: all of it, or nothing where there is not room for all. */
export function useSending(log: Log, attachments: Attachments) {
  const [isTooMany, setTooMany] = useState(false);
  return {
    /** Whether there was no room for what was to be sent last. */
    isTooMany,
    /** Returns whether anything was sent. */
    send(text: string, mentions?: Mentions): boolean {
      const isEmpty = text.trim() === "";
      const { items } = attachments;
      if (isEmpty && items.length === 0) return false;
      const exceeds = items.length + (isEmpty ? 0 : 1) > log.room;
      setTooMany(exceeds);
      if (exceeds) return false;
      for (const { file, isPicture } of items) log.send({ kind: "file", file, isPicture });
      if (!isEmpty) log.send({ kind: "text", text, ...(mentions && { mentions }) });
      attachments.clear();
      return true;
    },
  };
}
