import type { Db } from "../../platform/storage/schema.ts";

/** A process, as it told of itself last. */
export interface ProcessRow {
  processId: string;
  host: string;
  pid: number;
  version: string;
  startedAt: number;
  seenAt: number;
  /** JSON text. */
  report: string;
}

/** The most processes that are listed. */
const MOST_LISTED = 100;

/** Writes what a process tells of itself, over what it told before. */
export async function putProcess(tx: Db, process: ProcessRow): Promise<void> {
  const told = { seen_at: process.seenAt, report: process.report };
  const { processId, host, pid, version, startedAt } = process;
  await tx
    .insertInto("processes")
    .values({ process_id: processId, host, pid, version, started_at: startedAt, ...told })
    .onConflict((conflict) => conflict.column("process_id").doUpdateSet(told))
    .execute();
}

/** The processes that have told of themselves since `from`, those first that did so last. */
export async function listProcesses(db: Db, from: number): Promise<ProcessRow[]> {
  return await db
    .selectFrom("processes")
    .select([
      "process_id as processId",
      "host",
      "pid",
      "version",
      "started_at as startedAt",
      "seen_at as seenAt",
      "report",
    ])
    .where("seen_at", ">=", from)
    .orderBy("seen_at", "desc")
    .limit(MOST_LISTED)
    .execute();
}

/** The reports of all processes that have told of themselves since `from`. */
export async function listReports(db: Db, from: number): Promise<Pick<ProcessRow, "host" | "pid" | "report">[]> {
  return await db.selectFrom("processes").select(["host", "pid", "report"]).where("seen_at", ">=", from).execute();
}

/** Forgets a process. */
export async function removeProcess(tx: Db, processId: string): Promise<void> {
  await tx.deleteFrom("processes").where("process_id", "=", processId).execute();
}

/** Forgets the processes that have told nothing since `before`. */
export async function removeSilent(tx: Db, before: number): Promise<void> {
  await tx.deleteFrom("processes").where("seen_at", "<", before).execute();
}
