import { sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { isAnonymous } from "./anonymous-visitors.ts";

/** The entry of `meta` with the last visitor that was looked at; after the last of all it begins again. */
const NAME = "anonymous-visitors-up-to";
/** Visitors looked at in a round, of which there is one a minute, and removed by one unit of work. */
const ROUND = 2_000;
const UNIT = 50;

/** Whatever would be left without its visitor, and may be more than nothing. */
const KEPT_BY = ["visitor_keys", "visitor_tokens", "customer_sessions", "customer_messages", "customer_notes"] as const;

/**
 * Removes visitors who came without a name, have no key to come back by, and never opened a session: nobody can meet them
 * again. All visitors are looked at in turn, so that no index is needed for it.
 */
export async function sweepAnonymous(storage: Pick<Storage, "db" | "lists" | "unhurried">): Promise<number> {
  const after = await upTo(storage.db);
  // A service without visitors need not begin its thread for lists each minute.
  if (after === "" && !(await isAny(storage.db))) return 0;
  const rows = await storage.lists
    .selectFrom("visitors")
    .select(["visitor_id as visitorId", "third_user_id as thirdUserId"])
    .where("visitor_id", ">", after)
    .orderBy("visitor_id")
    .limit(ROUND)
    .execute();
  const anonymous = rows.filter(({ thirdUserId }) => isAnonymous(thirdUserId)).map(({ visitorId }) => visitorId);
  let removed = 0;
  for (let at = 0; at < anonymous.length; at += UNIT) {
    const some = anonymous.slice(at, at + UNIT);
    removed += await storage.unhurried.write((tx) => removeUnknown(tx, some));
  }
  const last = rows.length < ROUND ? "" : (rows.at(-1)?.visitorId ?? "");
  if (last !== after) await storage.unhurried.write((tx) => setUpTo(tx, last));
  return removed;
}

async function isAny(db: Db): Promise<boolean> {
  const ids = db.selectFrom("visitors").select("visitor_id").where("visitor_id", ">", "");
  return (await ids.orderBy("visitor_id").limit(1).executeTakeFirst()) !== undefined;
}

async function removeUnknown(tx: Db, visitorIds: readonly string[]): Promise<number> {
  const unknown = sql.join(
    KEPT_BY.map(
      (table) =>
        sql`not exists (select 1 from ${sql.table(table)} as kept where kept.visitor_id = visitors.visitor_id)`,
    ),
    sql` and `,
  );
  const { rows } = await sql<{ visitorId: string }>`
    select visitor_id as "visitorId" from visitors
    where visitor_id in (${sql.join(visitorIds)}) and ${unknown}`.execute(tx);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ visitorId }) => visitorId);
  await tx.deleteFrom("customer_reads").where("visitor_id", "in", ids).execute();
  await tx.deleteFrom("visitors").where("visitor_id", "in", ids).execute();
  return ids.length;
}

async function upTo(db: Db): Promise<string> {
  const row = await db.selectFrom("meta").select("value").where("name", "=", NAME).executeTakeFirst();
  return row?.value ?? "";
}

async function setUpTo(tx: Db, value: string): Promise<void> {
  await tx
    .insertInto("meta")
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
