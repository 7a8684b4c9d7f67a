import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Longer than any origin can be: a scheme, a name of 253 characters, a port. */
const MAX_LENGTH = 300;

/** A scheme, a host and perhaps a port, and no more; a wildcard would be taken for a name. */
const ORIGIN = /^https?:\/\/[^\s/?#\\@*]+\/?$/i;

/** The origin as browsers write it (RFC 6454, section 6.2); null for what is none of the web. */
export function normalOrigin(text: string): string | null {
  if (!ORIGIN.test(text)) return null;
  const origin = URL.parse(text)?.origin ?? null;
  return origin !== null && origin.length <= MAX_LENGTH ? origin : null;
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

/** The origins that the application's widget may be put on, in the order of their characters. */
export async function listOrigins(db: Db, appId: string): Promise<string[]> {
  return (await selectOfApp.rows(db, { appId })).map(({ origin }) => origin).sort();
}

/** Makes the origins of a locked application these, each normal and none twice. */
export async function setOrigins(tx: Db, appId: string, origins: readonly string[]): Promise<void> {
  await tx.deleteFrom("app_origins").where("app_id", "=", appId).execute();
  if (origins.length === 0) return;
  await tx
    .insertInto("app_origins")
    .values(origins.map((origin) => ({ origin, app_id: appId })))
    .execute();
}

/** Whether the application's widget may be put on a site. `origin` is as a browser says it. */
export async function isAllowedOrigin(db: Db, appId: string, origin: string): Promise<boolean> {
  return origin.length <= MAX_LENGTH && (await selectOne.first(db, { appId, origin })) !== undefined;
}

/** Whether the widget of any application may be put on a site: one step into an index, however many there are. */
export async function isAnyonesOrigin(db: Db, origin: string): Promise<boolean> {
  return origin.length <= MAX_LENGTH && (await selectAny.first(db, { origin })) !== undefined;
}
