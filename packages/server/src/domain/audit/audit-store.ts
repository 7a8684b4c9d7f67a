import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Who did something, and from where. */
export interface Actor {
  type: "DEVELOPER" | "MEMBER" | "SYSTEM";
  /** developerId or userId; of the system, the part of it that did it. */
  id: string;
  /** The network address that the call came from; empty when there was no call. */
  address: string;
}

/** A change that a person made, or a provisioning file. */
export interface Change {
  /** What was done, as `thing.verb`: `app.create`, `credential.rotate`. */
  action: string;
  /** Which thing it was done to: `app:app_1`, `group:g_team`. */
  target: string;
  appId?: string | null;
  tenantId?: string | null;
  /** What changed, as it was and as it is; null where there was or is nothing. Never a secret, not even a sealed one. */
  before: object | null;
  after: object | null;
}

/** Characters of either side of a change that are kept. */
const MAX_SIDE_LENGTH = 16_384;
/** Of each of its members, when there are more. */
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

/** Writes a change to the audit log, in the transaction that makes it. */
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

/** JSON text; of what would be too long its long members are only named as that. */
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
