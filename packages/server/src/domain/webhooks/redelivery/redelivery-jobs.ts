import type { Logger } from "pino";
import type { Clock } from "../../../platform/clock/clock.ts";
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

/** The lease of a job: a process that has died or hangs loses its jobs after this time. */
const LEASE_MS = 30_000;
/** The interval for finding jobs of other processes; {@link wake} is called for this process only. */
const LOOK_EVERY_MS = 3_000;
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
  #timer: NodeJS.Timeout | undefined;
  /** The rounds in progress. */
  #working: Promise<void> | null = null;
  /** Whether there may be work that the rounds in progress have not seen. */
  #again = false;
  #closing = false;

  constructor(parts: RedeliveryJobsParts) {
    this.#parts = parts;
  }

  /** Starts working on unfinished jobs, and looks for new ones at intervals. */
  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS);
    this.#timer.unref();
    this.wake();
  }

  /** Looks for jobs at once; call it when a job has been created. */
  wake(): void {
    this.#again = true;
    if (!this.#closing) this.#working ??= this.#work();
  }

  /** Finishes the current batch and releases its job. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    try {
      while (this.#again && !this.#closing) {
        this.#again = false;
        if (await this.#round()) this.#again = true;
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, "redelivery jobs could not be read; tried again shortly");
    } finally {
      this.#working = null;
    }
  }

  /** Gives each job a turn. Returns whether one of them has more work at once. */
  async #round(): Promise<boolean> {
    const { storage, clock, log } = this.#parts;
    let more = false;
    for (const jobId of await listWaitingJobs(storage.db, clock.now(), JOBS_PER_ROUND)) {
      if (this.#closing) return false;
      try {
        if (await this.#turn(jobId)) more = true;
      } catch (error) {
        log.warn({ err: error, jobId }, "a redelivery job was interrupted; taken up again when its lease ends");
      }
    }
    return more;
  }

  /** Works on a job for one turn. Returns whether it has more work at once. */
  async #turn(jobId: string): Promise<boolean> {
    const { storage, clock, due } = this.#parts;
    let job = await storage.write((tx) => takeJob(tx, jobId, clock.now(), clock.now() + LEASE_MS));
    if (job === null) return false;
    for (let batches = 0; batches < BATCHES_PER_TURN; batches++) {
      const { appId } = job;
      if (this.#closing || (await hasBacklog(storage.db, appId, clock.now()))) {
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
    return await storage.write((tx) => advanceJob(tx, storage.dialect, job, now, now + LEASE_MS), laneOf(job.appId));
  }

  async #release(job: LeasedJob): Promise<void> {
    const { storage, clock } = this.#parts;
    await storage.write((tx) => releaseJob(tx, job, clock.now()));
  }
}
