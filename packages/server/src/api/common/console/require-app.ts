import type { AppQuota, ConsoleAppView } from "@portico/protocol";
import { findAppRow } from "../../../domain/applications/app-lists.ts";
import { findQuota } from "../../../domain/applications/app-quota.ts";
import { appViewOf } from "../../../domain/applications/app-views.ts";
import { type LockedApp, lockApp } from "../../../domain/applications/locked-app.ts";
import { listOrigins } from "../../../domain/applications/origin-store.ts";
import { findScopes, scopeListOf } from "../../../domain/applications/scope-store.ts";
import { findWidget } from "../../../domain/applications/widget-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "./console-error.ts";
import type { LimitParts } from "./console-parts.ts";

function unknownApp(): ConsoleError {
  return new ConsoleError("APP_NOT_FOUND");
}

/**
 * The application, locked until the transaction ends.
 *
 * @throws ConsoleError 404 when there is none.
 */
export async function requireLockedApp(tx: Db, appId: string): Promise<LockedApp> {
  const app = await lockApp(tx, appId);
  if (app === null) throw unknownApp();
  return app;
}

/**
 * The application with its owner and its newest review.
 *
 * @throws ConsoleError 404 when there is none.
 */
export async function requireAppRow(db: Db, appId: string) {
  const row = await findAppRow(db, appId);
  if (row === null) throw unknownApp();
  return row;
}

/** The application as developers see it. @throws ConsoleError 404 when there is none. */
export async function viewApp(db: Db, appId: string): Promise<ConsoleAppView> {
  return appViewOf(await requireAppRow(db, appId));
}

/**
 * The effective limits of the application.
 *
 * @throws ConsoleError 404 when there is none.
 */
export async function requireQuota(ctx: LimitParts, db: Db, appId: string): Promise<AppQuota> {
  const quota = await findQuota(ctx, db, appId);
  if (quota === null) throw unknownApp();
  return quota;
}

/**
 * Details of the application besides its own row.
 *
 * @throws ConsoleError 404 when there is no such application.
 */
export async function getAppDetails(ctx: LimitParts, { appId, type }: Pick<LockedApp, "appId" | "type">) {
  const { db } = ctx.storage;
  const quota = await requireQuota(ctx, db, appId);
  const scopes = scopeListOf(type, await findScopes(db, appId));
  return { allowedOrigins: await listOrigins(db, appId), ...(await findWidget(db, appId)), scopes, quota };
}
