import type { AppState, AppType, Rehearsal, Scope } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { rehearsalOf } from "./rehearsal-store.ts";

/** An application with everything that a signed call needs; secrets are still sealed. */
export interface AppRecord {
  appId: string;
  type: AppType;
  tenantId: string;
  status: AppState;
  displayName: string;
  avatar: string;
  quota: { perMinute: number | null; perDay: number | null; concurrent: number | null };
  grantedScopes: Scope[];
  /** The fault that its owner rehearses; it may have ended. */
  rehearsal: Rehearsal | null;
  credentials: { credentialId: string; secretBox: string; rotatedAt: number | null }[];
}

/**
 * The most credentials that are loaded for an application: the current ones and the most recently rotated; see
 * credential-store.ts.
 */
const MAX_CREDENTIALS = 100;

const selectApp = prepared<{ appId: string }>()((db, param) =>
  db.selectFrom("apps").selectAll().where("app_id", "=", param("appId")),
);
const selectScopes = prepared<{ appId: string }>()((db, param) =>
  db.selectFrom("app_scopes").select("scope").where("app_id", "=", param("appId")).where("state", "=", "GRANTED"),
);
const selectCredentials = prepared<{ appId: string }>()((db, param) =>
  db
    .selectFrom("credentials")
    .select(["credential_id", "secret_box", "rotated_at"])
    .where("app_id", "=", param("appId"))
    .orderBy((eb) => eb("rotated_at", "is", null), "desc")
    .orderBy("rotated_at", "desc")
    .limit(MAX_CREDENTIALS),
);

/** The application, or null. */
export async function findApp(db: Db, appId: string): Promise<AppRecord | null> {
  const app = await selectApp.first(db, { appId });
  if (app === undefined) return null;
  const [scopes, credentials] = [await selectScopes.rows(db, { appId }), await selectCredentials.rows(db, { appId })];
  return {
    appId: app.app_id,
    type: app.type,
    tenantId: app.tenant_id,
    status: app.status,
    displayName: app.display_name,
    avatar: app.avatar,
    quota: { perMinute: app.per_minute, perDay: app.per_day, concurrent: app.concurrent },
    grantedScopes: scopes.map((row) => row.scope),
    rehearsal: rehearsalOf(app, 0),
    credentials: credentials.map((row) => ({
      credentialId: row.credential_id,
      secretBox: row.secret_box,
      rotatedAt: row.rotated_at,
    })),
  };
}

/** The BOT application with this id, with what an installation needs; null when there is none. */
export async function findBotApp(db: Db, appId: string): Promise<{ tenantId: string; status: AppState } | null> {
  return await findAppOfType(db, appId, "BOT");
}

/** The MINI_PROGRAM application with this id, with what opening it needs; null when there is none. */
export async function findMiniProgram(db: Db, appId: string): Promise<{ tenantId: string; status: AppState } | null> {
  return await findAppOfType(db, appId, "MINI_PROGRAM");
}

async function findAppOfType(
  db: Db,
  appId: string,
  type: AppType,
): Promise<{ tenantId: string; status: AppState } | null> {
  const row = await db
    .selectFrom("apps")
    .select(["tenant_id as tenantId", "status"])
    .where("app_id", "=", appId)
    .where("type", "=", type)
    .executeTakeFirst();
  return row ?? null;
}

/** The owner's developerId; null when the application has no owner. */
export async function findOwnerId(db: Db, appId: string): Promise<string | null> {
  const row = await db.selectFrom("apps").select("owner_id").where("app_id", "=", appId).executeTakeFirst();
  return row?.owner_id ?? null;
}

/** The tenant's active BOT applications, by name. */
export async function listBotApps(
  db: Db,
  tenantId: string,
): Promise<{ appId: string; displayName: string; avatar: string }[]> {
  return await db
    .selectFrom("apps")
    .select(["app_id as appId", "display_name as displayName", "avatar"])
    .where("tenant_id", "=", tenantId)
    .where("type", "=", "BOT")
    .where("status", "=", "ACTIVE")
    .orderBy("display_name")
    .orderBy("app_id")
    .execute();
}
