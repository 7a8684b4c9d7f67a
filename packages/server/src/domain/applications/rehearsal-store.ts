import type { Rehearsal, RehearsedFault } from "@portico/protocol";
import type { Selectable } from "kysely";
import type { Db, Schema } from "../../platform/storage/schema.ts";

const COLUMNS = ["rehearsed_fault", "rehearsed_left", "rehearsed_until", "rehearsed_delay_ms"] as const;

/** The columns of an application that hold its rehearsal. */
type RehearsalColumns = Pick<Selectable<Schema["apps"]>, (typeof COLUMNS)[number]>;

/** The rehearsal that a row holds, if it goes on at `now`. */
export function rehearsalOf(row: RehearsalColumns, now: number): Rehearsal | null {
  const { rehearsed_fault: fault, rehearsed_left: left, rehearsed_until: endsAt, rehearsed_delay_ms: delayMs } = row;
  if (fault === null || left === null || endsAt === null || delayMs === null) return null;
  return left > 0 && now < endsAt ? { fault, left, endsAt, delayMs } : null;
}

/** The rehearsal of an application; null when none goes on. */
export async function findRehearsal(db: Db, appId: string, now: number): Promise<Rehearsal | null> {
  const row = await db.selectFrom("apps").select(COLUMNS).where("app_id", "=", appId).executeTakeFirst();
  return row === undefined ? null : rehearsalOf(row, now);
}

/** Begins a rehearsal in place of any other; null ends it. */
export async function setRehearsal(tx: Db, appId: string, rehearsal: Rehearsal | null): Promise<void> {
  await tx
    .updateTable("apps")
    .set({
      rehearsed_fault: rehearsal?.fault ?? null,
      rehearsed_left: rehearsal?.left ?? null,
      rehearsed_until: rehearsal?.endsAt ?? null,
      rehearsed_delay_ms: rehearsal?.delayMs ?? null,
    })
    .where("app_id", "=", appId)
    .execute();
}

/** Counts one failure, unless all have come; of concurrent calls none is counted twice. @returns whether it may fail. */
export async function takeFailure(tx: Db, appId: string, fault: RehearsedFault, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("apps")
    .set((eb) => ({ rehearsed_left: eb("rehearsed_left", "-", 1) }))
    .where("app_id", "=", appId)
    .where("rehearsed_fault", "=", fault)
    .where("rehearsed_left", ">", 0)
    .where("rehearsed_until", ">", now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
