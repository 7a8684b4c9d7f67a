import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Who made a change, and from where. */
export interface Actor {
  type: "DEVELOPER" | "MEMBER" | "SYSTEM";
  /** developerId or userId; for the system, the name of the component. */
  id: string;
  /** IP address of the call; empty when there was no call. */
  address: string;
}

/** A change by a person or by a provisioning file. */
export interface Change {
  /** The kind of change, as `thing.verb`: `app.create`, `credential.rotate`. */
  action: string;
  /** The changed object: `app:app_1`, `group:g_team`. */
  target: string;
  appId?: string | null;
  tenantId?: string | null;
  /**
   * The changed fields before and after; null when the object did not exist or was deleted. Never a secret, not even a
   * sealed one.
   */
  before: object | null;
  after: object | null;
}

/** The most characters stored for either side of a change. */
const MAX_SIDE_LENGTH = 16_384;
/** When a side is longer: the most characters stored for each of its fields. */
const MAX_MEMBER_LENGTH = 1_024;

const insert = prepared<{
  at: number;
  actorType: Actor["type"];
  actorId: string;
  action: string;
  tenantId: string | null;
  appId: string | null;
  target: string;
  before: string | null;
  after: string | null;
  address: string;
}>()((db, param) =>
  db.insertInto("audit_entries").values({
    at: param("at"),
    actor_type: param("actorType"),
    actor_id: param("actorId"),
    action: param("action"),
    tenant_id: param("tenantId"),
    app_id: param("appId"),
    target: param("target"),
    before: param("before"),
    after: param("after"),
    address: param("address"),
  }),
);

/** Writes a change to the audit log, in the same transaction as the change. */
export async function recordChange(tx: Db, actor: Actor, change: Change, now: number): Promise<void> {
  const { action, target, appId = null, tenantId = null, before, after } = change;
  await insert.affected(tx, {
    at: now,
    actorType: actor.type,
    actorId: actor.id,
    action,
    tenantId,
    appId,
    target,
    before: sideOf(before),
    after: sideOf(after),
    address: actor.address,
  });
}

/** {@link recordChange}, for who needs to name the entry. @returns its auditId. */
export async function recordNumberedChange(tx: Db, actor: Actor, change: Change, now: number): Promise<number> {
  const { action, target, appId, tenantId, before, after } = change;
  const { audit_id } = await tx
    .insertInto("audit_entries")
    .values({
      at: now,
      actor_type: actor.type,
      actor_id: actor.id,
      action,
      tenant_id: tenantId ?? null,
      app_id: appId ?? null,
      target,
      before: sideOf(before),
      after: sideOf(after),
      address: actor.address,
    })
    .returning("audit_id")
    .executeTakeFirstOrThrow();
  return audit_id;
}

/** The newest entry about a target with this action; null when there is none. */
export async function latestEntryOf(
  db: Db,
  { target, action }: Pick<Change, "target" | "action">,
): Promise<number | null> {
  const row = await db
    .selectFrom("audit_entries")
    .select("audit_id as auditId")
    .where("target", "=", target)
    .where("action", "=", action)
    .orderBy("at", "desc")
    .orderBy("audit_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.auditId ?? null;
}

/** JSON text. When it would be too long, long fields are replaced by a note. */
function sideOf(side: object | null): string | null {
  if (side === null) return null;
  const text = JSON.stringify(side);
  if (text.length <= MAX_SIDE_LENGTH) return text;
  const members = Object.entries(side).map(([name, value]) => {
    const length = JSON.stringify(value)?.length ?? 0;
    return [name, length <= MAX_MEMBER_LENGTH ? value : { tooLong: length }];
  });
  const shortened = JSON.stringify(Object.fromEntries(members));
  return shortened.length <= MAX_SIDE_LENGTH ? shortened : JSON.stringify({ tooLong: text.length });
}
