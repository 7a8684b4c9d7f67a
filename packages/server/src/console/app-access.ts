import { ApiError, type AppType, type Scope } from "@portico/protocol";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/schema.ts";
import { ConsoleError } from "./console-error.ts";
import type { Developer } from "./session.ts";

/** An application as its developers deal with it. */
export interface ConsoleApp {
  appId: string;
  type: AppType;
  ownerId: string | null;
}

const selectApp = prepared<{ appId: string; developerId: string }>()((db, param) =>
  db
    .selectFrom("apps")
    .innerJoin("developer_tenants", "developer_tenants.tenant_id", "apps.tenant_id")
    .select(["app_id as appId", "type", "owner_id as ownerId"])
    .where("app_id", "=", param("appId"))
    .where("developer_id", "=", param("developerId")),
);

/** What names the application and who asks for it. */
interface AppCall {
  developer: Developer;
  params: Readonly<Record<string, string>>;
}

/**
 * The application that the path names, for looking at: any developer of its tenant may.
 *
 * @throws ConsoleError 404; to others it does not exist.
 */
export async function visibleApp(db: Db, { developer, params }: AppCall): Promise<ConsoleApp> {
  const app = await selectApp.first(db, { appId: params.appId ?? "", developerId: developer.developerId });
  if (app === undefined) throw new ConsoleError(404, "应用不存在");
  return app;
}

/**
 * The application that the path names, for changing it: only its owner may.
 *
 * @throws ConsoleError 404 like {@link visibleApp}.
 * @throws ApiError 403.
 */
export async function ownApp(db: Db, call: AppCall): Promise<ConsoleApp> {
  const app = await visibleApp(db, call);
  if (app.ownerId !== call.developer.developerId) throw new ApiError("FORBIDDEN", "只有应用的所有者可以执行此操作");
  return app;
}

/** Whether the application holds the scope, or has asked for it. */
export async function hasOrRequested(db: Db, appId: string, scope: Scope): Promise<boolean> {
  const row = await db
    .selectFrom("app_scopes")
    .select("state")
    .where("app_id", "=", appId)
    .where("scope", "=", scope)
    .executeTakeFirst();
  return row !== undefined;
}
