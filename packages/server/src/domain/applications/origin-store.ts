import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** The longest possible origin: scheme, name of 253 characters, port. */
const MAX_LENGTH = 300;

/** Scheme, host, optional port. Excludes the wildcard, which would otherwise be accepted as a host name. */
const ORIGIN = /^https?:\/\/[^\s/?#\\@*]+\/?$/i;

/** What browsers write, of host names and addresses alone: origins become part of a header, in which `;` and `,` divide. */
const NORMAL = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** The origin as browsers serialize it (RFC 6454, section 6.2); null when the text is not a web origin. */
export function normalOrigin(text: string): string | null {
  if (!ORIGIN.test(text)) return null;
  const origin = URL.parse(text)?.origin ?? null;
  return origin !== null && origin.length <= MAX_LENGTH && NORMAL.test(origin) ? origin : null;
}

const selectOfApp = prepared<{ appId: string }>()((db, param) =>
  db.selectFrom("app_origins").select("origin").where("app_id", "=", param("appId")),
);
const selectOne = prepared<{ appId: string; origin: string }>()((db, param) =>
  db
    .selectFrom("app_origins")
    .select("app_id")
    .where("origin", "=", param("origin"))
    .where("app_id", "=", param("appId")),
);
const selectAny = prepared<{ origin: string }>()((db, param) =>
  db.selectFrom("app_origins").select("app_id").where("origin", "=", param("origin")).limit(1),
);

/** The origins that may embed the application's widget, in code point order. */
export async function listOrigins(db: Db, appId: string): Promise<string[]> {
  return (await selectOfApp.rows(db, { appId })).map(({ origin }) => origin).sort();
}

/** The same of each of several applications; those without any are left out. */
export async function listOriginsOfEach(db: Db, appIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.selectFrom("app_origins").selectAll().where("app_id", "in", appIds).execute();
  const origins = new Map<string, string[]>();
  for (const { app_id, origin } of rows) origins.set(app_id, [...(origins.get(app_id) ?? []), origin]);
  for (const each of origins.values()) each.sort();
  return origins;
}

/** Replaces the origins of a locked application. They must be normalized and distinct. */
export async function setOrigins(tx: Db, appId: string, origins: readonly string[]): Promise<void> {
  await tx.deleteFrom("app_origins").where("app_id", "=", appId).execute();
  if (origins.length === 0) return;
  await tx
    .insertInto("app_origins")
    .values(origins.map((origin) => ({ origin, app_id: appId })))
    .execute();
}

/** Whether a site may embed the application's widget. `origin` is the value of the browser's Origin header. */
export async function isAllowedOrigin(db: Db, appId: string, origin: string): Promise<boolean> {
  return origin.length <= MAX_LENGTH && (await selectOne.first(db, { appId, origin })) !== undefined;
}

/** Whether a site may embed any application's widget: one index lookup, however many origins there are. */
export async function isAnyonesOrigin(db: Db, origin: string): Promise<boolean> {
  return origin.length <= MAX_LENGTH && (await selectAny.first(db, { origin })) !== undefined;
}
