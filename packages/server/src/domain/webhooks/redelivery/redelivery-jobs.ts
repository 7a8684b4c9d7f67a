import type { Logger } from "pino";
import type { Clock } from "../../../platform/clock/clock.ts";
import { JOB_LEASE_MS, JobRounds } from "../../../platform/job-rounds.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { laneOf } from "../delivery-lane.ts";
import { hasBacklog } from "./redelivery.ts";
import {
  advanceJob,
  type Batch,
  type LeasedJob,
  listWaitingJobs,
  releaseJob,
  takeJob,
} from "./redelivery-job-store.ts";

/** The most jobs per round, and the most batches of a job per turn. */
const JOBS_PER_ROUND = 50;
const BATCHES_PER_TURN = 20;

/** Dependencies of the runner. */
export interface RedeliveryJobsParts {
  storage: Storage;
  clock: Clock;
  log: Logger;
  /** Notifies the dispatcher of due deliveries of an application. */
  due(appId: string): void;
}

/**
 * Runs redelivery jobs in turns, with a bounded number of deliveries per transaction. One process works on a job at a
 * time, under a lease; the progress is in the database, so that another process can continue it. A job pauses while its
 * application has many pending deliveries, so that these and new events go first.
 */
export class RedeliveryJobs {
  readonly #parts: RedeliveryJobsParts;
  readonly #rounds: JobRounds;

  constructor(parts: RedeliveryJobsParts) {
    const { storage, clock, log } = parts;
    this.#parts = parts;
    this.#rounds = new JobRounds({
      log,
      called: "redelivery jobs",
      list: () => listWaitingJobs(storage.db, clock.now(), JOBS_PER_ROUND),
      turn: (jobId) => this.#turn(jobId),
      interrupted(jobId, error) {
        log.warn({ err: error, jobId }, "a redelivery job was interrupted; taken up again when its lease ends");
      },
    });
  }

  /** Starts working on unfinished jobs, and looks for new ones at intervals. */
  start(): void {
    this.#rounds.start();
  }

  /** Looks for jobs at once; call it when a job has been created. */
  wake(): void {
    this.#rounds.wake();
  }

  /** Finishes the current batch and releases its job. */
  async close(): Promise<void> {
    await this.#rounds.close();
  }

  /** Works on a job for one turn. Returns whether it has more work at once. */
  async #turn(jobId: string): Promise<boolean> {
    const { storage, clock, due } = this.#parts;
    let job = await storage.write((tx) => takeJob(tx, jobId, clock.now(), clock.now() + JOB_LEASE_MS));
    if (job === null) return false;
    for (let batches = 0; batches < BATCHES_PER_TURN; batches++) {
      const { appId } = job;
      if (this.#rounds.isClosing || (await hasBacklog(storage.db, appId, clock.now()))) {
        await this.#release(job);
        return false;
      }
      const batch = await this.#advance(job);
      if (batch === null) return false;
      if (batch.redelivered > 0) due(appId);
      if (batch.done) return false;
      job = batch.job;
    }
    await this.#release(job);
    return true;
  }

  async #advance(job: LeasedJob): Promise<Batch | null> {
    const { storage, clock } = this.#parts;
    const now = clock.now();
    return await storage.write(
      (tx) => advanceJob(tx, storage.dialect, job, now, now + JOB_LEASE_MS),
      laneOf(job.appId),
    );
  }

  async #release(job: LeasedJob): Promise<void> {
    const { storage, clock } = this.#parts;
    await storage.write((tx) => releaseJob(tx, job, clock.now()));
  }
}
