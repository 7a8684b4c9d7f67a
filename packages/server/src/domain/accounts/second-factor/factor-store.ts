import { sealedRows } from "../../../platform/crypto/sealed-rows.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { hashOfRecoveryCode } from "./recovery-codes.ts";

/** A developer's second factor. */
export interface Factor {
  /** Sealed; see {@link factorOwner}. */
  secretBox: string;
  /** When its first code was entered; null: it does not count yet. */
  confirmedAt: number | null;
  /** Wrong codes of the app in the 24 hours that began then. */
  failures: number;
  failuresSince: number;
}

/** What a box with the secret of a developer's factor belongs to. */
export function factorOwner(developerId: string): string {
  return `second factor of ${developerId}`;
}

export const SEALED_FACTORS = sealedRows({
  name: "secondFactors",
  table: "developer_factors",
  keys: ["developer_id"],
  ownerOf: ([developerId = ""]) => factorOwner(developerId),
});

/** The developer's factor, also one that is not confirmed; null when there is none. */
export async function findFactor(db: Db, developerId: string): Promise<Factor | null> {
  const row = await db
    .selectFrom("developer_factors")
    .select(["secret_box as secretBox", "confirmed_at as confirmedAt", "failures", "failures_since as failuresSince"])
    .where("developer_id", "=", developerId)
    .executeTakeFirst();
  return row ?? null;
}

/** Those of the developers who sign in with a second factor. */
export async function withFactorAmong(db: Db, developerIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (developerIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("developer_factors")
    .select("developer_id")
    .where("developer_id", "in", developerIds)
    .where("confirmed_at", "is not", null)
    .execute();
  return new Set(rows.map(({ developer_id: developerId }) => developerId));
}

/** Stores a factor that is still to be confirmed, over one that was not; false when there is a confirmed one. */
export async function putUnconfirmed(
  tx: Db,
  { developerId, secretBox, now }: { developerId: string; secretBox: string; now: number },
): Promise<boolean> {
  const said = { secret_box: secretBox, created_at: now, last_step: 0, unseen_failures: 0, unseen_since: 0 };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("developer_factors")
    .values({ developer_id: developerId, confirmed_at: null, ...said })
    .onConflict((conflict) =>
      conflict.column("developer_id").doUpdateSet(said).where("developer_factors.confirmed_at", "is", null),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Confirms a factor by the code of this time step, which is used up; false when there is none to confirm. */
export async function confirmFactor(
  tx: Db,
  { developerId, step, now }: { developerId: string; step: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("developer_factors")
    .set({ confirmed_at: now, last_step: step })
    .where("developer_id", "=", developerId)
    .where("confirmed_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Uses the code of a time step up; false when it, or one of a later step, has been used. Of several calls one succeeds. */
export async function useTimeStep(tx: Db, developerId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("developer_factors")
    .set({ last_step: step })
    .where("developer_id", "=", developerId)
    .where("confirmed_at", "is not", null)
    .where("last_step", "<", step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Stores how many wrong codes there were, and since when. */
export async function putFailures(
  tx: Db,
  developerId: string,
  { failures, failuresSince }: Pick<Factor, "failures" | "failuresSince">,
): Promise<void> {
  await tx
    .updateTable("developer_factors")
    .set({ failures, failures_since: failuresSince })
    .where("developer_id", "=", developerId)
    .execute();
}

/** Wrong codes, and when the first was entered. */
export interface WrongCodes {
  count: number;
  since: number;
}

/** Counts a wrong code that the owner is to hear of. */
export async function noteWrongCode(tx: Db, developerId: string, now: number): Promise<void> {
  await tx
    .updateTable("developer_factors")
    .set((eb) => ({
      unseen_failures: eb("unseen_failures", "+", 1),
      unseen_since: eb.case().when("unseen_failures", "=", 0).then(now).else(eb.ref("unseen_since")).end(),
    }))
    .where("developer_id", "=", developerId)
    .execute();
}

/**
 * The wrong codes that the owner has not heard of, who then has; null when there are none.
 *
 * @param own those of the sign-in that asks, which count as the owner's.
 */
export async function takeWrongCodes(tx: Db, developerId: string, own: number): Promise<WrongCodes | null> {
  const row = await tx
    .selectFrom("developer_factors")
    .select(["unseen_failures as count", "unseen_since as since"])
    .where("developer_id", "=", developerId)
    .executeTakeFirst();
  if (row === undefined || row.count === 0) return null;
  await tx
    .updateTable("developer_factors")
    .set({ unseen_failures: 0, unseen_since: 0 })
    .where("developer_id", "=", developerId)
    .execute();
  return row.count > own ? { count: row.count - own, since: row.since } : null;
}

/** Uses a recovery code up; false when it is none of the developer's. Of several calls one succeeds. */
export async function useRecoveryCode(tx: Db, developerId: string, code: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("developer_recovery_codes")
    .where("code_hash", "=", hashOfRecoveryCode(developerId, code))
    .where("developer_id", "=", developerId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Replaces the developer's recovery codes. */
export async function putRecoveryCodes(tx: Db, developerId: string, codes: readonly string[]): Promise<void> {
  await tx.deleteFrom("developer_recovery_codes").where("developer_id", "=", developerId).execute();
  const rows = codes.map((code) => ({
    code_hash: hashOfRecoveryCode(developerId, code),
    developer_id: developerId,
  }));
  await tx.insertInto("developer_recovery_codes").values(rows).execute();
}

export async function countRecoveryCodes(db: Db, developerId: string): Promise<number> {
  const { count } = await db
    .selectFrom("developer_recovery_codes")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("developer_id", "=", developerId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes a developer's factor with its recovery codes; false when there was no confirmed one. */
export async function deleteFactor(tx: Db, developerId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom("developer_factors")
    .where("developer_id", "=", developerId)
    .returning("confirmed_at as confirmedAt")
    .executeTakeFirst();
  await tx.deleteFrom("developer_recovery_codes").where("developer_id", "=", developerId).execute();
  return deleted !== undefined && deleted.confirmedAt !== null;
}
