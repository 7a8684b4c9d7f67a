import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db, Schema } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";
import type { CallOrigin } from "./developer.ts";

/** A sign-in by QR code. */
export interface QrLogin {
  state: Schema["console_qr_logins"]["state"];
  /** The member who scanned the code and the developer whom that member signs in; null until the scan. */
  userId: string | null;
  developerId: string | null;
  /** The member's login that confirmed it; null until then. */
  memberSession: string | null;
  /** The address of the browser that began it. */
  address: string;
  userAgent: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The most sign-ins that are open at a time. Anybody can begin one, so the number needs a bound. */
const MAX_LIVE = 10_000;

/**
 * Begins a sign-in; false when there are too many already. Concurrent inserts may exceed the bound by their own number.
 */
export async function insertQrLogin(
  tx: Db,
  { hash, origin, expiresAt, now }: { hash: string; origin: CallOrigin; expiresAt: number; now: number },
): Promise<boolean> {
  const live = tx.selectFrom("console_qr_logins").select("token_hash").where("expires_at", ">", now).limit(MAX_LIVE);
  const { count } = await tx
    .selectFrom(live.as("live"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_LIVE) return false;
  await tx
    .insertInto("console_qr_logins")
    .values({
      token_hash: hash,
      state: "PENDING",
      address: origin.address,
      user_agent: origin.userAgent,
      expires_at: expiresAt,
    })
    .execute();
  return true;
}

/** The sign-in whose code has one of these hashes; null when there is none or it has expired. */
export async function findQrLogin(db: Db, hashes: readonly string[], now: number): Promise<QrLogin | null> {
  const row = await db
    .selectFrom("console_qr_logins")
    .select([
      "state",
      "user_id as userId",
      "developer_id as developerId",
      "member_session as memberSession",
      "address",
      "user_agent as userAgent",
      "expires_at as expiresAt",
    ])
    .where("token_hash", "in", hashes)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Stores who scanned the code (PENDING → SCANNED); false when the state was another. Of several concurrent scans, one
 * succeeds.
 */
export async function markScanned(
  tx: Db,
  { hashes, userId, developerId, now }: { hashes: readonly string[]; userId: string; developerId: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("console_qr_logins")
    .set({ state: "SCANNED", user_id: userId, developer_id: developerId })
    .where("token_hash", "in", hashes)
    .where("state", "=", "PENDING")
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/**
 * Stores the confirmation by the member who scanned the code (SCANNED → CONFIRMED); false when the state was another.
 */
export async function markConfirmed(
  tx: Db,
  asked: { hashes: readonly string[]; userId: string; session: string; expiresAt: number; now: number },
): Promise<boolean> {
  const { hashes, userId, session, expiresAt, now } = asked;
  const { numUpdatedRows } = await tx
    .updateTable("console_qr_logins")
    .set({ state: "CONFIRMED", member_session: session, expires_at: expiresAt })
    .where("token_hash", "in", hashes)
    .where("state", "=", "SCANNED")
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/**
 * Uses up a confirmed sign-in (CONFIRMED → USED). Of several concurrent calls, one gets the developer to sign in; the
 * others get null.
 */
export async function markUsed(tx: Db, hash: string, now: number): Promise<string | null> {
  const row = await tx
    .updateTable("console_qr_logins")
    .set({ state: "USED" })
    .where("token_hash", "=", hash)
    .where("state", "=", "CONFIRMED")
    .where("expires_at", ">", now)
    .returning("developer_id")
    .executeTakeFirst();
  return row?.developer_id ?? null;
}

/** Removes the sign-ins that a member has scanned or confirmed, or those of a developer; their tokens count as expired. */
export async function voidQrLogins(tx: Db, of: "user_id" | "developer_id", id: string): Promise<void> {
  await tx.deleteFrom("console_qr_logins").where(of, "=", id).execute();
}

/** Deletes expired sign-ins. */
export async function sweepQrLogins(storage: Writes, now: number): Promise<void> {
  await removeOld(storage, "console_qr_logins", { key: ["token_hash"], column: "expires_at", before: now + 1 });
}
