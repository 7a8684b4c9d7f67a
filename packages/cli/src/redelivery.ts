import { setTimeout as sleep } from "node:timers/promises";
import type { RedeliveryJob } from "@portico/protocol";
import { FailureError } from "./command.ts";
import type { ConsoleApi } from "./console-api.ts";
import type { Selection } from "./event-options.ts";
import { invalidAnswer } from "./invalid-answer.ts";
import { complain } from "./terminal.ts";

const POLL_EVERY_MS = 500;

/** Starts a job that redelivers a selection. */
export async function startJob(api: ConsoleApi, appId: string, selection: Selection): Promise<RedeliveryJob> {
  const started = await api.console.redeliverMany({ params: { appId }, body: selection });
  return "jobId" in started ? started : invalidAnswer("a redelivery");
}

/** Cancels a job; events that it has redelivered already are not affected. */
export async function cancelJob(api: ConsoleApi, appId: string, jobId: string): Promise<void> {
  await api.console.cancelRedeliveryJob({ params: { appId, jobId } });
}

/**
 * Shows a job's progress until it is done.
 *
 * @throws FailureError when someone cancelled it.
 */
export async function followJob(api: ConsoleApi, appId: string, started: RedeliveryJob): Promise<RedeliveryJob> {
  let job = started;
  let shown = "";
  for (;;) {
    const progress = `redelivering: ${job.redelivered + job.skipped} of ${job.total}`;
    if (progress !== shown) complain(progress);
    shown = progress;
    if (job.state === "CANCELLED") throw new FailureError(`the job was cancelled; ${outcomeOf(job)}`);
    if (job.state !== "RUNNING") return job;
    await sleep(POLL_EVERY_MS);
    job = await api.console.getRedeliveryJob({ params: { appId, jobId: job.jobId } });
  }
}

/** A description of the result. */
export function outcomeOf({ redelivered, skipped }: Pick<RedeliveryJob, "redelivered" | "skipped">): string {
  const why = "as dropped, without an active subscription or not this app's";
  return `sent off again: ${redelivered}${skipped === 0 ? "" : `; skipped, ${why}: ${skipped}`}`;
}
