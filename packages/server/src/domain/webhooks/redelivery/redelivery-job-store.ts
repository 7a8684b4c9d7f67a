import { randomBytes } from "node:crypto";
import type { RedeliveryJob } from "@portico/protocol";
import { type SqlBool, sql } from "kysely";
import { removeOld } from "../../../platform/storage/remove-old.ts";
import type { Db, Dialect } from "../../../platform/storage/schema.ts";
import type { Writes } from "../../../platform/storage/storage.ts";
import type { DeliveryFilter } from "../delivery-queries.ts";
import { redeliverSpan } from "./redelivery.ts";

/** A job that a process works on. Once another has taken it, `leaseEnd` is no longer what the database says. */
export interface LeasedJob {
  jobId: string;
  appId: string;
  filter: DeliveryFilter;
  /** The last delivery_id to look at. */
  upper: number;
  leaseEnd: number;
}

/** What a batch of a job came to. */
export interface Batch {
  redelivered: number;
  done: boolean;
  /** The job, under its renewed lease. */
  job: LeasedJob;
}

/** Deliveries that one transaction of a job looks at. */
const BATCH_SIZE = 200;

const columns = ["job_id as jobId", "state", "total", "redelivered", "skipped"] as const;

/** Creates a job for the deliveries that the filter selects, as they were measured just before. */
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

/** How many jobs of the application are not over. */
export async function countRunningJobs(db: Db, appId: string): Promise<number> {
  const { count } = await db
    .selectFrom("redelivery_jobs")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("app_id", "=", appId)
    .where("state", "=", sql.lit("RUNNING"))
    .executeTakeFirstOrThrow();
  return count;
}

/** A job of the application; null when it has none of that id. */
export async function findJob(db: Db, appId: string, jobId: string): Promise<RedeliveryJob | null> {
  const row = await db
    .selectFrom("redelivery_jobs")
    .select(columns)
    .where("job_id", "=", jobId)
    .where("app_id", "=", appId)
    .executeTakeFirst();
  return row ?? null;
}

/** Has a running job end after the batch that is under way. One that is over stays as it is. */
export async function cancelJob(tx: Db, appId: string, jobId: string): Promise<void> {
  await tx
    .updateTable("redelivery_jobs")
    .set({ state: "CANCELLED" })
    .where("job_id", "=", jobId)
    .where("app_id", "=", appId)
    .where("state", "=", "RUNNING")
    .execute();
}

/** Up to `limit` jobs that nobody works on, first those that have waited longest. */
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

/** Takes a job until `leaseEnd`; null when it is over or another works on it. */
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
  // It is what createJob has written.
  const filter = JSON.parse(row.selection) as DeliveryFilter;
  return { jobId, appId: row.app_id, filter, upper: row.upper, leaseEnd };
}

/** Gives a job back, for whoever comes next. */
export async function releaseJob(tx: Db, { jobId, leaseEnd }: LeasedJob, now: number): Promise<void> {
  await tx
    .updateTable("redelivery_jobs")
    .set({ lease_until: now })
    .where("job_id", "=", jobId)
    .where("lease_until", "=", leaseEnd)
    .execute();
}

/**
 * Looks at the next deliveries of a job, sends off anew what its filter selects, and renews the lease until `leaseEnd`.
 *
 * @returns null, nothing having been done, when the job was cancelled or is no longer this process's.
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

/** Where the batch after a delivery_id ends, and how many of its deliveries the job's filter selects. */
async function lookAhead(tx: Db, dialect: Dialect, { appId, filter, upper }: LeasedJob, after: number) {
  let window = tx
    .selectFrom("deliveries")
    .select(["delivery_id as deliveryId", "status", "event_type as eventType", "created_at as createdAt"])
    .where("app_id", "=", appId)
    .where("delivery_id", ">", after)
    .where("delivery_id", "<=", upper)
    .orderBy("delivery_id")
    .limit(BATCH_SIZE);
  // They stay as they are counted.
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

/** Removes jobs that are over and were created before `before` (epoch milliseconds). */
export async function sweepRedeliveryJobs(storage: Writes, before: number): Promise<void> {
  const condition = sql<SqlBool>`state <> 'RUNNING'`;
  await removeOld(storage, "redelivery_jobs", { key: ["job_id"], column: "created_at", before, condition });
}
