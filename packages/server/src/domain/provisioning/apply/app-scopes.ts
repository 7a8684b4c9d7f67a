import { type AppType, defaultScopes, isScope, type Scope, scopeAllowedFor } from "@portico/protocol";
import { findPending, setReviewScopes } from "../../applications/review-store.ts";
import { findScopes, removeScope, requestedOf, type ScopeStates } from "../../applications/scope-store.ts";
import { memberItem } from "../applied-state.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { AppPlace } from "./app-place.ts";
import { hasListChanged, listChangesOf } from "./lists.ts";

/** When the file lists no scopes, a new application gets the default scopes of its type. */
export async function provisionScopes(place: AppPlace, isNewType: boolean): Promise<void> {
  const { run, applied, app } = place;
  const given = app.scopes && [...new Set(app.scopes)];
  if (!isNewType && (given === undefined || !hasListChanged(applied, "scopes", given))) {
    run.report.unchanged += given?.length ?? 0;
    return;
  }
  const { type } = await place.lock();
  checkForType(place, type);
  const states = await findScopes(run.tx, place.appId);
  if (isNewType) await dropStray(place, type, states);
  if (given === undefined) {
    await grant(
      place,
      states,
      defaultScopes(type).filter((scope) => states.get(scope) !== "GRANTED"),
    );
    return;
  }
  const { added, removed } = await listChangesOf(run, applied, {
    name: "scopes",
    given,
    present: async () => [...states].flatMap(([scope, state]) => (state === "GRANTED" ? [scope] : [])),
  });
  await drop(place, states, removed.filter(isScope));
  await grant(place, states, added.filter(isScope));
}

/** @throws ProvisioningError for a scope that applications of this type cannot hold. */
function checkForType({ app, path }: AppPlace, type: AppType): void {
  for (const [index, scope] of (app.scopes ?? []).entries()) {
    if (!scopeAllowedFor(scope, type)) {
      throw new ProvisioningError(`${path}.scopes[${index}]`, `is ${scope}, which an app of type ${type} cannot hold`);
    }
  }
}

/**
 * Removes scopes that the type cannot hold, whoever granted them. If a later type can hold them and the file still
 * lists them, they are granted again.
 */
async function dropStray(place: AppPlace, type: AppType, states: ScopeStates): Promise<void> {
  const stray = [...states.keys()].filter((scope) => !scopeAllowedFor(scope, type));
  for (const scope of stray) place.applied.forget(memberItem("scopes", scope));
  await drop(place, states, stray);
}

async function drop(place: AppPlace, states: ScopeStates, scopes: readonly Scope[]): Promise<void> {
  for (const scope of scopes) {
    await removeScope(place.run.tx, place.appId, scope);
    const before = { state: states.get(scope) ?? "GRANTED" };
    await place.audit({ action: "scope.drop", target: `scope:${scope}`, before, after: null });
  }
}

async function grant(place: AppPlace, states: ScopeStates, scopes: readonly Scope[]): Promise<void> {
  if (scopes.length === 0) return;
  const { run, appId } = place;
  await run.tx
    .insertInto("app_scopes")
    .values(scopes.map((scope) => ({ app_id: appId, scope, state: "GRANTED" as const })))
    .onConflict((conflict) => conflict.columns(["app_id", "scope"]).doUpdateSet({ state: "GRANTED" }))
    .execute();
  await place.audit({ action: "scope.grant", target: `app:${appId}`, before: null, after: { granted: scopes } });
  if (scopes.some((scope) => states.get(scope) === "REQUESTED")) await settleReview(place);
}

/** Removes granted scopes from the open request. */
async function settleReview({ run: { tx }, appId }: AppPlace): Promise<void> {
  const pending = await findPending(tx, appId);
  if (pending !== null) await setReviewScopes(tx, pending.reviewId, requestedOf(await findScopes(tx, appId)));
}
