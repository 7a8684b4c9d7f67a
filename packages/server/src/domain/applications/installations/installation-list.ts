import { setImmediate } from "node:timers/promises";
import type { Installation, InstallationState, InstallationsQuery, TargetType } from "@portico/protocol";
import { type AliasedExpression, type Expression, type RawBuilder, sql } from "kysely";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { Db, Dialect, Schema } from "../../../platform/storage/schema.ts";
import type { InstallationPlace } from "./installation-store.ts";

/**
 * The position of an installation in its application's list, which is ordered by first installation. It never changes,
 * so a reader who pages through the list meets each installation once.
 */
export interface ListPlace {
  firstInstalledAt: number;
  targetId: string;
  targetType: TargetType;
}

/** Consecutive installations of the list that match a filter. */
export interface InstallationSlice {
  selected: { installation: Installation; place: ListPlace }[];
  /** Position of the next slice; null at the end of the list. */
  next: ListPlace | null;
}

/** A slice's matching installations, serialized for the answer. */
export interface InstallationTexts {
  /** JSON objects separated by commas; null when none matches. */
  items: string | null;
  /** Position of the next slice; null at the end of the list. */
  next: ListPlace | null;
}

/**
 * Installations that one statement examines. SQLite runs it on this thread in less than half a millisecond, PostgreSQL
 * in about one, after which its processor is free for others.
 */
const SLICE = 100;
/**
 * The same number as a subquery, so that PostgreSQL's planner does not see its value. Without statistics of a table
 * that has grown, the planner would otherwise assume a small application and read and sort the rest of the list for
 * every slice.
 */
const UNSEEN_SLICE = sql<number>`(select ${sql.lit(SLICE)})`;
/** Installations that one statement counts, in about 2 ms. */
const COUNTED_AT_ONCE = 10_000;

/** The slice of the application's installations after `after`; null starts at the beginning. */
export async function listInstallationSlice(
  db: Db,
  appId: string,
  filter: InstallationsQuery,
  after: ListPlace | null,
): Promise<InstallationSlice> {
  const rows = await withNames(db, selectAfter(db, appId, after).select(columns).limit(UNSEEN_SLICE))
    .orderBy(ORDER)
    .execute();
  const last = rows.at(-1);
  const selected = rows.filter(
    ({ target_type, status }) =>
      (filter.targetType ?? target_type) === target_type && (filter.status ?? status) === status,
  );
  return {
    selected: selected.map((row) => ({ installation: toInstallation(row), place: placeOf(row) })),
    next: last !== undefined && rows.length === SLICE ? placeOf(last) : null,
  };
}

/**
 * The same slice as JSON text. The database serializes it, because that costs the event loop less than reading rows.
 */
export async function listInstallationTexts(
  db: Db,
  dialect: Dialect,
  appId: string,
  { targetType, status }: InstallationsQuery,
  after: ListPlace,
): Promise<InstallationTexts> {
  const filter = { filterType: targetType ?? null, filterStatus: status ?? null };
  // Not a look-up of one row: others would have to wait for it.
  const [row] = await selectTexts[dialect].rows(db, { appId, ...filter, ...after });
  if (row === undefined) return { items: null, next: null };
  const { items, size, ...last } = row;
  return { items, next: Number(size) === SLICE ? last : null };
}

/** The position before all others. */
export const BEGINNING: ListPlace = { firstInstalledAt: -1, targetId: "", targetType: "GROUP" };

/** A page of the application's installations, and the total. */
export async function listInstallations(
  db: Db,
  appId: string,
  filter: InstallationsQuery,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ items: Installation[]; total: number }> {
  const items: Installation[] = [];
  let total = 0;
  let toSkip = (page - 1) * pageSize;
  for (let after: ListPlace | null = null; ; await setImmediate()) {
    const { size, selected } = await countAfter(db, appId, filter, after);
    total += selected;
    const limit = pageSize - items.length;
    if (limit > 0 && toSkip < selected) {
      const rows = selectAfter(db, appId, after).select(columns).limit(COUNTED_AT_ONCE).as("installations");
      const chosen = db
        .selectFrom(rows)
        .selectAll()
        .where(isSelected(filter))
        .orderBy(ORDER)
        .limit(limit)
        .offset(toSkip);
      items.push(...(await withNames(db, chosen).orderBy(ORDER).execute()).map(toInstallation));
    }
    toSkip = Math.max(0, toSkip - selected);
    if (size < COUNTED_AT_ONCE) return { items, total };
    const last = await selectAfter(db, appId, after)
      .select(["first_installed_at", "target_id", "target_type"])
      .limit(1)
      .offset(COUNTED_AT_ONCE - 1)
      .executeTakeFirst();
    if (last === undefined) return { items, total };
    after = placeOf(last);
  }
}

