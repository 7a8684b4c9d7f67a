import { sql } from "kysely";
import { rowDigest } from "../../platform/storage/row-digest.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { recordNumberedChange } from "./audit-store.ts";

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

/** The action of an entry that tells which entries an erasure has emptied, with a digest of what is left of each. */
export const EMPTIED = "audit.erase";
/** What the entry of an erasure says: that such entries tell what it has emptied. Those of earlier versions say nothing. */
export const ERASED_AFTER = { emptied: EMPTIED };
/** What an entry says that was emptied. */
const LEFT = ["at", "actor_type", "actor_id", "action", "tenant_id", "app_id", "target", "address"] as const;

const ACTOR = { type: "SYSTEM", id: "erasure", address: "" } as const;

/** The digest of what is left of an entry that was emptied: of its number, and of what it still says. */
export function digestOfLeft(entry: Readonly<Record<string, string | number | null>>): string {
  const cells = ["audit_id", ...LEFT].map((name) => entry[name] ?? null);
  return rowDigest(cells.map((cell) => (cell === null ? null : String(cell))));
}

/**
 * Takes from entries what was changed; that something was changed, by whom and when, stays, and an entry in the chain has a
 * digest of it, since the own digests cannot be compared any more: without the salt nobody can guess what they said.
 *
 * @param ids at most 100.
 * @param of whom the erasure is of: the target of its entry.
 * @param now epoch milliseconds.
 */
export async function emptyEntries(
  tx: Db,
  ids: readonly number[],
  of: { target: string; tenantId?: string },
  now: number,
): Promise<void> {
  const left = await tx
    .selectFrom("audit_entries")
    .select(["audit_id", ...LEFT])
    .where("audit_id", "in", ids)
    .where("erased_by", "is", null)
    .orderBy("audit_id")
    .execute();
  if (left.length === 0) return;
  const after = { entries: Object.fromEntries(left.map((entry) => [entry.audit_id, digestOfLeft(entry)])) };
  const told = await recordNumberedChange(tx, ACTOR, { action: EMPTIED, ...of, before: null, after }, now);
  const emptied = left.map((entry) => entry.audit_id);
  await tx
    .updateTable("audit_entries")
    .set({ before: null, after: null, erased_by: told })
    .where("audit_id", "in", emptied)
    .execute();
  await tx.updateTable("audit_links").set({ salt: null }).where("audit_id", "in", emptied).execute();
}

/** The digest that an entry {@link EMPTIED} tells of another; null when it tells of none, as one may that was changed. */
export function digestToldOf(after: string | null, auditId: number): string | null {
  try {
    const told = JSON.parse(after ?? "") as { entries?: Record<string, string> | null } | null;
    return told?.entries?.[auditId] ?? null;
  } catch {
    return null;
  }
}
