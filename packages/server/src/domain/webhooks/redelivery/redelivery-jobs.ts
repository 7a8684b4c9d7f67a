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

/** A process that has died, or stands still, loses its jobs after this long. */
const LEASE_MS = 30_000;
/** Wake-ups come only from this process; this often the database is asked for jobs of others. */
const LOOK_EVERY_MS = 3_000;
/** Jobs looked at in one round, and batches of a job before the next has its turn. */
const JOBS_PER_ROUND = 50;
const BATCHES_PER_TURN = 20;

/** What the runner works with. */
export interface RedeliveryJobsParts {
  storage: Storage;
  clock: Clock;
  log: Logger;
  /** Told of an application that has something due. */
  due(appId: string): void;
}

/**
 * Carries out redelivery jobs, all there are in turns, a bounded number of deliveries per transaction. A job is worked on by
 * one process at a time, under a lease; its progress lies in the database, so whoever takes it goes on where the last one
 * stopped. It pauses while its application has many deliveries waiting: these go first, and so do events that are new.
 */
export class RedeliveryJobs {
  readonly #parts: RedeliveryJobsParts;
  #timer: NodeJS.Timeout | undefined;
  /** The rounds under way. */
  #working: Promise<void> | null = null;
  /** Whether there may be more to do than the rounds under way have seen. */
  #again = false;
  #closing = false;

  constructor(parts: RedeliveryJobsParts) {
    this.#parts = parts;
  }

  /** Takes up what is left to do, and looks for more from time to time. */
  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS);
    this.#timer.unref();
    this.wake();
  }

  /** Looks at once; to be called when a job has been created. */
  wake(): void {
    this.#again = true;
    if (!this.#closing) this.#working ??= this.#work();
  }

  /** Finishes the batch under way and gives its job back. */
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

  /** Gives each job its turn; whether one of them has more to do at once. */
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

  /** Works on a job for a while; whether it has more to do at once. */
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
