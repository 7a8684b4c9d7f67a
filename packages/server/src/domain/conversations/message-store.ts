import { sql } from "kysely";
import { joint } from "../../platform/storage/joint.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { MessagePlace, Sender } from "./new-entry.ts";

const selectByClientId = prepared<{ type: Sender["type"]; id: string; clientMessageId: string }>()((db, param) =>
  db
    .selectFrom("messages")
    .select(["message_id as messageId", "msg_seq as msgSeq"])
    .where("sender_type", "=", param("type"))
    .where("sender_id", "=", param("id"))
    .where("client_message_id", "=", param("clientMessageId")),
);

interface Sent {
  sender: Sender;
  clientMessageId: string;
}

/** A second unit waits until the first has stored its message. */
const find = joint<Sent, MessagePlace | null>({
  alone: async (tx, { sender, clientMessageId }) =>
    (await selectByClientId.first(tx, { ...sender, clientMessageId })) ?? null,
  async joint(tx, all) {
    const found = await selectAll.rows(tx, {
      types: all.map(({ sender }) => sender.type),
      ids: all.map(({ sender }) => sender.id),
      clientMessageIds: all.map(({ clientMessageId }) => clientMessageId),
    });
    const byPlace = new Map(found.map(({ n, ...place }) => [n, place]));
    return all.map((_, index) => byPlace.get(index + 1) ?? null);
  },
  claim: ({ sender, clientMessageId }) => `message ${sender.type} ${sender.id} ${clientMessageId}`,
});

const selectAll = prepared<{ types: string[]; ids: string[]; clientMessageIds: string[] }>()((db, param) => ({
  compile: () =>
    sql<MessagePlace & { n: number }>`
      select n, message_id as "messageId", msg_seq as "msgSeq"
      from unnest(${param("types")}::text[], ${param("ids")}::text[], ${param("clientMessageIds")}::text[])
        with ordinality as sent(type, id, client_id, n)
      join messages on sender_type = sent.type and sender_id = sent.id and client_message_id = sent.client_id
    `.compile(db),
}));

/** The message that `sender` has sent with `clientMessageId`, or null. */
export async function findByClientMessageId(
  db: Db,
  sender: Sender,
  clientMessageId: string,
): Promise<MessagePlace | null> {
  return await find(db, { sender, clientMessageId });
}
