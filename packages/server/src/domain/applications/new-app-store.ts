import { type AppType, defaultScopes } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import { lockDevelopers } from "../directory/developer-store.ts";
import type { AppProfile } from "./locked-app.ts";

/** An application to be created. */
export interface NewApp extends AppProfile {
  appId: string;
  type: AppType;
  tenantId: string;
  ownerId: string;
}

/**
 * How many applications the developer owns. It locks the developer until the transaction ends, so that concurrent calls
 * cannot exceed the limit.
 */
export async function countOwnedApps(tx: Db, ownerId: string): Promise<number> {
  await lockDevelopers(tx, [ownerId]);
  const { owned } = await tx
    .selectFrom("apps")
    .select((eb) => eb.fn.countAll<number>().as("owned"))
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return owned;
}

/** Inserts an application, UNPUBLISHED and with the default scopes of its type. */
export async function insertApp(tx: Db, app: NewApp, now: number): Promise<void> {
  const { appId, type, tenantId, ownerId, displayName, avatar, description } = app;
  await tx
    .insertInto("apps")
    .values({
      app_id: appId,
      type,
      tenant_id: tenantId,
      owner_id: ownerId,
      status: "UNPUBLISHED",
      display_name: displayName,
      avatar,
      description,
      per_minute: null,
      per_day: null,
      concurrent: null,
      created_at: now,
    })
    .execute();
  const scopes = defaultScopes(type).map((scope) => ({ app_id: appId, scope, state: "GRANTED" as const }));
  if (scopes.length > 0) await tx.insertInto("app_scopes").values(scopes).execute();
}
