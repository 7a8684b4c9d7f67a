import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { search } from "../../platform/storage/search/search.ts";

/** The first characters of a text by which it is found: what a message costs to index must not depend on its length. */
const MAX_SAID_LENGTH = 500;

const insert = prepared<{ messageId: number; appId: string; said: string }>()((db, param) =>
  db
    .insertInto("customer_texts")
    .values({ message_id: param("messageId"), app_id: param("appId"), said: param("said") })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Makes a message findable, unless it is already, by the beginning of its text or by its file's name. */
export async function indexMessage(
  tx: Db,
  { messageId, appId, content }: { messageId: number; appId: string; content: string },
): Promise<void> {
  const said = saidIn(content);
  if (said !== "") await insert.affected(tx, { messageId, appId, said });
}

/** @param content JSON text. */
function saidIn(content: string): string {
  const parsed: unknown = JSON.parse(content);
  const text = typeof parsed === "object" && parsed !== null && "fileName" in parsed ? parsed.fileName : parsed;
  // A database's texts contain neither NUL nor half of a character.
  return typeof text === "string" ? text.slice(0, MAX_SAID_LENGTH).replaceAll("\0", " ").toWellFormed() : "";
}

/** The ids of an application's messages that contain the keyword, newest first. To be read through `storage.lists`. */
export async function findMessageIds(
  db: Db,
  dialect: Dialect,
  appId: string,
  { keyword, before, limit }: { keyword: string; before: number; limit: number },
): Promise<number[]> {
  const conditions = [sql<boolean>`customer_texts.message_id < ${before}`];
  const { where } = await search(db, dialect, "customer_texts", { scope: appId, keyword, conditions });
  const rows = await db
    .selectFrom("customer_texts")
    .select("message_id as messageId")
    .where(where)
    .orderBy("message_id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ messageId }) => messageId);
}
