import { setTimeout as sleep } from "node:timers/promises";
import { FailureError } from "./command.ts";
import type { ConsoleApi } from "./console-api.ts";
import { type ConsoleAnswer, unpromised } from "./console-exchange.ts";
import type { Selection } from "./event-options.ts";
import { numberOf, textOf } from "./json.ts";
import { complain } from "./terminal.ts";

const POLL_EVERY_MS = 500;

/** How far a job has come that redelivers a range. */
interface Job {
  jobId: string;
  state: string;
  total: number;
  redelivered: number;
  skipped: number;
}

/** Starts a job that redelivers what a selection holds. */
export async function startJob(api: ConsoleApi, appId: string, selection: Selection): Promise<Job> {
  return jobOf(await api.call("POST", ["apps", appId, "deliveries", "redeliver"], { body: selection }));
}

/** Ends a job; what it has redelivered so far stays so. */
export async function cancelJob(api: ConsoleApi, appId: string, jobId: string): Promise<void> {
  await api.call("DELETE", ["apps", appId, "redelivery-jobs", jobId]);
}

/**
 * Shows a job's progress until it is done.
 *
 * @throws FailureError when someone cancelled it.
 */
export async function followJob(api: ConsoleApi, appId: string, started: Job): Promise<Job> {
  let job = started;
  let shown = "";
  for (;;) {
    const progress = `redelivering: ${job.redelivered + job.skipped} of ${job.total}`;
    if (progress !== shown) complain(progress);
    shown = progress;
    if (job.state === "CANCELLED") throw new FailureError(`the job was cancelled; ${outcomeOf(job)}`);
    if (job.state !== "RUNNING") return job;
    await sleep(POLL_EVERY_MS);
    job = jobOf(await api.call("GET", ["apps", appId, "redelivery-jobs", job.jobId]));
  }
}

/** What became of a selection, in words. */
export function outcomeOf({ redelivered, skipped }: Pick<Job, "redelivered" | "skipped">): string {
  const why = "as dropped, without an active subscription or not this app's";
  return `sent off again: ${redelivered}${skipped === 0 ? "" : `; skipped, ${why}: ${skipped}`}`;
}

/** What the service says of a selection that it has redelivered. */
export function countsOf({ value }: ConsoleAnswer): Pick<Job, "redelivered" | "skipped"> {
  const redelivered = numberOf(value, "redelivered") ?? unpromised("a redelivery");
  return { redelivered, skipped: numberOf(value, "skipped") ?? 0 };
}

function jobOf(answer: ConsoleAnswer): Job {
  const { value } = answer;
  return {
    ...countsOf(answer),
    jobId: textOf(value, "jobId") ?? unpromised("a redelivery"),
    state: textOf(value, "state") ?? unpromised("a redelivery"),
    total: numberOf(value, "total") ?? 0,
  };
}
