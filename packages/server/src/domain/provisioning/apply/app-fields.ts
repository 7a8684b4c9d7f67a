import type { AppState } from "@portico/protocol";
import { RaceLost } from "../../../platform/storage/savepoint.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { LockedApp } from "../../applications/locked-app.ts";
import { closeReview, findPending, openReview } from "../../applications/review-store.ts";
import { findScopes, requestedOf } from "../../applications/scope-store.ts";
import { ByDefault, type Given } from "../applied-state.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { AppPlace } from "./app-place.ts";
import { changesOf, countOf, type FieldChanges, fieldsOf } from "./apply-fields.ts";
import type { Run } from "./run.ts";

/** An application's scalar fields. */
type AppFields = Omit<LockedApp, "appId" | "description">;

const QUOTA = ["perMinute", "perDay", "concurrent"] as const;
const PROFILE = ["displayName", "avatar"] as const;

/** The result of applying an application's fields. */
interface AppliedFields {
  /** Whether its type has changed, or it is new. */
  isNewType: boolean;
  /** Opens or closes the review that its status requires; call it after the scopes were applied. */
  review(): Promise<void>;
}

/** Applies the fields of an application from the file; creates the application when there is none. */
export async function provisionAppFields(place: AppPlace): Promise<AppliedFields> {
  const { run, applied, app } = place;
  const given = await givenOf(place);
  const items = countOf({ id: true, ...given });
  if (!applied.hasChanges({ id: true, ...given })) {
    run.report.unchanged += items;
    return { isNewType: false, review: async () => {} };
  }
  applied.note("id", true);
  const locked = await place.find();
  if (locked === null) {
    applied.beginAnew();
    applied.noteAll(given);
    await createApp(place, { ...newFields(place), ...fieldsOf(given) });
    run.created(applied.entity, items);
    return { isNewType: true, review: () => review(place, app.status ?? "ACTIVE") };
  }
  run.report.unchanged++;
  const { appId: _, description: __, ...current } = locked;
  const changes = changesOf<AppFields>(run, applied, current, given);
  if (changes === null) return { isNewType: false, review: async () => {} };
  await updateApp(run.tx, place.appId, { ...current, ...changes.after }, changes.after.status !== undefined);
  place.changed();
  await auditChanges(place, changes);
  const { status } = changes.after;
  return {
    isNewType: changes.after.type !== undefined,
    review: async () => {
      if (status !== undefined) await review(place, status);
    },
  };
}

async function givenOf({ run, app, tenantId, path }: AppPlace): Promise<Given<AppFields>> {
  const { type, status, profile = {}, quota = {} } = app;
  const own = (limit: number | undefined) => limit ?? new ByDefault(null);
  return {
    type,
    tenantId: app.tenant === undefined ? new ByDefault(tenantId) : tenantId,
    ownerId: app.owner === undefined ? undefined : await ownerOf(run, app.owner, `${path}.owner`),
    status,
    displayName: profile.displayName,
    avatar: profile.avatar,
    perMinute: own(quota.perMinute),
    perDay: own(quota.perDay),
    concurrent: own(quota.concurrent),
  };
}

/** @throws ProvisioningError when no developer has the phone number. */
async function ownerOf({ tx }: Run, phone: string, path: string): Promise<string> {
  const row = await tx
    .selectFrom("developers")
    .select("developer_id")
    .where("phone", "=", phone)
    .orderBy("channel_id")
    .executeTakeFirst();
  if (row === undefined) throw new ProvisioningError(path, `names an unknown developer ${phone}`);
  return row.developer_id;
}

/** The defaults of a new application. */
function newFields({ appId, tenantId }: { appId: string; tenantId: string }): AppFields {
  const quota = { perMinute: null, perDay: null, concurrent: null };
  return { type: "BOT", tenantId, ownerId: null, status: "ACTIVE", displayName: appId, avatar: "", ...quota };
}

async function createApp(place: AppPlace, fields: AppFields): Promise<void> {
  const { run, appId } = place;
  const { numInsertedOrUpdatedRows } = await run.tx
    .insertInto("apps")
    .values({ app_id: appId, created_at: run.now, ...columnsOf(fields) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) throw new RaceLost(`app ${appId} was made by somebody else`);
  await place.audit({ action: "app.create", target: `app:${appId}`, before: null, after: { ...fields } });
}

/** A file gives no reason for a status; what an operator said of an earlier one does not hold for it. */
async function updateApp(tx: Db, appId: string, fields: AppFields, isStatusNew: boolean): Promise<void> {
  const change = { ...columnsOf(fields), ...(isStatusNew && { disabled_reason: null }) };
  await tx.updateTable("apps").set(change).where("app_id", "=", appId).execute();
}

function columnsOf(fields: AppFields) {
  return {
    type: fields.type,
    tenant_id: fields.tenantId,
    owner_id: fields.ownerId,
    status: fields.status,
    display_name: fields.displayName,
    avatar: fields.avatar,
    per_minute: fields.perMinute,
    per_day: fields.perDay,
    concurrent: fields.concurrent,
  };
}

/** Uses the same action names as the same changes in the console. */
async function auditChanges(place: AppPlace, { before, after }: FieldChanges<AppFields>): Promise<void> {
  const target = `app:${place.appId}`;
  const parts: [action: string, names: readonly (keyof AppFields)[]][] = [
    [statusAction(before.status, after.status), ["status"]],
    ["quota.set", QUOTA],
    ["app.update", [...PROFILE, "type", "tenantId", "ownerId"]],
  ];
  for (const [action, names] of parts) {
    const changed = names.filter((name) => name in after);
    if (changed.length === 0) continue;
    await place.audit({ action, target, before: pick(before, changed), after: pick(after, changed) });
  }
}

function statusAction(before: AppState | undefined, after: AppState | undefined): string {
  if (after === "DISABLED") return "app.disable";
  if (after === "ACTIVE" && before === "DISABLED") return "app.enable";
  return after === "IN_REVIEW" ? "app.submit" : "app.update";
}

function pick<Fields>(fields: Partial<Fields>, names: readonly (keyof Fields)[]): Partial<Fields> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Partial<Fields>;
}

/**
 * An application in review gets a review that an operator can decide on; when it is no longer in review, an open review
 * is closed.
 */
async function review(place: AppPlace, status: AppState): Promise<void> {
  const { run, appId } = place;
  const pending = await findPending(run.tx, appId);
  if (status === "IN_REVIEW" && pending === null) {
    const scopes = requestedOf(await findScopes(run.tx, appId));
    const { ownerId } = await place.lock();
    await openReview(run.tx, { appId, note: "", scopes, submittedBy: ownerId ?? "", now: run.now });
  } else if (pending !== null && (status === "UNPUBLISHED" || (status === "ACTIVE" && pending.scopes.length === 0))) {
    await closeReview(run.tx, pending.reviewId, { state: "WITHDRAWN" });
  }
}
