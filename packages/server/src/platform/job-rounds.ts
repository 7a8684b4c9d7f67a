import type { Logger } from "pino";

/** A process that has died or hangs loses its jobs after this time. */
export const JOB_LEASE_MS = 30_000;
/** How often jobs of other processes, and interrupted ones, are looked for; {@link JobRounds.wake} tells this process only. */
const LOOK_EVERY_MS = 3_000;

/** Jobs in the database, each named by an id, and what is done with them. */
export interface Jobs {
  log: Logger;
  /** What several of them are called in the log. */
  called: string;
  /** The ids of those that wait for a process, at most so many as one round works on. */
  list(): Promise<string[]>;
  /** Takes a job under a lease and works on it for one turn. Returns whether it has more work at once. */
  turn(id: string): Promise<boolean>;
  /** Notes that a turn failed; whoever finds the job after its lease goes on with it. */
  interrupted(id: string, error: unknown): void;
}

/**
 * Works jobs off in the background, in rounds in which each has a turn, so that a long one does not keep the others
 * waiting. How far each has come is in the database, under a lease, so that any process can go on with it.
 */
export class JobRounds {
  readonly #jobs: Jobs;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;
  /** Whether there may be work that the rounds in progress have not seen. */
  #again = false;
  #isClosing = false;

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  /** Whether a turn should end, and release its job. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Goes on with unfinished jobs, and looks for others at intervals. */
  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS);
    this.#timer.unref();
    this.wake();
  }

  /** Looks for jobs at once; call it when one has been created. */
  wake(): void {
    this.#again = true;
    if (!this.#isClosing) this.#working ??= this.#work();
  }

  /** Waits for the turn in progress, which sees {@link isClosing}, and begins no other. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    try {
      while (this.#again && !this.#isClosing) {
        this.#again = false;
        if (await this.#round()) this.#again = true;
      }
    } catch (error) {
      this.#jobs.log.warn({ err: error }, `${this.#jobs.called} could not be read; tried again shortly`);
    } finally {
      this.#working = null;
    }
  }

  /** Gives each job a turn. Returns whether one of them has more work at once. */
  async #round(): Promise<boolean> {
    let more = false;
    for (const id of await this.#jobs.list()) {
      if (this.#isClosing) return false;
      try {
        if (await this.#jobs.turn(id)) more = true;
      } catch (error) {
        this.#jobs.interrupted(id, error);
      }
    }
    return more;
  }
}
