import type { MessageType } from "@portico/protocol";
import { sql } from "kysely";
import { joint, LOCK_RANK } from "../../platform/storage/joint.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** What must be known about a message before it is changed. */
export interface SentMessageRecord {
  messageId: number;
  conversationKey: string;
  msgType: MessageType;
}

const selectOfBot = prepared<{ messageId: number; appId: string }>()((db, param) =>
  db
    .selectFrom("messages")
    .select(["message_id as messageId", "conversation_key as conversationKey", "msg_type as msgType"])
    .where("message_id", "=", param("messageId"))
    .where("sender_type", "=", "BOT")
    .where("sender_id", "=", param("appId")),
);

/** A message that the application sent; null when there is none with this id. */
export async function findMessageOfBot(db: Db, appId: string, messageId: number): Promise<SentMessageRecord | null> {
  return await find(db, { messageId, appId });
}

const find = joint<{ messageId: number; appId: string }, SentMessageRecord | null>({
  alone: async (db, params) => (await selectOfBot.first(db, params)) ?? null,
  async joint(db, all) {
    const rows = await selectAllOfBots.rows(db, {
      messageIds: all.map(({ messageId }) => messageId),
      appIds: all.map(({ appId }) => appId),
    });
    const found = new Map(rows.map(({ n, ...record }) => [n, record]));
    return all.map((_, index) => found.get(index + 1) ?? null);
  },
});

const selectAllOfBots = prepared<{ messageIds: number[]; appIds: string[] }>()((db, param) => ({
  compile: () =>
    sql<SentMessageRecord & { n: number }>`
      select n, messages.message_id as "messageId", conversation_key as "conversationKey", msg_type as "msgType"
      from unnest(${param("messageIds")}::bigint[], ${param("appIds")}::text[])
        with ordinality as asked(message_id, app_id, n)
      join messages on messages.message_id = asked.message_id and sender_type = 'BOT' and sender_id = asked.app_id
    `.compile(db),
}));

/**
 * Replaces a card. With a `version`, only if that is the card's current one (compare-and-set).
 *
 * @param content JSON text.
 * @returns false when the versions differ, or the message is no card any more: an erasure has emptied it.
 */
export async function replaceCard(
  tx: Db,
  messageId: number,
  content: string,
  version: number | null,
): Promise<boolean> {
  // No card has such a version, and the database column cannot hold it.
  if (version !== null && !Number.isSafeInteger(version)) return false;
  return await replace(tx, { messageId, content, version });
}

interface Replacement {
  messageId: number;
  content: string;
  version: number | null;
}

const isChange = (hasChanged: boolean) => hasChanged;
/** Of several units that change one message, each waits until the one before it has ended. */
const claim = ({ messageId }: { messageId: number }) => `card ${messageId}`;

const replace = joint<Replacement, boolean>({
  alone: async (tx, { messageId, content, version }) => {
    let update = tx
      .updateTable("messages")
      .set((eb) => ({ content, card_version: eb("card_version", "+", 1) }))
      .where("message_id", "=", messageId)
      // An erasure may have emptied it since it was looked at.
      .where("msg_type", "=", "card");
    if (version !== null) update = update.where("card_version", "=", version);
    return (await update.executeTakeFirst()).numUpdatedRows === 1n;
  },
  async joint(tx, all) {
    const sorted = all.toSorted((a, b) => a.messageId - b.messageId);
    const rows = await replaceAll.rows(tx, {
      messageIds: sorted.map(({ messageId }) => messageId),
      contents: sorted.map(({ content }) => content),
      versions: sorted.map(({ version }) => version),
    });
    return areAmong(rows, all);
  },
  changed: isChange,
  claim,
  lockRank: LOCK_RANK.message,
});

const replaceAll = prepared<{ messageIds: number[]; contents: string[]; versions: (number | null)[] }>()(
  (db, param) => ({
    compile: () =>
      sql<ChangedRow>`
        update messages set content = new.content, card_version = card_version + 1
        from unnest(${param("messageIds")}::bigint[], ${param("contents")}::text[], ${param("versions")}::bigint[])
          as new(message_id, content, version)
        where messages.message_id = new.message_id and msg_type = 'card' and (new.version is null or card_version = new.version)
        returning messages.message_id as "messageId"
      `.compile(db),
  }),
);

interface ChangedRow {
  messageId: number;
}

function areAmong(rows: readonly ChangedRow[], all: readonly ChangedRow[]): boolean[] {
  const changed = new Set(rows.map(({ messageId }) => messageId));
  return all.map(({ messageId }) => changed.has(messageId));
}

/** The version of the card in a message; null when the message is not a card. */
export async function findCardVersion(db: Db, messageId: number): Promise<number | null> {
  const row = await db
    .selectFrom("messages")
    .select("card_version as version")
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  return row?.version ?? null;
}

/** Recalls a message; false when it was recalled already. */
export async function markRecalled(tx: Db, messageId: number, now: number): Promise<boolean> {
  return await recall(tx, { messageId, now });
}

const recall = joint<{ messageId: number; now: number }, boolean>({
  alone: async (tx, { messageId, now }) => {
    const { numUpdatedRows } = await tx
      .updateTable("messages")
      .set({ recalled_at: now })
      .where("message_id", "=", messageId)
      .where("recalled_at", "is", null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  async joint(tx, all) {
    const sorted = all.toSorted((a, b) => a.messageId - b.messageId);
    const rows = await recallAll.rows(tx, {
      messageIds: sorted.map(({ messageId }) => messageId),
      times: sorted.map(({ now }) => now),
    });
    return areAmong(rows, all);
  },
  changed: isChange,
  claim,
  lockRank: LOCK_RANK.message,
});

const recallAll = prepared<{ messageIds: number[]; times: number[] }>()((db, param) => ({
  compile: () =>
    sql<ChangedRow>`
      update messages set recalled_at = new.at
      from unnest(${param("messageIds")}::bigint[], ${param("times")}::bigint[]) as new(message_id, at)
      where messages.message_id = new.message_id and recalled_at is null
      returning messages.message_id as "messageId"
    `.compile(db),
}));
