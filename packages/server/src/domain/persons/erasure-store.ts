import type { ErasedOfMember, MemberErasure } from "@portico/protocol/schemas";
import { sql } from "kysely";
import { preparedForKeys } from "../../platform/storage/prepared-for-keys.ts";
import type { Db, Dialect, Schema } from "../../platform/storage/schema.ts";
import type { ErasedPerson, Searched, StepName } from "./step.ts";

/** An erasure that a process works on. Once another process has taken it, `leaseEnd` differs from the database. */
export interface LeasedErasure extends ErasedPerson {
  step: StepName;
  /** Where the step goes on; empty at its beginning. */
  position: string;
  erased: ErasedOfMember;
  leaseEnd: number;
}

const NOTHING: ErasedOfMember = {
  messages: 0,
  mentions: 0,
  files: 0,
  cardActions: 0,
  customerMessages: 0,
  deliveries: 0,
  requests: 0,
  auditEntries: 0,
};

/** How far an erasure is, as stored. */
export type ErasureRow = Pick<
  Schema["member_erasures"],
  "user_id" | "step" | "position" | "report" | "started_at" | "finished_at"
>;

/** The erasure of the tenant's member; null when they have not been erased. */
export async function findErasure(db: Db, tenantId: string, userId: string): Promise<ErasureRow | null> {
  const row = await db
    .selectFrom("member_erasures")
    .select(["user_id", "step", "position", "report", "started_at", "finished_at"])
    .where("user_id", "=", userId)
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  return row ?? null;
}

/** An erasure as operators see it. */
export function toErasure(row: ErasureRow, progress: number): MemberErasure {
  const isDone = row.finished_at !== null;
  return {
    userId: row.user_id,
    state: isDone ? "DONE" : "RUNNING",
    progress: isDone ? 100 : progress,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    // As written below.
    erased: JSON.parse(row.report) as ErasedOfMember,
  };
}

/** Those of the members who have been erased. */
export async function erasedAmong(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await selectErased.rows(db, userIds, {});
  return new Set(rows.map(({ userId }) => userId));
}

const selectErased = preparedForKeys<string>()((db, userIds) =>
  db.selectFrom("member_erasures").select("user_id as userId").where("user_id", "in", userIds),
);

/** Notes that the transaction shuts the member out; what they have left is removed afterwards, from `step` on. */
export async function insertErasure(
  tx: Db,
  dialect: Dialect,
  erasure: { userId: string; tenantId: string; step: StepName; searched: Searched; erasedBy: number; now: number },
): Promise<void> {
  const { userId, tenantId, step, searched, erasedBy, now } = erasure;
  await tx
    .insertInto("member_erasures")
    .values({
      user_id: userId,
      tenant_id: tenantId,
      step,
      position: "",
      searched: JSON.stringify(searched),
      report: JSON.stringify(NOTHING),
      erased_by: erasedBy,
      after_transaction: dialect === "sqlite" ? null : sql<string>`pg_current_xact_id()::text`,
      started_at: now,
      finished_at: null,
      lease_until: 0,
    })
    .execute();
}

/** Up to `limit` erasures that nobody works on, oldest first. */
export async function listWaitingErasures(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("member_erasures")
    .select("user_id")
    .where("finished_at", "is", null)
    .where("lease_until", "<=", now)
    .orderBy("lease_until")
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

/** Takes an erasure until `leaseEnd`; null when it is finished or another process has it. */
export async function takeErasure(
  tx: Db,
  userId: string,
  now: number,
  leaseEnd: number,
): Promise<(LeasedErasure & { afterTransaction: string | null }) | null> {
  const row = await tx
    .updateTable("member_erasures")
    .set({ lease_until: leaseEnd })
    .where("user_id", "=", userId)
    .where("finished_at", "is", null)
    .where("lease_until", "<=", now)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    userId,
    tenantId: row.tenant_id,
    // As written here.
    step: row.step as StepName,
    position: row.position,
    searched: JSON.parse(row.searched ?? "{}") as Searched,
    erased: JSON.parse(row.report) as ErasedOfMember,
    erasedBy: row.erased_by,
    startedAt: row.started_at,
    leaseEnd,
    afterTransaction: row.after_transaction,
  };
}

/** Another process has taken the erasure meanwhile. */
export class LeaseLost extends Error {}

/**
 * Notes how far an erasure has come, and keeps it until `leaseEnd`. Its caller's transaction has done what is noted.
 *
 * @throws LeaseLost when another process has it.
 */
export async function noteProgress(tx: Db, held: LeasedErasure, leaseEnd: number): Promise<void> {
  await change(tx, held, {
    step: held.step,
    position: held.position,
    report: JSON.stringify(held.erased),
    lease_until: leaseEnd,
  });
}

/** Notes that all has been removed, and forgets by what the person was known. @throws LeaseLost */
export async function finishErasure(tx: Db, held: LeasedErasure, now: number): Promise<void> {
  await change(tx, held, { searched: null, finished_at: now });
}

/** Leaves an erasure to whoever comes next. @throws LeaseLost */
export async function releaseErasure(tx: Db, held: LeasedErasure): Promise<void> {
  await change(tx, held, { lease_until: 0 });
}

async function change(
  tx: Db,
  { userId, leaseEnd }: LeasedErasure,
  values: Partial<Schema["member_erasures"]>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("member_erasures")
    .set(values)
    .where("user_id", "=", userId)
    .where("lease_until", "=", leaseEnd)
    .where("finished_at", "is", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new LeaseLost(`the erasure of ${userId} was taken over`);
}

/** Takes all erasures from whoever had them. Only when no other process can be alive. */
export async function takeAllErasuresBack(tx: Db): Promise<void> {
  await tx
    .updateTable("member_erasures")
    .set({ lease_until: 0 })
    .where("finished_at", "is", null)
    .where("lease_until", ">", 0)
    .execute();
}

/** Longer than the transaction of a call lasts: one that has only read has no number yet. */
const QUIET_MS = 15_000;
/** By then none is left, whatever numbers say: a restored database counts anew. */
const SURELY_MS = 3_600_000;

/**
 * Whether every transaction has ended that was under way when the member was shut out: what such a one has written may
 * appear behind a sweep that has passed.
 */
export async function haveEarlierEnded(
  db: Db,
  { afterTransaction, startedAt }: { afterTransaction: string | null; startedAt: number },
  now: number,
): Promise<boolean> {
  if (afterTransaction === null || now >= startedAt + SURELY_MS) return true;
  if (now < startedAt + QUIET_MS) return false;
  const { rows } = await sql<{ oldest: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as oldest`.execute(db);
  return rows[0] !== undefined && BigInt(rows[0].oldest) > BigInt(afterTransaction);
}
