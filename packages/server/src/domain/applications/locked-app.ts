import type { AppState, AppType } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** An application's own row, which nobody else changes until the transaction that holds it ends. */
export interface LockedApp {
  appId: string;
  type: AppType;
  tenantId: string;
  /** developerId. */
  ownerId: string | null;
  status: AppState;
  displayName: string;
  avatar: string;
  description: string;
  perMinute: number | null;
  perDay: number | null;
  concurrent: number | null;
}

const lock = prepared<{ appId: string }>()((db, param) =>
  db
    .updateTable("apps")
    .set((eb) => ({ status: eb.ref("status") }))
    .where("app_id", "=", param("appId"))
    .returning([
      "app_id as appId",
      "type",
      "tenant_id as tenantId",
      "owner_id as ownerId",
      "status",
      "display_name as displayName",
      "avatar",
      "description",
      "per_minute as perMinute",
      "per_day as perDay",
      "concurrent",
    ]),
);

/**
 * Locks the application: its life, its scopes and its credentials change only under this lock, one change after another.
 * Whoever needs it takes it before all else. Null when there is no such application.
 */
export async function lockApp(tx: Db, appId: string): Promise<LockedApp | null> {
  return (await lock.first(tx, { appId })) ?? null;
}

/** Makes the locked application's status another. */
export async function setStatus(tx: Db, appId: string, status: AppState): Promise<void> {
  await tx.updateTable("apps").set({ status }).where("app_id", "=", appId).execute();
}

/** What its owner says of an application. */
export interface AppProfile {
  displayName: string;
  avatar: string;
  description: string;
}

/** Makes the locked application's profile another. */
export async function setProfile(
  tx: Db,
  appId: string,
  { displayName, avatar, description }: AppProfile,
): Promise<void> {
  await tx
    .updateTable("apps")
    .set({ display_name: displayName, avatar, description })
    .where("app_id", "=", appId)
    .execute();
}
