import type { ClientMessage } from "@portico/protocol/schemas";
import type { Outgoing } from "../../shared/talk/live/outbox.ts";
import { dayOf } from "../../shared/words/format.ts";
import { isBy } from "../live/sender.ts";

/** Messages of one sender within this time are drawn together. */
const TOGETHER_MS = 5 * 60_000;

/** A row of the log. */
export type LogRow =
  | { kind: "beginning"; key: string }
  | { kind: "day"; key: string; at: number }
  | { kind: "new"; key: string }
  | { kind: "message"; key: string; message: ClientMessage; isFirst: boolean }
  | { kind: "outgoing"; key: string; outgoing: Outgoing; isFirst: boolean };

/** What is to be drawn of a conversation. */
export interface Drawn {
  messages: readonly ClientMessage[];
  outgoing: readonly Outgoing[];
  hasEarlier: boolean;
  /** Before the first message of others after this place goes the line that marks what is new; null for no line. */
  readSeq: number | null;
  myId: string;
}

/** The rows of a conversation: messages grouped by sender, a line for each day and one before what is new. */
export function rowsOf({ messages, outgoing, hasEarlier, readSeq, myId }: Drawn): LogRow[] {
  const rows: LogRow[] = [];
  if (!hasEarlier) rows.push({ kind: "beginning", key: "beginning" });
  let before: ClientMessage | undefined;
  let isMarked = readSeq === null;
  for (const message of messages) {
    const isNewDay = before === undefined || dayOf(before.createTime) !== dayOf(message.createTime);
    if (isNewDay) rows.push({ kind: "day", key: `day-${message.msgSeq}`, at: message.createTime });
    const isNew = !isMarked && message.msgSeq > (readSeq ?? 0) && !isBy(message, myId);
    if (isNew) {
      isMarked = true;
      rows.push({ kind: "new", key: "new" });
    }
    const isFirst = isNewDay || isNew || before === undefined || !areTogether(before, message);
    rows.push({ kind: "message", key: `m${message.messageId}`, message, isFirst });
    before = message;
  }
  // As it will stand when it has arrived: below one's own message, or as the first of a group.
  let isFirst = before === undefined || !isBy(before, myId);
  for (const each of outgoing) {
    rows.push({ kind: "outgoing", key: each.clientMessageId, outgoing: each, isFirst });
    isFirst = false;
  }
  return rows;
}

/** The place of a row's message; undefined where a row has none. */
export function seqOf(row: LogRow): number | undefined {
  return row.kind === "message" ? row.message.msgSeq : undefined;
}

function areTogether(before: ClientMessage, message: ClientMessage): boolean {
  return (
    before.sender.id === message.sender.id &&
    before.sender.type === message.sender.type &&
    message.parentMessageId === null &&
    message.createTime - before.createTime < TOGETHER_MS
  );
}
