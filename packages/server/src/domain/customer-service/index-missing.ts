import { sql } from "kysely";
import { groupsByBytes } from "../../platform/storage/groups-by-bytes.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { indexMessage } from "./message-search.ts";

/** The entry of `meta` with the last message up to which all are findable. */
const NAME = "customer-texts-up-to";
/** Messages looked at in a round, of which there is one a minute, and in one query. */
const ROUND = 20_000;
const WINDOW = 1_000;
/** What one unit of work indexes: a turn of SQLite's writer must stay short. */
const UNIT_BYTES = 256 * 1024;
const UNIT_MESSAGES = 25;
/** The approximate cost of a message without its content, which bounds how many are in a unit. */
const MESSAGE_BYTES = UNIT_BYTES / UNIT_MESSAGES;
/** Longer than any transaction, which may store a message with a smaller id than others have by then. */
const SETTLED_MS = 5 * 60_000;

/**
 * Makes findable what was stored by a version that knew no search: the messages from before the update, and those that a
 * process of that version wrote while others had been updated. Looks at each message once, oldest first.
 *
 * @param now epoch milliseconds.
 */
export async function indexMissing(storage: Pick<Storage, "db" | "lists" | "unhurried">, now: number): Promise<void> {
  let after = await indexedUpTo(storage.db);
  // Nearly always there are none, and the thread for lists need not begin for it.
  if (!(await isAnyAfter(storage.db, after))) return;
  for (let seen = 0; seen < ROUND; ) {
    const rows = await listWindow(storage.lists, after);
    const young = rows.findIndex(({ createdAt }) => createdAt > now - SETTLED_MS);
    const settled = young === -1 ? rows : rows.slice(0, young);
    const last = settled.at(-1);
    if (last === undefined) return;
    const missing = settled.filter(({ indexed }) => indexed === null);
    for (const { items } of groupsByBytes(missing, ({ bytes }) => bytes + MESSAGE_BYTES, UNIT_BYTES)) {
      await storage.unhurried.write((tx) => indexAll(tx, items));
    }
    after = last.messageId;
    await storage.unhurried.write((tx) => setIndexedUpTo(tx, last.messageId));
    seen += settled.length;
    if (settled.length < WINDOW) return;
  }
}

async function isAnyAfter(db: Db, after: number): Promise<boolean> {
  const ids = db.selectFrom("customer_messages").select("message_id");
  return (await ids.where("message_id", ">", after).orderBy("message_id").limit(1).executeTakeFirst()) !== undefined;
}

async function listWindow(db: Db, after: number) {
  return await db
    .selectFrom("customer_messages")
    .select(({ ref, selectFrom }) => [
      "message_id as messageId",
      "created_at as createdAt",
      // Looked up one by one: PostgreSQL would join by reading all of the index from its beginning.
      selectFrom("customer_texts")
        .select("customer_texts.message_id")
        .whereRef("customer_texts.message_id", "=", "customer_messages.message_id")
        .as("indexed"),
      sql<number>`octet_length(${ref("content")})`.as("bytes"),
    ])
    .where("message_id", ">", after)
    .orderBy("message_id")
    .limit(WINDOW)
    .execute();
}

async function indexAll(tx: Db, messages: readonly { messageId: number }[]): Promise<void> {
  const ids = messages.map(({ messageId }) => messageId);
  const rows = await tx
    .selectFrom("customer_messages")
    .select(["message_id as messageId", "app_id as appId", "content"])
    .where("message_id", "in", ids)
    .execute();
  for (const row of rows) await indexMessage(tx, row);
}

/** The last message up to which all are findable. */
export async function indexedUpTo(db: Db): Promise<number> {
  const row = await db.selectFrom("meta").select("value").where("name", "=", NAME).executeTakeFirst();
  return Number(row?.value ?? 0);
}

async function setIndexedUpTo(tx: Db, messageId: number): Promise<void> {
  const value = String(messageId);
  await tx
    .insertInto("meta")
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
