import type { Db } from "../../platform/storage/schema.ts";

/** The row of `meta` that names the process which rotates the master key, and until when. */
const NAME = "master-key-lease";
const LEASE_MS = 30_000;

/**
 * Takes or renews the lease of the rotation; false while another process has it. What is done under it also holds when two
 * do it; the lease saves the work.
 *
 * @param now by the clock that all processes share, in epoch milliseconds.
 */
export async function takeLease(tx: Db, holder: string, now: number): Promise<boolean> {
  const value = `${now + LEASE_MS} ${holder}`;
  const row = await tx.selectFrom("meta").select("value").where("name", "=", NAME).executeTakeFirst();
  if (row === undefined) {
    const insert = tx.insertInto("meta").values({ name: NAME, value });
    const { numInsertedOrUpdatedRows } = await insert
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
  const [until, other] = row.value.split(" ");
  if (other !== holder && Number(until) > now) return false;
  const { numUpdatedRows } = await tx
    .updateTable("meta")
    .set({ value })
    .where("name", "=", NAME)
    .where("value", "=", row.value)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Gives the lease up. */
export async function dropLease(tx: Db, holder: string): Promise<void> {
  const row = await tx.selectFrom("meta").select("value").where("name", "=", NAME).executeTakeFirst();
  if (row?.value.endsWith(` ${holder}`) !== true) return;
  await tx.deleteFrom("meta").where("name", "=", NAME).where("value", "=", row.value).execute();
}
