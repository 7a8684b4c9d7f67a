import { randomBytes } from "node:crypto";
import type { RedeliveryJob } from "@portico/protocol";
import { type SqlBool, sql } from "kysely";
import { removeOld } from "../../../platform/storage/remove-old.ts";
import type { Db, Dialect } from "../../../platform/storage/schema.ts";
import type { Writes } from "../../../platform/storage/storage.ts";
import type { DeliveryFilter } from "../delivery-queries.ts";
import { redeliverSpan } from "./redelivery.ts";

/**
 * A job that a process works on. Once another process has taken it, `leaseEnd` differs from the value in the database.
 */
export interface LeasedJob {
  jobId: string;
  appId: string;
  filter: DeliveryFilter;
  /** The last delivery_id to process. */
  upper: number;
  leaseEnd: number;
}

/** The result of a batch. */
export interface Batch {
  redelivered: number;
  done: boolean;
  /** The job under its renewed lease. */
  job: LeasedJob;
}

/** The deliveries per transaction of a job. */
const BATCH_SIZE = 200;

const columns = ["job_id as jobId", "state", "total", "redelivered", "skipped"] as const;

/** Creates a job for the selected deliveries, whose range and number have just been measured. */
export async function createJob(
  tx: Db,
  appId: string,
  filter: DeliveryFilter,
  { total, first, last }: { total: number; first: number; last: number },
  now: number,
): Promise<RedeliveryJob> {
  return await tx
    .insertInto("redelivery_jobs")
    .values({
      job_id: `rdj_${randomBytes(16).toString("hex")}`,
      app_id: appId,
      selection: JSON.stringify(filter),
      state: total === 0 ? "DONE" : "RUNNING",
      position: first - 1,
      upper: last,
      total,
      redelivered: 0,
      skipped: 0,
      created_at: now,
      lease_until: now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** The number of unfinished jobs of the application. */
export async function countRunningJobs(db: Db, appId: string): Promise<number> {
  const { count } = await db
    .selectFrom("redelivery_jobs")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("app_id", "=", appId)
    .where("state", "=", sql.lit("RUNNING"))
    .executeTakeFirstOrThrow();
  return count;
}

/** A job of the application; null when it has none with that id. */
export async function findJob(db: Db, appId: string, jobId: string): Promise<RedeliveryJob | null> {
  const row = await db
    .selectFrom("redelivery_jobs")
    .select(columns)
    .where("job_id", "=", jobId)
    .where("app_id", "=", appId)
    .executeTakeFirst();
  return row ?? null;
}

/** Cancels a running job after its current batch. A finished one does not change. */
export async function cancelJob(tx: Db, appId: string, jobId: string): Promise<void> {
  await tx
    .updateTable("redelivery_jobs")
    .set({ state: "CANCELLED" })
    .where("job_id", "=", jobId)
    .where("app_id", "=", appId)
    .where("state", "=", "RUNNING")
    .execute();
}

/** Up to `limit` jobs without a worker, those that have waited longest first. */
export async function listWaitingJobs(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("redelivery_jobs")
    .select("job_id")
    .where("state", "=", sql.lit("RUNNING"))
    .where("lease_until", "<=", now)
    .orderBy("lease_until")
    .orderBy("created_at")
    .limit(limit)
    .execute();
  return rows.map((row) => row.job_id);
}

/** Takes a job until `leaseEnd`; null when it is finished or another worker holds it. */
export async function takeJob(tx: Db, jobId: string, now: number, leaseEnd: number): Promise<LeasedJob | null> {
  const row = await tx
    .updateTable("redelivery_jobs")
    .set({ lease_until: leaseEnd })
    .where("job_id", "=", jobId)
    .where("state", "=", "RUNNING")
    .where("lease_until", "<=", now)
    .returning(["app_id", "selection", "upper"])
    .executeTakeFirst();
  if (row === undefined) return null;
  // As written by createJob.
  const filter = JSON.parse(row.selection) as DeliveryFilter;
  return { jobId, appId: row.app_id, filter, upper: row.upper, leaseEnd };
}

/** Releases a job for the next worker. */
export async function releaseJob(tx: Db, { jobId, leaseEnd }: LeasedJob, now: number): Promise<void> {
  await tx
    .updateTable("redelivery_jobs")
    .set({ lease_until: now })
    .where("job_id", "=", jobId)
    .where("lease_until", "=", leaseEnd)
    .execute();
}

/**
 * Processes the next deliveries of a job: redelivers those that its filter selects, and renews the lease until
 * `leaseEnd`.
 *
 * @returns null, with no change, when the job was cancelled or is no longer this process's.
 */
export async function advanceJob(
  tx: Db,
  dialect: Dialect,
  job: LeasedJob,
  now: number,
  leaseEnd: number,
): Promise<Batch | null> {
  const { jobId, appId, filter, upper } = job;
  let row = tx
    .selectFrom("redelivery_jobs")
    .select("position")
    .where("job_id", "=", jobId)
    .where("state", "=", "RUNNING")
    .where("lease_until", "=", job.leaseEnd);
  if (dialect === "postgres") row = row.forUpdate();
  const after = (await row.executeTakeFirst())?.position;
  if (after === undefined) return null;

  const { upTo, selected } = await lookAhead(tx, dialect, job, after);
  const redelivered = selected === 0 ? 0 : await redeliverSpan(tx, appId, { after, upTo, filter }, now);
  const done = upTo >= upper;
  await tx
    .updateTable("redelivery_jobs")
    .set((eb) => ({
      position: upTo,
      redelivered: eb("redelivered", "+", redelivered),
      skipped: eb("skipped", "+", selected - redelivered),
      state: done ? "DONE" : "RUNNING",
      lease_until: leaseEnd,
    }))
    .where("job_id", "=", jobId)
    .execute();
  return { redelivered, done, job: { ...job, leaseEnd } };
}

/** The end of the batch after a delivery_id, and how many of its deliveries the job's filter selects. */
async function lookAhead(tx: Db, dialect: Dialect, { appId, filter, upper }: LeasedJob, after: number) {
  let window = tx
    .selectFrom("deliveries")
    .select(["delivery_id as deliveryId", "status", "event_type as eventType", "created_at as createdAt"])
    .where("app_id", "=", appId)
    .where("delivery_id", ">", after)
    .where("delivery_id", "<=", upper)
    .orderBy("delivery_id")
    .limit(BATCH_SIZE);
  // Locked, so that the count stays correct.
  if (dialect === "postgres") window = window.forUpdate();
  const deliveries = await window.execute();
  const { status, eventType, from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
  const selected = deliveries.filter(
    (delivery) =>
      (status ?? delivery.status) === delivery.status &&
      (eventType ?? delivery.eventType) === delivery.eventType &&
      delivery.createdAt >= from &&
      delivery.createdAt <= to,
  ).length;
  const last = deliveries.at(-1);
  return { upTo: last === undefined || deliveries.length < BATCH_SIZE ? upper : last.deliveryId, selected };
}

/** Removes finished jobs that were created before `before` (epoch milliseconds). */
export async function sweepRedeliveryJobs(storage: Writes, before: number): Promise<void> {
  const condition = sql<SqlBool>`state <> 'RUNNING'`;
  await removeOld(storage, "redelivery_jobs", { key: ["job_id"], column: "created_at", before, condition });
}
