import type { Mention } from "@portico/protocol";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { unitsOf } from "../../platform/storage/units-of.ts";
import { appendChanges } from "../conversations/append.ts";
import { blobKeysIn, doomFiles } from "../files/doom-files.ts";
import { isMessageOf, messagesOf } from "./messages-of.ts";
import type { Step, Work } from "./step.ts";
import { anyOf, hasText, lastOf, nextWindow } from "./window.ts";

/** What an erased message says. */
const NOTHING = JSON.stringify({ text: "" });

interface FoundMessage {
  messageId: number;
  conversationKey: string;
  senderId: string;
  senderType: "BOT" | "MEMBER";
  mentions: string;
}

/**
 * Messages of the member, and of bots in conversations with them, say nothing any more, and are recalled, so that clients
 * hear of it; where others mention them, the name goes.
 */
export const eraseMessages: Step = async ({ storage, clock }, { userId }, position) => {
  const { rows, next } = await nextWindow<FoundMessage>(storage.lists, "messages", position, {
    columns: {
      messageId: "message_id",
      conversationKey: "conversation_key",
      senderId: "sender_id",
      senderType: "sender_type",
      mentions: "mentions",
    },
    condition: anyOf([messagesOf(userId), hasText("mentions", JSON.stringify(userId))]),
  });
  const own = rows.filter((row) => isMessageOf(userId, row));
  const naming = rows.filter((row) => !isMessageOf(userId, row));
  const work: Work[] = [
    ...unitsOf(own).map(
      (some): Work =>
        (tx) =>
          emptyMessages(tx, storage.dialect, userId, some, clock.now()),
    ),
    ...unitsOf(naming).map(
      (some): Work =>
        (tx) =>
          takeNames(tx, userId, some),
    ),
  ];
  return { work, next };
};

/** How far the step is, from 0 to 1. */
export async function shareOfMessages(db: Db, position: string): Promise<number> {
  const last = await lastOf(db, "messages");
  return last === 0 ? 1 : Math.min(1, Number(position) / last);
}

async function emptyMessages(tx: Db, dialect: Dialect, userId: string, rows: readonly FoundMessage[], now: number) {
  const full = await tx
    .selectFrom("messages")
    .select(["message_id as messageId", "content"])
    .where("message_id", "in", idsOf(rows))
    .where((eb) => eb.or([eb("content", "<>", NOTHING), eb("recalled_at", "is", null)]))
    .execute();
  if (full.length === 0) return {};
  const ids = idsOf(full);
  await tx
    .updateTable("messages")
    .set((eb) => ({
      content: NOTHING,
      msg_type: "text",
      mentions: "[]",
      card_version: null,
      client_message_id: null,
      recalled_at: eb.fn.coalesce("recalled_at", eb.val(now)),
    }))
    .where("message_id", "in", ids)
    .execute();
  const owner = { type: "MEMBER", id: userId } as const;
  const files = await doomFiles(tx, owner, blobKeysIn(full.map(({ content }) => content)));
  const emptied = new Set(ids);
  const changes = rows
    .filter(({ messageId }) => emptied.has(messageId))
    .map(({ conversationKey, messageId }) => ({ conversationKey, type: "message.recalled" as const, messageId }));
  // At the end of the transaction: it locks the counters of the conversations.
  const places = await appendChanges(tx, dialect, changes);
  const changed = changes.map(({ conversationKey }, index) => ({
    conversationKey,
    msgSeq: places[index]?.msgSeq ?? 0,
  }));
  return { erased: { messages: ids.length, files }, changed };
}

function idsOf(rows: readonly { messageId: number }[]): number[] {
  return rows.map(({ messageId }) => messageId);
}

async function takeNames(tx: Db, userId: string, rows: readonly FoundMessage[]) {
  let mentions = 0;
  for (const { messageId, mentions: before } of rows) {
    // As the service has written it.
    const named = JSON.parse(before) as Mention[];
    if (!named.some((mention) => mention.userId === userId && mention.name !== "")) continue;
    const after = named.map((mention) => (mention.userId === userId ? { ...mention, name: "" } : mention));
    const { numUpdatedRows } = await tx
      .updateTable("messages")
      .set({ mentions: JSON.stringify(after) })
      .where("message_id", "=", messageId)
      .where("mentions", "=", before)
      .executeTakeFirstOrThrow();
    mentions += Number(numUpdatedRows);
  }
  return { erased: { mentions } };
}
