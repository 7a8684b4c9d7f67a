import type { Storage } from "../../platform/storage/storage.ts";
import type { DeskHub } from "./desk-hub.ts";
import { lastSeqOf } from "./message-store.ts";
import { findReadMarks, type Reader, raiseReadMark } from "./read-store.ts";

/** What marking as read needs. */
interface MarkReadParts {
  storage: Storage;
  deskLive: DeskHub;
}

/**
 * Notes that a visitor's messages have been read up to `seq`, and tells the other side. A mark never goes back, and never
 * beyond the last message.
 *
 * @returns up to where they have been read now.
 */
export async function markRead(
  ctx: MarkReadParts,
  { appId, visitorId, by, seq }: { appId: string; visitorId: string; by: Reader; seq: number },
): Promise<number> {
  const { storage, deskLive } = ctx;
  const known = (await findReadMarks(storage.db, [visitorId])).get(visitorId)?.[by] ?? 0;
  const upTo = Math.min(seq, await lastSeqOf(storage.db, visitorId));
  if (upTo <= known) return known;
  if (await storage.write((tx) => raiseReadMark(tx, visitorId, by, upTo))) deskLive.read(appId, visitorId, upTo, by);
  return upTo;
}
