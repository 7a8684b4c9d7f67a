import type { AppState, AppType } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** The fields of an application that views and changes need alike. */
export interface AppFields extends AppProfile {
  appId: string;
  type: AppType;
  tenantId: string;
  /** developerId. */
  ownerId: string | null;
  status: AppState;
}

/** An application whose row is locked: nobody else can change it until the transaction ends. */
export interface LockedApp extends AppFields {
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
 * Locks the application's row. Its status, scopes and credentials change only under this lock. A transaction that needs
 * it must take it before any other lock.
 *
 * @returns null when there is no such application.
 */
export async function lockApp(tx: Db, appId: string): Promise<LockedApp | null> {
  return (await lock.first(tx, { appId })) ?? null;
}

/**
 * Sets the status of a locked application.
 *
 * @param disabledReason why it is DISABLED; null for any other status.
 */
export async function setStatus(
  tx: Db,
  appId: string,
  status: AppState,
  disabledReason: string | null = null,
): Promise<void> {
  const change = { status, disabled_reason: disabledReason };
  await tx.updateTable("apps").set(change).where("app_id", "=", appId).execute();
}

/** The part of an application that its owner edits. */
export interface AppProfile {
  displayName: string;
  avatar: string;
  description: string;
}

/** Sets the profile of a locked application. */
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
