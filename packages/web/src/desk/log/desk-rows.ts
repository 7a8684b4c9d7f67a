import type { DeskNote } from "@portico/protocol/schemas";
import type { Outgoing } from "../../shared/talk/live/outbox.ts";
import { dayOf } from "../../shared/words/format.ts";
import type { DeskEntry } from "../live/desk-entry.ts";

/** Messages of one sender within this time are drawn together. */
const TOGETHER_MS = 5 * 60_000;

/** A row of the log. */
export type DeskRow =
  | { kind: "beginning"; key: string }
  | { kind: "day"; key: string; at: number }
  | { kind: "session"; key: string; at: number }
  | { kind: "new"; key: string }
  | { kind: "message"; key: string; entry: DeskEntry; isFirst: boolean; isRead: boolean }
  | { kind: "note"; key: string; note: DeskNote }
  | { kind: "outgoing"; key: string; outgoing: Outgoing; isFirst: boolean };

/** What is to be drawn of a conversation. */
export interface Drawn {
  messages: readonly DeskEntry[];
  outgoing: readonly Outgoing[];
  /** Oldest first. */
  notes: readonly DeskNote[];
  hasEarlier: boolean;
  hasLater: boolean;
  /** Before the first message of the visitor's after this place goes the line that marks what is new; null for no line. */
  readSeq: number | null;
  /** Up to which the visitor has read. */
  visitorReadSeq: number;
  /** The agent's own username. */
  myName: string;
}

/** The rows of a conversation: messages grouped by sender, a line for each day, each session, and what is new. */
export function rowsOf(drawn: Drawn): DeskRow[] {
  const { messages, outgoing, hasEarlier, readSeq, visitorReadSeq, myName } = drawn;
  const rows: DeskRow[] = [];
  const notes = notesBetween(drawn);
  let nextNote = 0;
  if (!hasEarlier) rows.push({ kind: "beginning", key: "beginning" });
  const lastRead = messages.findLast(({ senderType, msgSeq }) => senderType === "AGENT" && msgSeq <= visitorReadSeq);
  let before: DeskEntry | undefined;
  let isMarked = readSeq === null;
  for (const entry of messages) {
    const { msgSeq, createdAt, sessionId } = entry;
    const earlier = notes.slice(nextNote).filter((note) => note.createdAt < createdAt);
    nextNote += earlier.length;
    for (const note of earlier) rows.push(noteRow(note));
    const isNewDay = before === undefined || dayOf(before.createdAt) !== dayOf(createdAt);
    const isNewSession = before !== undefined && before.sessionId !== sessionId;
    if (isNewDay) rows.push({ kind: "day", key: `day-${msgSeq}`, at: createdAt });
    if (isNewSession) rows.push({ kind: "session", key: `session-${sessionId}`, at: createdAt });
    const isNew = !isMarked && msgSeq > (readSeq ?? 0) && entry.senderType === "VISITOR";
    if (isNew) {
      isMarked = true;
      rows.push({ kind: "new", key: "new" });
    }
    const isCut = isNewDay || isNewSession || isNew || earlier.length > 0;
    const isFirst = isCut || before === undefined || !areTogether(before, entry);
    rows.push({ kind: "message", key: `m${entry.messageId}`, entry, isFirst, isRead: entry === lastRead });
    before = entry;
  }
  for (const note of notes.slice(nextNote)) rows.push(noteRow(note));
  // As it will stand when it has arrived: below one's own message, or as the first of a group.
  let isFirst = before?.senderType !== "AGENT" || before.agentId !== myName || nextNote < notes.length;
  for (const each of outgoing) {
    rows.push({ kind: "outgoing", key: each.clientMessageId, outgoing: each, isFirst });
    isFirst = false;
  }
  return rows;
}

/** The place of a row's message; undefined where a row has none. */
export function seqOf(row: DeskRow): number | undefined {
  return row.kind === "message" ? row.entry.msgSeq : undefined;
}

/** The notes that belong between the messages that are there. */
function notesBetween({ notes, messages, hasEarlier, hasLater }: Drawn): readonly DeskNote[] {
  const from = hasEarlier ? (messages[0]?.createdAt ?? Number.POSITIVE_INFINITY) : 0;
  const to = hasLater ? (messages.at(-1)?.createdAt ?? 0) : Number.POSITIVE_INFINITY;
  return notes.filter(({ createdAt }) => createdAt >= from && createdAt < to);
}

function noteRow(note: DeskNote): DeskRow {
  return { kind: "note", key: `n${note.noteId}`, note };
}

function areTogether(before: DeskEntry, entry: DeskEntry): boolean {
  return (
    before.senderType === entry.senderType &&
    before.agentId === entry.agentId &&
    entry.createdAt - before.createdAt < TOGETHER_MS
  );
}
