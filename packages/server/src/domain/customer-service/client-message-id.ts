import { createHash } from "node:crypto";

/** Who wrote a message that has a clientMessageId, and where. */
export interface Writer {
  at: "widget" | "desk";
  /** visitorId or userId. */
  id: string;
}

/**
 * The prefix that turns a writer's clientMessageIds into thirdMsgIds. These are unique per application, so the prefix
 * contains the writer. It is longer than any thirdMsgId that an integrator may choose, so the two never collide.
 */
function prefixOf({ at, id }: Writer): string {
  const key = `${at}:${id}`;
  const known = prefixes.get(key);
  if (known !== undefined) return known;
  const prefix = `${at}:${createHash("sha512").update(id).digest("hex")}:`;
  if (prefixes.size >= MOST_PREFIXES) prefixes.clear();
  prefixes.set(key, prefix);
  return prefix;
}

/** A page of messages asks for its writer's prefix again and again. */
const MOST_PREFIXES = 1_000;
const prefixes = new Map<string, string>();

/** The thirdMsgId for a writer's `clientMessageId`. */
export function thirdMsgIdOf(writer: Writer, clientMessageId: string): string {
  return prefixOf(writer) + clientMessageId;
}

/** Matches the output of {@link thirdMsgIdOf}. */
const MADE_HERE = /^(?:widget|desk):[0-9a-f]{128}:/;

/** The thirdMsgId that the integrator chose; null when it was made by {@link thirdMsgIdOf} or is missing. */
export function integratorsIdOf(thirdMsgId: string | null): string | null {
  return thirdMsgId === null || MADE_HERE.test(thirdMsgId) ? null : thirdMsgId;
}

/** The clientMessageId of the writer's message; null for a message of another writer. */
export function clientMessageIdOf(writer: Writer, { thirdMsgId }: { thirdMsgId: string | null }): string | null {
  if (thirdMsgId === null) return null;
  const prefix = prefixOf(writer);
  return thirdMsgId.startsWith(prefix) ? thirdMsgId.slice(prefix.length) : null;
}
