import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";

/** The most valid codes per member and application; a further one replaces the oldest. */
const MAX_LIVE = 10;

/** A stored login code. */
export interface KeptCode {
  hash: string;
  appId: string;
  userId: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Stores a code. The transaction must hold the member's row lock, so that concurrent calls cannot exceed
 * {@link MAX_LIVE}.
 */
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
 * Consumes a code. Of several concurrent calls, one gets the member's userId; the others get null. Null too, without
 * consuming it, when the code belongs to another application, has expired, or its member is disabled or not in
 * `tenantId`.
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

/** A code that has not been consumed, of any application, expired or not; null when there is none. */
export async function findCode(db: Db, hash: string): Promise<KeptCode | null> {
  const row = await db
    .selectFrom("miniapp_codes")
    .select(["code_hash as hash", "app_id as appId", "user_id as userId", "expires_at as expiresAt"])
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes a member's codes: after signing out everywhere, earlier codes must not open a mini-program. */
export async function voidCodes(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom("miniapp_codes").where("user_id", "=", userId).execute();
}

/** Deletes expired codes. */
export async function sweepCodes(storage: Writes, now: number): Promise<void> {
  await removeOld(storage, "miniapp_codes", { key: ["code_hash"], column: "expires_at", before: now + 1 });
}
