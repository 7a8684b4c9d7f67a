import { lookup as systemResolver } from "node:dns/promises";
import { LRUCache } from "lru-cache";

/** An IP address, as the resolver spells it. */
export interface Address {
  address: string;
  family: number;
}

/** Resolves a host name to all of its addresses; fails when it has none. */
export type Lookup = (hostname: string) => Promise<readonly Address[]>;

/** A look-up that was not carried through; `code` tells whether it was too slow or not even begun. */
export class LookupLimitError extends Error {
  readonly code: "lookup-timeout" | "lookups-busy";

  constructor(code: LookupLimitError["code"]) {
    super(code);
    this.code = code;
  }
}

/** The system's resolver, with its hosts file, in the order in which it answers. */
export const systemLookup: Lookup = (hostname) => systemResolver(hostname, { all: true, verbatim: true });

/** Each holds one of Node's few worker threads, which files and password hashing need as well. */
const MAX_RUNNING = 2;
/** Of these, the ones for names that were slow the last time. */
const MAX_RUNNING_SLOW = 1;
const MAX_WAITING = 100;
const SLOW_MS = 1_000;
const MAX_SLOW_NAMES = 1_000;

interface Job {
  hostname: string;
  started: boolean;
  /** How many are still waiting for the outcome. */
  interested: number;
  answer: PromiseWithResolvers<readonly Address[]>;
}

/**
 * Resolves host names, few at a time, since a look-up occupies a worker thread until the resolver gives up, which may
 * take much longer than anyone waits. Those who ask for the same name at the same time share one look-up; answers are
 * not kept. A name that was slow is from then on looked up only beside a free thread, so names that hang, whoever
 * registers them, cannot hold up all others for longer than once.
 */
export class Lookups {
  readonly #lookup: Lookup;
  readonly #jobs = new Map<string, Job>();
  #waiting: Job[] = [];
  #running = 0;
  #runningSlow = 0;
  readonly #slowNames = new LRUCache<string, true>({ max: MAX_SLOW_NAMES });

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /**
   * All addresses of `hostname`.
   *
   * @throws LookupLimitError when there is no answer within `timeoutMs`, or too many wait already; else what the resolver throws.
   */
  async resolve(hostname: string, timeoutMs: number): Promise<readonly Address[]> {
    const job = this.#jobs.get(hostname) ?? this.#add(hostname);
    job.interested++;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new LookupLimitError("lookup-timeout")), timeoutMs);
    });
    try {
      return await Promise.race([job.answer.promise, timeout]);
    } finally {
      clearTimeout(timer);
      job.interested--;
      if (job.interested === 0 && !job.started) this.#forget(job);
    }
  }

  #add(hostname: string): Job {
    if (this.#waiting.length >= MAX_WAITING) throw new LookupLimitError("lookups-busy");
    const job: Job = { hostname, started: false, interested: 0, answer: Promise.withResolvers() };
    // It may fail when nobody is interested any more.
    job.answer.promise.catch(() => {});
    this.#jobs.set(hostname, job);
    this.#waiting.push(job);
    this.#startSome();
    return job;
  }

  #forget(job: Job): void {
    this.#jobs.delete(job.hostname);
    this.#waiting = this.#waiting.filter((other) => other !== job);
  }

  #startSome(): void {
    while (this.#running < MAX_RUNNING) {
      const maySlow = this.#runningSlow < MAX_RUNNING_SLOW;
      const index = this.#waiting.findIndex(({ hostname }) => maySlow || !this.#slowNames.has(hostname));
      const [job] = index === -1 ? [] : this.#waiting.splice(index, 1);
      if (job === undefined) return;
      void this.#run(job);
    }
  }

  async #run(job: Job): Promise<void> {
    const slow = this.#slowNames.has(job.hostname);
    job.started = true;
    this.#running++;
    if (slow) this.#runningSlow++;
    const startedAt = performance.now();
    try {
      job.answer.resolve(await this.#lookup(job.hostname));
    } catch (error) {
      job.answer.reject(error);
    }
    if (performance.now() - startedAt >= SLOW_MS) this.#slowNames.set(job.hostname, true);
    else this.#slowNames.delete(job.hostname);
    this.#running--;
    if (slow) this.#runningSlow--;
    this.#jobs.delete(job.hostname);
    this.#startSome();
  }
}
