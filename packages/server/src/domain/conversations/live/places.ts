import type { Db } from "../../../platform/storage/schema.ts";

/**
 * The most time between a message's timestamp and the moment it can be read: clock differences plus the length of a
 * transaction.
 */
const SLACK_MS = 10_000;

/**
 * The `msgSeq` that each conversation had reached at `time` (epoch milliseconds), or a slightly earlier one; by
 * conversation key.
 */
export async function placesAt(db: Db, conversationKeys: string[], time: number): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  // A member gets few new conversations at a time, and each query is one index lookup.
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
