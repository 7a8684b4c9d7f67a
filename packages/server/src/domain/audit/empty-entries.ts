import { sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";

/** Entries that one query finds. */
const MOST = 500;

/**
 * Entries that say what was changed about an erased person, of those before the one that tells of the erasure; at most
 * some. Once they are emptied, it finds the next.
 *
 * @param targets what they are about.
 */
export async function listEntriesAbout(db: Db, targets: readonly string[], erasedBy: number): Promise<number[]> {
  const rows = await db
    .selectFrom("audit_entries")
    .select("audit_id as id")
    .where("target", "in", targets)
    .where("audit_id", "<", erasedBy)
    .where("erased_by", "is", null)
    .where(sql<boolean>`(before is not null or after is not null)`)
    .limit(MOST)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Takes from entries what was changed; that something was changed, by whom and when, stays. Without the salt nobody can
 * guess what they said, and the chain holds.
 */
export async function emptyEntries(tx: Db, ids: readonly number[], erasedBy: number): Promise<void> {
  const nothing = { before: null, after: null, erased_by: erasedBy };
  await tx.updateTable("audit_entries").set(nothing).where("audit_id", "in", ids).execute();
  await tx.updateTable("audit_links").set({ salt: null }).where("audit_id", "in", ids).execute();
}
