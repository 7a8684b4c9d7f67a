import { type AppScopeList, type AppType, SCOPE_NAMES, SCOPES, type Scope, scopeAllowedFor } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";

/** The scopes that an application holds or has requested. */
export type ScopeStates = ReadonlyMap<Scope, "GRANTED" | "REQUESTED">;

/** The application's scopes. */
export async function findScopes(db: Db, appId: string): Promise<ScopeStates> {
  const rows = await db.selectFrom("app_scopes").select(["scope", "state"]).where("app_id", "=", appId).execute();
  return new Map(rows.map(({ scope, state }) => [scope, state]));
}

/** The scopes that each of several applications holds. */
export async function findGrantedOfEach(db: Db, appIds: readonly string[]): Promise<Map<string, Scope[]>> {
  const rows = await db
    .selectFrom("app_scopes")
    .select(["app_id as appId", "scope"])
    .where("app_id", "in", appIds)
    .where("state", "=", "GRANTED")
    .execute();
  const scopes = new Map<string, Scope[]>();
  for (const { appId, scope } of rows) scopes.set(appId, [...(scopes.get(appId) ?? []), scope]);
  return scopes;
}

/** All scopes that an application of this type may hold, each with its state. */
export function scopeListOf(type: AppType, states: ScopeStates): AppScopeList {
  return SCOPE_NAMES.filter((scope) => scopeAllowedFor(scope, type)).map((scope) => {
    const { risk, defaultGranted } = SCOPES[scope];
    return { scope, state: states.get(scope) ?? "NONE", risk, defaultGranted };
  });
}

/** Those that have been asked for, in the order of the contract's table. */
export function requestedOf(states: ScopeStates): Scope[] {
  return SCOPE_NAMES.filter((scope) => states.get(scope) === "REQUESTED");
}

/** Asks for scopes; those that are granted or asked for already stay as they are. */
export async function insertRequested(tx: Db, appId: string, scopes: readonly Scope[]): Promise<void> {
  if (scopes.length === 0) return;
  await tx
    .insertInto("app_scopes")
    .values(scopes.map((scope) => ({ app_id: appId, scope, state: "REQUESTED" as const })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Grants those of the scopes that were requested. */
export async function grantRequested(tx: Db, appId: string, scopes: readonly Scope[]): Promise<void> {
  if (scopes.length === 0) return;
  await tx
    .updateTable("app_scopes")
    .set({ state: "GRANTED" })
    .where("app_id", "=", appId)
    .where("state", "=", "REQUESTED")
    .where("scope", "in", scopes)
    .execute();
}

/** Withdraws requested scopes. */
export async function dropRequested(tx: Db, appId: string, scopes: readonly Scope[]): Promise<void> {
  if (scopes.length === 0) return;
  await tx
    .deleteFrom("app_scopes")
    .where("app_id", "=", appId)
    .where("state", "=", "REQUESTED")
    .where("scope", "in", scopes)
    .execute();
}

/** Deletes a scope, whether granted or requested. */
export async function removeScope(tx: Db, appId: string, scope: Scope): Promise<void> {
  await tx.deleteFrom("app_scopes").where("app_id", "=", appId).where("scope", "=", scope).execute();
}
