import type { Db } from "../../../platform/storage/schema.ts";

/** By so much clocks may differ and transactions last, from when a message is stamped to when it can be read. */
const SLACK_MS = 10_000;

/**
 * The `msgSeq` each conversation had reached at `time` (epoch milliseconds) at the latest, by conversation key; rather
 * somewhat earlier.
 */
export async function placesAt(db: Db, conversationKeys: string[], time: number): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  // A member gets few new conversations at a time, and one after the other each is found by its index.
  for (const key of conversationKeys) {
    const row = await db
      .selectFrom("messages")
      .select("msg_seq")
      .where("conversation_key", "=", key)
      .where("created_at", "<", time - SLACK_MS)
      .orderBy("msg_seq", "desc")
      .limit(1)
      .executeTakeFirst();
    places.set(key, row?.msg_seq ?? 0);
  }
  return places;
}
