import type { ChangeType } from "@portico/protocol";
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

/** A change of a message after it was sent. */
interface NewChange {
  conversationKey: string;
  type: Exclude<ChangeType, "message.created">;
  messageId: number;
}

const insertChange = prepared<{ conversationKey: string; type: NewChange["type"]; messageId: number }>()((db, param) =>
  db
    .insertInto("conversation_changes")
    .values(({ selectFrom }) => ({
      conversation_key: param("conversationKey"),
      msg_seq: selectFrom("conversations")
        .select("last_seq")
        .where("conversations.conversation_key", "=", param("conversationKey")),
      type: param("type"),
      message_id: param("messageId"),
    }))
    .returning("msg_seq as msgSeq"),
);

/**
 * Records a change of a message.
 *
 * @returns the `msgSeq` of the change. Call it at the end of the transaction.
 */
export async function appendChange(tx: Db, change: NewChange): Promise<number> {
  const params = { ...change };
  const [, row] = await Promise.all([countUp.affected(tx, params), insertChange.first(tx, params)]);
  if (row === undefined) throw new Error("an insert returned nothing");
  return row.msgSeq;
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
