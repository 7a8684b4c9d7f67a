import { createHash } from "node:crypto";

/** Where a message was written with a clientMessageId of its own. */
export interface Writer {
  at: "widget" | "desk";
  /** visitorId or userId. */
  id: string;
}

/**
 * What the clientMessageIds of somebody who writes become thirdMsgIds with. These are unique in an application, so the
 * writer is in it; and it is longer than any that an integrator may choose, so that the two never meet.
 */
function prefixOf({ at, id }: Writer): string {
  return `${at}:${createHash("sha512").update(id).digest("hex")}:`;
}

/** The thirdMsgId of what somebody writes as `clientMessageId`. */
export function thirdMsgIdOf(writer: Writer, clientMessageId: string): string {
  return prefixOf(writer) + clientMessageId;
}

/** What {@link thirdMsgIdOf} makes. */
const MADE_HERE = /^(?:widget|desk):[0-9a-f]{128}:/;

/** The thirdMsgId that the integrator chose; null for what was written with none of theirs. */
export function integratorsIdOf(thirdMsgId: string | null): string | null {
  return thirdMsgId === null || MADE_HERE.test(thirdMsgId) ? null : thirdMsgId;
}

/** The clientMessageId that somebody wrote a message with; null for a message of somebody else's. */
export function clientMessageIdOf(writer: Writer, { thirdMsgId }: { thirdMsgId: string | null }): string | null {
  const prefix = prefixOf(writer);
  return thirdMsgId?.startsWith(prefix) ? thirdMsgId.slice(prefix.length) : null;
}