/** One installation, as shown to the application; null when there never was one. */
export async function findInstallation(
  db: Db,
  { appId, targetType, targetId }: InstallationPlace,
): Promise<Installation | null> {
  const chosen = db
    .selectFrom("installations")
    .select(columns)
    .where("app_id", "=", appId)
    .where("target_type", "=", targetType)
    .where("target_id", "=", targetId);
  const row = await withNames(db, chosen).executeTakeFirst();
  return row === undefined ? null : toInstallation(row);
}

const columns = ["target_id", "target_type", "status", "installed_at", "first_installed_at"] as const;
/** The columns that a {@link ListPlace} is compared with. */
const ORDER = sql`first_installed_at, target_id, target_type`;

/** The application's installations after `after`, in list order. */
function selectAfter(db: Db, appId: string, after: ListPlace | null) {
  const all = db.selectFrom("installations").where("app_id", "=", appId).orderBy(ORDER);
  if (after === null) return all;
  const { firstInstalledAt, targetId, targetType } = after;
  return all.where(sql<boolean>`(${ORDER}) > (${firstInstalledAt}, ${targetId}, ${targetType})`);
}

/** Reads one index only. */
async function countAfter(
  db: Db,
  appId: string,
  filter: InstallationsQuery,
  after: ListPlace | null,
): Promise<{ size: number; selected: number }> {
  const rows = selectAfter(db, appId, after).select(["target_type", "status"]).limit(COUNTED_AT_ONCE);
  const { size, selected } = await db
    .selectFrom(rows.as("installations"))
    .select(({ fn }) => [
      fn.countAll<number>().as("size"),
      fn.countAll<number>().filterWhere(isSelected(filter)).as("selected"),
    ])
    .executeTakeFirstOrThrow();
  return { size: Number(size), selected: Number(selected) };
}

/** Whether an installation matches the filter. */
function isSelected({ targetType, status }: InstallationsQuery) {
  const conditions = [
    ...(targetType === undefined ? [] : [sql`target_type = ${targetType}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
  ];
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

type ChosenRow = Pick<Schema["installations"], "target_id" | "target_type" | "status" | "installed_at"> & {
  first_installed_at: number;
};
type Chosen = Expression<ChosenRow> & { as(alias: "installations"): AliasedExpression<ChosenRow, "installations"> };

/**
 * The name of the installation's target. A subquery for each row: with a join the planner may read all members when it
 * expects few.
 */
const TARGET_NAME = sql<string>`coalesce(case target_type
  when 'GROUP' then (select name from "groups" where group_id = target_id)
  else (select name from members where user_id = target_id) end, '')`;

/** The selected installations with the names of their targets. */
function withNames(db: Db, chosen: Chosen) {
  return db.selectFrom(chosen.as("installations")).selectAll("installations").select(TARGET_NAME.as("name"));
}

interface TextParams extends ListPlace, Record<string, unknown> {
  appId: string;
  filterType: TargetType | null;
  filterStatus: InstallationState | null;
}

/** @param quote writes a text as JSON, character for character as `JSON.stringify` does. */
function selectTextsBy(quote: (text: RawBuilder<string>) => RawBuilder<string>) {
  return prepared<TextParams>()((db, param) => {
    const item = sql`'{"targetId":' || ${quote(sql`target_id`)} || ',"targetType":' || ${quote(sql`target_type`)} ||
      ',"status":' || ${quote(sql`status`)} || ',"name":' || ${quote(TARGET_NAME)} || ',"installedAt":' || installed_at || '}'`;
    const isSelected = sql`target_type = coalesce(cast(${param("filterType")} as text), target_type)
      and status = coalesce(cast(${param("filterStatus")} as text), status)`;
    const place = sql`${param("firstInstalledAt")}, ${param("targetId")}, ${param("targetType")}`;
    const statement = sql<ListPlace & { size: number; items: string | null }>`
      with slice as materialized (
        select first_installed_at, target_id, target_type, case when ${isSelected} then ${item} end as item
        from installations where app_id = ${param("appId")} and (${ORDER}) > (${place})
        order by ${ORDER} limit ${UNSEEN_SLICE}
      )
      select first_installed_at as "firstInstalledAt", target_id as "targetId", target_type as "targetType",
        (select count(*) from slice) as size, (select string_agg(item, ',' order by ${ORDER}) from slice) as items
      from slice order by first_installed_at desc, target_id desc, target_type desc limit 1`;
    return { compile: () => statement.compile(db) };
  });
}

const selectTexts = {
  sqlite: selectTextsBy((text) => sql`json_quote(${text})`),
  postgres: selectTextsBy((text) => sql`cast(to_json(${text}) as text)`),
};

type Row = Awaited<ReturnType<ReturnType<typeof withNames>["execute"]>>[number];

function toInstallation(row: Row): Installation {
  return {
    targetId: row.target_id,
    targetType: row.target_type,
    status: row.status,
    name: row.name,
    installedAt: row.installed_at,
  };
}

function placeOf(row: Pick<Row, "first_installed_at" | "target_id" | "target_type">): ListPlace {
  return { firstInstalledAt: row.first_installed_at, targetId: row.target_id, targetType: row.target_type };
}
