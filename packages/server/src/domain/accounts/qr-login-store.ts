import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db, Schema } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";
import type { CallOrigin } from "./developer.ts";

/** A sign-in by QR code. */
export interface QrLogin {
  state: Schema["console_qr_logins"]["state"];
  /** The member who scanned it, and whom that member signs in; null until then. */
  userId: string | null;
  developerId: string | null;
  /** Where it was begun. */
  address: string;
  userAgent: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Begun by whoever asks, so their number has a bound. */
const MAX_LIVE = 10_000;

/** Begins a sign-in; false when there are too many already. Those who do so at once may exceed that by their number. */
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

/** The sign-in whose code has one of these hashes; null when there is none, or it has expired. */
export async function findQrLogin(db: Db, hashes: readonly string[], now: number): Promise<QrLogin | null> {
  const row = await db
    .selectFrom("console_qr_logins")
    .select([
      "state",
      "user_id as userId",
      "developer_id as developerId",
      "address",
      "user_agent as userAgent",
      "expires_at as expiresAt",
    ])
    .where("token_hash", "in", hashes)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/** Notes who has scanned it; false when it was not waiting for that: of several who scan at once, one does. */
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

/** Notes that the member who scanned it has confirmed it; false when it was not waiting for that. */
export async function markConfirmed(
  tx: Db,
  { hashes, userId, expiresAt, now }: { hashes: readonly string[]; userId: string; expiresAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("console_qr_logins")
    .set({ state: "CONFIRMED", expires_at: expiresAt })
    .where("token_hash", "in", hashes)
    .where("state", "=", "SCANNED")
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Uses a confirmed sign-in up: of several who try at once, one is told whom it signs in, the others null. */
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

/** Removes sign-ins that have expired. */
export async function sweepQrLogins(storage: Writes, now: number): Promise<void> {
  await removeOld(storage, "console_qr_logins", { key: ["token_hash"], column: "expires_at", before: now + 1 });
}
