import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { DeskHub } from "./desk-hub.ts";
import { lastSeqOf } from "./message-store.ts";
import { findReadMarks, type Reader, raiseReadMark } from "./read-store.ts";

/** The dependencies of marking as read. */
interface MarkReadParts {
  storage: Storage;
  deskLive: DeskHub;
}

/**
 * Marks a visitor's messages as read up to `seq` and notifies the other side. A mark never moves back, and never beyond
 * the last message.
 *
 * @returns the resulting mark.
 */
export async function markRead(
  ctx: MarkReadParts,
  { appId, visitorId, by, seq }: { appId: string; visitorId: string; by: Reader; seq: number },
): Promise<number> {
  const { storage, deskLive } = ctx;
  const known = await markOf(storage.db, visitorId, by);
  const upTo = Math.min(seq, await lastSeqOf(storage.db, visitorId));
  if (upTo <= known) return known;
  // Another page of the same side may have raised it further meanwhile.
  if (!(await storage.write((tx) => raiseReadMark(tx, visitorId, by, upTo)))) {
    return await markOf(storage.db, visitorId, by);
  }
  deskLive.read(appId, visitorId, upTo, by);
  return upTo;
}

async function markOf(db: Db, visitorId: string, by: Reader): Promise<number> {
  return (await findReadMarks(db, [visitorId])).get(visitorId)?.[by] ?? 0;
}
