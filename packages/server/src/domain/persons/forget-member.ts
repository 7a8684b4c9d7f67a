import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { endTokens } from "../accounts/member-session.ts";
import type { Change } from "../audit/audit-store.ts";
import { latestEntryOf } from "../audit/audit-store.ts";
import { ERASED_AFTER } from "../audit/empty-entries.ts";
import { lockMember } from "../directory/member-store.ts";
import { removeFromScimGroups } from "../scim/group-store.ts";
import { markDeleted } from "../scim/user-store.ts";
import { type ErasureRow, findErasure, insertErasure } from "./erasure-store.ts";
import { STEP_NAMES } from "./step.ts";

const ACTION = "member.erase";

/** Who erases a member, and when. */
interface Eraser {
  /** Writes a change to the audit log. */
  audit(tx: Db, change: Change): Promise<void>;
  now: number;
}

/**
 * Takes away what a member is known by and all that they could act with, and begins the removal of what they have left.
 * The row stays, since the conversations of others refer to it; the username is free again, and whoever is given it is
 * somebody new. Repeated, it changes nothing.
 *
 * @returns null when the tenant has no such member.
 */
export async function forgetMember(
  tx: Db,
  dialect: Dialect,
  { tenantId, userId }: { tenantId: string; userId: string },
  { audit, now }: Eraser,
): Promise<ErasureRow | null> {
  const member = await lockMember(tx, tenantId, userId);
  const known = await findErasure(tx, tenantId, userId);
  if (member === null || known !== null) return known;
  await endTokens(tx, userId);
  await removeFromScimGroups(tx, userId);
  await tx.deleteFrom("group_members").where("user_id", "=", userId).execute();
  await tx
    .updateTable("installations")
    .set({ status: "UNINSTALLED" })
    .where("target_type", "=", "USER")
    .where("target_id", "=", userId)
    .where("status", "<>", "UNINSTALLED")
    .execute();
  await markDeleted(tx, tenantId, userId, now);
  await tx.updateTable("members").set({ name: "", phone: null }).where("user_id", "=", userId).execute();
  const target = `member:${userId}`;
  await audit(tx, { action: ACTION, target, tenantId, before: null, after: ERASED_AFTER });
  const erasedBy = (await latestEntryOf(tx, { target, action: ACTION })) ?? 0;
  const { username, name, phone } = member;
  const searched = { username, name, phone };
  await insertErasure(tx, dialect, { userId, tenantId, step: STEP_NAMES[0], searched, erasedBy, now });
  return await findErasure(tx, tenantId, userId);
}
