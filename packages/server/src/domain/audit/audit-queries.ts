import type { AuditEntry, AuditQuery } from "@portico/protocol";
import { sql } from "kysely";
import { JsonText } from "../../platform/http/json-text.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Which entries of the audit log; see {@link AuditQuery}. */
export interface AuditFilter extends Pick<AuditQuery, "actorId" | "action" | "from" | "to"> {
  appId?: string;
  tenantId?: string;
  target?: string;
}

/** A page of the audit log, newest first. */
export interface AuditPage {
  items: AuditEntry[];
  /** The cursor of the next page; null when there is none. */
  nextBefore: number | null;
}

/** The position of an entry: by time, then by id. */
interface Place {
  at: number;
  auditId: number;
}

/**
 * Entries that one page examines. An index answers at most one filter; rows that the other filters exclude are read
 * too, and their number must be bounded.
 */
const WINDOW = 5_000;

/** The indexed columns, most selective first. */
const INDEXED = [
  ["target", "target"],
  ["appId", "app_id"],
  ["actorId", "actor_id"],
  ["tenantId", "tenant_id"],
  ["action", "action"],
] as const;

/**
 * A page of the audit log, newest first. Its cost does not depend on the size of the log or on the filter: a page may
 * contain fewer entries than asked for, or none, and still have a next page.
 *
 * @param before the cursor (`nextBefore`) of the previous page.
 * @returns null when `before` is no entry that the first filter selects.
 */
export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  { before, limit }: { before?: number; limit: number },
): Promise<AuditPage | null> {
  const from = before === undefined ? undefined : await findPlace(db, filter, before);
  if (from === null) return null;
  const rows = await selectRows(db, filter, from, limit + 1);
  const items = rows.slice(0, limit).map(toEntry);
  if (rows.length > limit) return { items, nextBefore: items.at(-1)?.auditId ?? null };
  return { items, nextBefore: await endOfWindow(db, filter, from) };
}

async function findPlace(db: Db, filter: AuditFilter, auditId: number): Promise<Place | null> {
  const row = await selectFirst(db, filter).where("audit_id", "=", auditId).executeTakeFirst();
  return row === undefined ? null : { at: row.at, auditId };
}

/** The entries that match the first filter, by its index, without their bodies. */
function selectFirst(db: Db, filter: AuditFilter) {
  let selected = db
    .selectFrom("audit_entries")
    .select(["audit_id", "at", "target", "app_id", "actor_id", "tenant_id", "action"]);
  const first = INDEXED.find(([name]) => filter[name] !== undefined);
  if (first !== undefined) selected = selected.where(first[1], "=", filter[first[0]] ?? "");
  if (filter.from !== undefined) selected = selected.where("at", ">=", filter.from);
  if (filter.to !== undefined) selected = selected.where("at", "<=", filter.to);
  return selected;
}

/** The rows that a page examines. */
function selectWindow(db: Db, filter: AuditFilter, after: Place | undefined) {
  let selected = selectFirst(db, filter).orderBy("at", "desc").orderBy("audit_id", "desc");
  if (after !== undefined) {
    selected = selected
      .where("at", "<=", after.at)
      .where(sql<boolean>`(at, audit_id) < (cast(${after.at} as bigint), cast(${after.auditId} as bigint))`);
  }
  return selected;
}

/** The last entry of a full window, after which there may be more; null when the window was not full. */
async function endOfWindow(db: Db, filter: AuditFilter, after: Place | undefined): Promise<number | null> {
  const end = await selectWindow(db, filter, after)
    .limit(1)
    .offset(WINDOW - 1)
    .executeTakeFirst();
  return end?.audit_id ?? null;
}

async function selectRows(db: Db, filter: AuditFilter, after: Place | undefined, limit: number) {
  let selected = db
    .selectFrom(selectWindow(db, filter, after).limit(WINDOW).as("seen"))
    .innerJoin("audit_entries as entry", "entry.audit_id", "seen.audit_id")
    .leftJoin("developers", (join) =>
      join.onRef("developer_id", "=", "entry.actor_id").on("actor_type", "=", sql.lit("DEVELOPER")),
    )
    .leftJoin("members", (join) =>
      join.onRef("user_id", "=", "entry.actor_id").on("actor_type", "=", sql.lit("MEMBER")),
    )
    .select([
      "entry.audit_id as auditId",
      "entry.at",
      "actor_type as actorType",
      "entry.actor_id as actorId",
      "developers.name as developerName",
      "members.name as memberName",
      "entry.action",
      "entry.target",
      "entry.app_id as appId",
      "entry.tenant_id as tenantId",
      "before",
      "after",
      "address",
    ])
    .orderBy("seen.at", "desc")
    .orderBy("seen.audit_id", "desc")
    .limit(limit);
  for (const [name, column] of INDEXED) {
    const value = filter[name];
    if (value !== undefined) selected = selected.where(`seen.${column}`, "=", value);
  }
  return await selected.execute();
}

function toEntry(row: Awaited<ReturnType<typeof selectRows>>[number]): AuditEntry {
  const { auditId, at, action, target, appId, tenantId, address } = row;
  const actor = { type: row.actorType, id: row.actorId, name: row.developerName ?? row.memberName };
  const [before, after] = [sideOf(row.before), sideOf(row.after)];
  return { auditId, at, actor, action, target, appId, tenantId, before, after, address };
}

/** The stored JSON text, or null. */
function sideOf(text: string | null): JsonText | null {
  return text === null ? null : new JsonText(text);
}
