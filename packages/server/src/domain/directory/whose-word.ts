import type { Voucher } from "../../platform/storage/schema/people.ts";
import type { Db } from "../../platform/storage/schema.ts";

/*
 * On whose word a member's phone number rests, and who has disabled them. Whoever runs a company's directory or provider does
 * not run the service: what they say of a member must neither make anybody an operator, nor open another company's
 * applications, nor let in whom an operator has shut out. Call these in the transaction of the change itself.
 */

/** Whose word counts for a member; null where none was noted. */
export interface WhoseWord {
  vouchedBy: "OPERATOR" | Voucher | null;
  disabledBy: "OPERATOR" | "SCIM" | null;
}

/** Whose word counts for a member, who exists. */
export async function findWhoseWord(tx: Db, userId: string): Promise<WhoseWord> {
  return await tx
    .selectFrom("members")
    .select(["vouched_by as vouchedBy", "disabled_by as disabledBy"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
}

/** Notes who vouches for a member from now on; false when somebody other than an operator has until now. */
export async function markVouched(tx: Db, userId: string, by: Voucher): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("members")
    .set({ vouched_by: by })
    .where("user_id", "=", userId)
    .where((eb) => eb.or([eb("vouched_by", "is", null), eb("vouched_by", "=", "OPERATOR")]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Notes that an operator has written a member's phone number: nobody else vouches for it any more. */
export async function markNumberOfOperator(tx: Db, userId: string): Promise<void> {
  await tx.updateTable("members").set({ vouched_by: "OPERATOR" }).where("user_id", "=", userId).execute();
}

/** Notes who has disabled a member. */
export async function markDisabledBy(tx: Db, userId: string, by: "OPERATOR" | "SCIM"): Promise<void> {
  await tx.updateTable("members").set({ disabled_by: by }).where("user_id", "=", userId).execute();
}

/**
 * Whether a disabled member was disabled by an operator, so that no directory may enable them. Of who was disabled before that
 * was noted, the audit log tells; where it does not, it was an operator.
 */
export async function isShutOutByOperator(tx: Db, userId: string): Promise<boolean> {
  const { disabledBy } = await findWhoseWord(tx, userId);
  if (disabledBy !== null) return disabledBy === "OPERATOR";
  const entry = await tx
    .selectFrom("audit_entries")
    .select("actor_id as actorId")
    .where("target", "=", `member:${userId}`)
    .where("action", "in", ["member.create", "member.disable"])
    .orderBy("at", "desc")
    .orderBy("audit_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return !entry?.actorId.startsWith("scim:");
}
