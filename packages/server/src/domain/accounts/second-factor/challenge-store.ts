import type { SignInStep } from "@portico/protocol";
import { deleteAllButNewest } from "../../../platform/storage/delete-all-but-newest.ts";
import { removeOld } from "../../../platform/storage/remove-old.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Writes } from "../../../platform/storage/storage.ts";

/** The most codes that may be tried in one sign-in. */
const MAX_TRIES = 5;
/** The most secrets that may be asked for in one sign-in. */
const MAX_ENROLMENTS = 5;
/** The most sign-ins of a developer that may wait for a code; the oldest make room. */
const MAX_WAITING = 20;

/** A sign-in whose first step is done. */
export interface Challenge {
  developerId: string;
  step: SignInStep;
  method: "password" | "qr";
  /** A digest of the password's hash that was checked; null without a password. */
  passwordMark: string | null;
  /** The member whose sign-in to the messenger was the first step, and that sign-in; null with a password. */
  userId: string | null;
  memberSession: string | null;
}

const trim = deleteAllButNewest("sign_in_challenges", "challenge_hash", "developer_id");

export async function insertChallenge(
  tx: Db,
  {
    hash,
    expiresAt,
    developerId,
    step,
    method,
    passwordMark,
    userId,
    memberSession,
  }: Challenge & { hash: string; expiresAt: number },
): Promise<void> {
  await trim(tx, developerId, MAX_WAITING - 1);
  await tx
    .insertInto("sign_in_challenges")
    .values({
      challenge_hash: hash,
      developer_id: developerId,
      step,
      method,
      password_mark: passwordMark,
      user_id: userId,
      member_session: memberSession,
      tries: 0,
      enrolments: 0,
      expires_at: expiresAt,
    })
    .execute();
}

const COLUMNS = [
  "developer_id as developerId",
  "step",
  "method",
  "password_mark as passwordMark",
  "user_id as userId",
  "member_session as memberSession",
] as const;

/** The sign-in with this challenge; null when there is none, it has expired, or has no tries left. */
export async function findChallenge(db: Db, hash: string, now: number): Promise<Challenge | null> {
  const row = await db
    .selectFrom("sign_in_challenges")
    .select(COLUMNS)
    .where("challenge_hash", "=", hash)
    .where("expires_at", ">", now)
    .where("tries", "<", MAX_TRIES)
    .executeTakeFirst();
  return row ?? null;
}

/** The same, counting a try; the row stays locked until the transaction ends. @returns also the tries with this one. */
export async function takeTry(tx: Db, hash: string, now: number): Promise<(Challenge & { tries: number }) | null> {
  const row = await tx
    .updateTable("sign_in_challenges")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("challenge_hash", "=", hash)
    .where("expires_at", ">", now)
    .where("tries", "<", MAX_TRIES)
    .returning([...COLUMNS, "tries"])
    .executeTakeFirst();
  return row ?? null;
}

/** Counts a secret that is asked for; false when there were too many. */
export async function takeEnrolment(tx: Db, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("sign_in_challenges")
    .set((eb) => ({ enrolments: eb("enrolments", "+", 1) }))
    .where("challenge_hash", "=", hash)
    .where("enrolments", "<", MAX_ENROLMENTS)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function deleteChallenge(tx: Db, hash: string): Promise<void> {
  await tx.deleteFrom("sign_in_challenges").where("challenge_hash", "=", hash).execute();
}

/** Ends all sign-ins of a developer that wait for a code. */
export async function deleteChallengesOf(tx: Db, developerId: string): Promise<void> {
  await tx.deleteFrom("sign_in_challenges").where("developer_id", "=", developerId).execute();
}

/** Ends the sign-ins by QR code that wait for a code, of a member. */
export async function deleteQrChallengesOf(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom("sign_in_challenges").where("user_id", "=", userId).execute();
}

/** Deletes expired ones. */
export async function sweepChallenges(storage: Writes, now: number): Promise<void> {
  await removeOld(storage, "sign_in_challenges", {
    key: ["challenge_hash"],
    column: "expires_at",
    before: now + 1,
  });
}
