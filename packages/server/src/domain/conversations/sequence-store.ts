import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/**
 * Increments a conversation's `msgSeq`. This locks the counter's row until the transaction ends, which makes the
 * sequence gapless. So call it at the end of the transaction, together with the insert of the row that uses the number.
 */
export const countUp = prepared<{ conversationKey: string }>()((db, param) =>
  db
    .insertInto("conversations")
    .values({ conversation_key: param("conversationKey"), last_seq: 1 })
    .onConflict((conflict) =>
      conflict.column("conversation_key").doUpdateSet((eb) => ({ last_seq: eb("conversations.last_seq", "+", 1) })),
    ),
);

const selectLastSeq = prepared<{ conversationKey: string }>()((db, param) =>
  db.selectFrom("conversations").select("last_seq").where("conversation_key", "=", param("conversationKey")),
);

/** The counter of a conversation; 0 when it has no messages. */
export async function findLastSeq(db: Db, conversationKey: string): Promise<number> {
  return (await selectLastSeq.first(db, { conversationKey }))?.last_seq ?? 0;
}

/** The same in a transaction on SQLite, which answers at once. */
export function lastSeqHere(tx: Db, conversationKey: string): number {
  const row = selectLastSeq.first(tx, { conversationKey });
  if (row instanceof Promise) throw new Error("the engine answers later");
  return row?.last_seq ?? 0;
}

/** The counters of the conversations that have any messages, by conversation key. */
export async function findLastSeqs(db: Db, conversationKeys: readonly string[]): Promise<Map<string, number>> {
  if (conversationKeys.length === 0) return new Map();
  const rows = await db
    .selectFrom("conversations")
    .selectAll()
    .where("conversation_key", "in", conversationKeys)
    .execute();
  return new Map(rows.map((row) => [row.conversation_key, row.last_seq]));
}
