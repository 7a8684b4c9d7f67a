import type { AuditEntry, AuditQuery } from "@portico/protocol";
import { sql } from "kysely";
import { JsonText } from "../../platform/http/json-text.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Which entries of the audit log; see {@link AuditQuery}. */
export interface AuditFilter extends Pick<AuditQuery, "actorId" | "action" | "from" | "to"> {
  appId?: string;
  tenantId?: string;
}

/** A stretch of the audit log, newest first. */
export interface AuditPage {
  items: AuditEntry[];
  /** Where the next one begins; null when there is none. */
  nextBefore: number | null;
}

/** The place of an entry: by time, and entries of one time by their id. */
interface Place {
  at: number;
  auditId: number;
}

/**
 * Entries that one page looks at. One filter at most is answered by an index; what the others leave out is read, and
 * must not be without end.
 */
const WINDOW = 5_000;

/** The columns that have an index, the one that selects least first. */
const INDEXED = [
  ["appId", "app_id"],
  ["actorId", "actor_id"],
  ["tenantId", "tenant_id"],
  ["action", "action"],
] as const;

/**
 * A page of the audit log, newest first. It takes the same time however long the log is and whatever the filter: a page may
 * hold fewer entries than asked for, or none, and still be followed by another.
 *
 * @param before the entry after which the page begins, as an earlier one's `nextBefore` named it.
 * @returns null when that is none that the filter's first member selects.
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

/** The entries that the index of the filter's first member gives, their bodies unread. */
function selectFirst(db: Db, filter: AuditFilter) {
  let selected = db.selectFrom("audit_entries").select(["audit_id", "at", "app_id", "actor_id", "tenant_id", "action"]);
  const first = INDEXED.find(([name]) => filter[name] !== undefined);
  if (first !== undefined) selected = selected.where(first[1], "=", filter[first[0]] ?? "");
  if (filter.from !== undefined) selected = selected.where("at", ">=", filter.from);
  if (filter.to !== undefined) selected = selected.where("at", "<=", filter.to);
  return selected;
}

/** What a page looks at. */
function selectWindow(db: Db, filter: AuditFilter, after: Place | undefined) {
  let selected = selectFirst(db, filter).orderBy("at", "desc").orderBy("audit_id", "desc");
  if (after !== undefined) {
    selected = selected
      .where("at", "<=", after.at)
      .where(sql<boolean>`(at, audit_id) < (cast(${after.at} as bigint), cast(${after.auditId} as bigint))`);
  }
  return selected;
}

/** The last entry of a whole window: there may be more behind it. Null when the window was not whole. */
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
      "target",
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

/** The JSON text as it was written, or null. */
function sideOf(text: string | null): JsonText | null {
  return text === null ? null : new JsonText(text);
}
