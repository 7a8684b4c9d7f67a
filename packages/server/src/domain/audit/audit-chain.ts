import { sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";
import { recordChange } from "./audit-store.ts";

/*
 * The database links each entry of the audit log to the one before (migration 0028): `audit_links` has the digest of what
 * the entry says, salted so that nobody can guess what an erased entry said, and a hash over that, the place and the hash
 * before. `meta` has both ends: `audit-head` is the newest link; `audit-anchor` the newest that was swept, or the start,
 * followed by the last entry from before there was a chain, and the last entry that was swept.
 */

/** A link: its place and its hash. */
export interface ChainEnd {
  position: number;
  hash: string;
}

/** Where what is left of the chain begins. */
export interface AuditAnchor extends ChainEnd {
  /** The last entry from before the chain. */
  start: number;
  /** The highest auditId of entries that were swept. */
  lastSwept: number;
}

const HEAD = "audit-head";
const ANCHOR = "audit-anchor";

/** The action of an entry that says where the sweep found entries missing. */
export const GAP = "audit.gap";
const SWEEP = { type: "SYSTEM", id: "sweep", address: "" } as const;

/** Links removed by one unit of work. */
const SLICE = 500;

/** The newest link. */
export async function auditHead(db: Db): Promise<ChainEnd> {
  const [position, hash = ""] = await partsOf(db, HEAD);
  return { position: Number(position), hash };
}

/** Where what is left of the chain begins. */
export async function auditAnchor(db: Db): Promise<AuditAnchor> {
  const [position, hash = "", start, lastSwept = "0"] = await partsOf(db, ANCHOR);
  return { position: Number(position), hash, start: Number(start), lastSwept: Number(lastSwept) };
}

async function partsOf(db: Db, name: string): Promise<string[]> {
  const row = await db.selectFrom("meta").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value.split(" ") ?? ["0", "", "0"];
}

/**
 * Removes entries from before `before`, oldest first. The chain stays checkable: its beginning is noted. An entry behind a
 * younger one stays as long as that. Where entries are missing that nobody should have been able to remove, it goes on as soon
 * as the next one is old, and an entry of its own says so ({@link GAP}).
 *
 * @param now the time of such an entry, in epoch milliseconds.
 */
export async function sweepAudit(storage: Writes, before: number, now: number): Promise<void> {
  while ((await storage.write((tx) => sweepSlice(tx, before, now))) === SLICE);
  while ((await storage.write((tx) => sweepUnlinked(tx, before))) === SLICE);
}

async function sweepSlice(tx: Db, before: number, now: number): Promise<number> {
  if ((await oldest(tx, before)).old.length === 0) return 0;
  // Of processes that sweep at the same time, one waits for the other.
  await tx.updateTable("meta").set({ name: ANCHOR }).where("name", "=", ANCHOR).execute();
  const { anchor, old } = await oldest(tx, before);
  const last = old.at(-1);
  if (last === undefined) return 0;
  const ids = old.map(({ auditId }) => auditId);
  const { numDeletedRows } = await tx
    .deleteFrom("audit_entries")
    .where("audit_id", "in", ids)
    .executeTakeFirstOrThrow();
  await tx.deleteFrom("audit_links").where("position", "<=", last.position).execute();
  const swept = Math.max(anchor.lastSwept, ...ids);
  const value = `${last.position} ${last.hash} ${anchor.start} ${swept}`;
  await tx.updateTable("meta").set({ value }).where("name", "=", ANCHOR).execute();
  const missing = last.position - anchor.position - Number(numDeletedRows);
  if (missing > 0) {
    const after = { missing, from: anchor.position + 1, to: last.position };
    await recordChange(tx, SWEEP, { action: GAP, target: "audit", before: null, after }, now);
  }
  return old.length;
}

/** The oldest entries, up to the first that is to stay. Of one that is missing, the age is that of the next. */
async function oldest(tx: Db, before: number) {
  const anchor = await auditAnchor(tx);
  const { rows } = await sql<{ position: number; auditId: number; hash: string; at: number | null }>`
    select l.position, l.audit_id as "auditId", l.hash, e.at from audit_links as l
    left join audit_entries as e on e.audit_id = l.audit_id
    where l.position > ${anchor.position} order by l.position limit ${sql.lit(SLICE)}`.execute(tx);
  const young = rows.findIndex(({ at }) => at !== null && at >= before);
  const old = young === -1 ? rows : rows.slice(0, young);
  const lastThere = old.findLastIndex(({ at }) => at !== null);
  if (lastThere === old.length - 1) return { anchor, old };
  const next = await firstAfter(tx, old.at(-1)?.position ?? anchor.position);
  return { anchor, old: next !== null && next < before ? old : old.slice(0, lastThere + 1) };
}

/** When the first entry that is there was made, of those after a position; null when there is none. */
async function firstAfter(tx: Db, position: number): Promise<number | null> {
  const { rows } = await sql<{ at: number }>`select e.at from audit_links as l
    join audit_entries as e on e.audit_id = l.audit_id
    where l.position > ${position} order by l.position limit 1`.execute(tx);
  return rows[0]?.at ?? null;
}

/** Entries from before there was a chain. */
async function sweepUnlinked(tx: Db, before: number): Promise<number> {
  const { start } = await auditAnchor(tx);
  const old = tx
    .selectFrom("audit_entries")
    .select("audit_id")
    .where("at", "<", before)
    .where("audit_id", "<=", start)
    .orderBy("at")
    .orderBy("audit_id")
    .limit(SLICE);
  const { numDeletedRows } = await tx
    .deleteFrom("audit_entries")
    .where("audit_id", "in", old)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
