import type { AppState, AppType, Scope } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Developer } from "../accounts/developer.ts";

/** An application as the console's endpoints need it. */
export interface ConsoleApp {
  appId: string;
  type: AppType;
  tenantId: string;
  ownerId: string | null;
  status: AppState;
}

const selectApp = prepared<{ appId: string; developerId: string }>()((db, param) =>
  db
    .selectFrom("apps")
    .innerJoin("developer_tenants", "developer_tenants.tenant_id", "apps.tenant_id")
    .select(["app_id as appId", "type", "apps.tenant_id as tenantId", "owner_id as ownerId", "status"])
    .where("app_id", "=", param("appId"))
    .where("developer_id", "=", param("developerId")),
);

/**
 * The application, if the developer belongs to its tenant and their login may see that; null otherwise, so that callers cannot tell whether it
 * exists.
 */
export async function findVisibleApp(
  db: Db,
  appId: string,
  { developerId, tenantId }: Pick<Developer, "developerId" | "tenantId">,
): Promise<ConsoleApp | null> {
  const app = await selectApp.first(db, { appId, developerId });
  return app !== undefined && (tenantId === null || tenantId === app.tenantId) ? app : null;
}

/** Whether the application holds the scope or has requested it. */
export async function hasOrRequested(db: Db, appId: string, scope: Scope): Promise<boolean> {
  const row = await db
    .selectFrom("app_scopes")
    .select("state")
    .where("app_id", "=", appId)
    .where("scope", "=", scope)
    .executeTakeFirst();
  return row !== undefined;
}
