import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";

/** Codes of a member for one application that can be exchanged at a time; a further one takes the place of the oldest. */
const MAX_LIVE = 10;

/** A login code as it is kept. */
export interface KeptCode {
  hash: string;
  appId: string;
  userId: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Keeps a code. The transaction holds the member, so that codes made at once do not exceed {@link MAX_LIVE}. */
export async function insertCode(tx: Db, { hash, appId, userId, expiresAt }: KeptCode): Promise<void> {
  const newest = tx
    .selectFrom("miniapp_codes")
    .select("code_hash")
    .where("user_id", "=", userId)
    .where("app_id", "=", appId)
    .orderBy("expires_at", "desc")
    .orderBy("code_hash")
    .limit(MAX_LIVE - 1);
  await tx
    .deleteFrom("miniapp_codes")
    .where("user_id", "=", userId)
    .where("app_id", "=", appId)
    .where("code_hash", "not in", newest)
    .execute();
  await tx
    .insertInto("miniapp_codes")
    .values({ code_hash: hash, app_id: appId, user_id: userId, expires_at: expiresAt })
    .execute();
}

/**
 * Uses a code up: of several who try at once, one is told the userId of whom it stands for, the others null. It is null
 * too, and the code stays, for another application, once it has expired, or when its member is not of `tenantId` or has
 * been shut out.
 */
export async function takeCode(
  tx: Db,
  { hash, appId, tenantId, now }: { hash: string; appId: string; tenantId: string; now: number },
): Promise<string | null> {
  const row = await tx
    .deleteFrom("miniapp_codes")
    .where("code_hash", "=", hash)
    .where("app_id", "=", appId)
    .where("expires_at", ">", now)
    .where("user_id", "in", (eb) =>
      eb
        .selectFrom("members")
        .select("members.user_id")
        .whereRef("members.user_id", "=", "miniapp_codes.user_id")
        .where("tenant_id", "=", tenantId)
        .where("disabled", "=", 0),
    )
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** A code that has not been used, whoever it is for and expired or not; null when there is none, or not any more. */
export async function findCode(db: Db, hash: string): Promise<KeptCode | null> {
  const row = await db
    .selectFrom("miniapp_codes")
    .select(["code_hash as hash", "app_id as appId", "user_id as userId", "expires_at as expiresAt"])
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

/** Voids the codes that a member has got: who is signed out everywhere opens no mini-program with an earlier one. */
export async function voidCodes(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom("miniapp_codes").where("user_id", "=", userId).execute();
}

/** Removes codes that have expired. */
export async function sweepCodes(storage: Writes, now: number): Promise<void> {
  await removeOld(storage, "miniapp_codes", { key: ["code_hash"], column: "expires_at", before: now + 1 });
}
