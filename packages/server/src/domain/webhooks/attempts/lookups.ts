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

/** Each holds one of Node's few worker threads, which files need as well. */
const MAX_RUNNING = 2;
/** Of these, the ones for names that are not known to be quick. */
const MAX_RUNNING_DOUBTFUL = 1;
/** Names that wait for a thread, those known to be quick apart from the others. */
const MAX_WAITING_QUICK = 1_000;
const MAX_WAITING_DOUBTFUL = 100;
const SLOW_MS = 1_000;
/** A name that was slow is not trusted again before: else one that is quick and slow in turn would be, each time. */
const SLOW_MEMORY_MS = 10 * 60_000;
const MAX_QUICK_NAMES = 10_000;
const MAX_SLOW_NAMES = 1_000;

interface Job {
  hostname: string;
  started: boolean;
  /** Whether the name is not known to be quick. */
  doubtful: boolean;
  /** How many are still waiting for the outcome. */
  interested: number;
  answer: PromiseWithResolvers<readonly Address[]>;
}

/**
 * Resolves host names, few at a time, since a look-up occupies a worker thread until the resolver gives up, which may
 * take much longer than anyone waits. Those who ask for the same name at the same time share one look-up; answers are
 * not kept.
 *
 * Anyone may register names that hang, and new ones without end. So a name has to be quick once before it may have every
 * thread; until then, and for ten minutes after each time that it was slow, it shares one thread with all others of its
 * kind, in which those that were slow let those that were not go first.
 */
export class Lookups {
  readonly #lookup: Lookup;
  readonly #jobs = new Map<string, Job>();
  readonly #running = new Set<Job>();
  #waiting: Job[] = [];
  readonly #quickNames = new LRUCache<string, true>({ max: MAX_QUICK_NAMES });
  /** When each was slow, in milliseconds of `performance.now()`. */
  readonly #slowNames = new LRUCache<string, number>({ max: MAX_SLOW_NAMES });

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
    const doubtful = !this.#quickNames.has(hostname);
    const others = this.#waiting.filter((job) => job.doubtful === doubtful).length;
    if (others >= (doubtful ? MAX_WAITING_DOUBTFUL : MAX_WAITING_QUICK)) throw new LookupLimitError("lookups-busy");
    const job: Job = { hostname, started: false, doubtful, interested: 0, answer: Promise.withResolvers() };
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
    while (this.#running.size < MAX_RUNNING) {
      const job = this.#next();
      if (job === undefined) return;
      this.#waiting = this.#waiting.filter((other) => other !== job);
      void this.#run(job);
    }
  }

  /** The first to wait for a thread that it may have. */
  #next(): Job | undefined {
    const doubtfulOnes = [...this.#running].filter(({ doubtful }) => doubtful).length;
    if (doubtfulOnes >= MAX_RUNNING_DOUBTFUL) return this.#waiting.find(({ doubtful }) => !doubtful);
    return this.#waiting.find(({ hostname }) => !this.#slowNames.has(hostname)) ?? this.#waiting[0];
  }

  async #run(job: Job): Promise<void> {
    job.started = true;
    this.#running.add(job);
    // At once, not when it ends: one that hangs for the first time must not be joined by a doubtful one.
    const timer = setTimeout(() => this.#becameSlow(job), SLOW_MS);
    try {
      const addresses = await this.#lookup(job.hostname);
      this.#wasAnswered(job.hostname);
      job.answer.resolve(addresses);
    } catch (error) {
      job.answer.reject(error);
    }
    clearTimeout(timer);
    this.#running.delete(job);
    this.#jobs.delete(job.hostname);
    this.#startSome();
  }

  #becameSlow(job: Job): void {
    job.doubtful = true;
    this.#quickNames.delete(job.hostname);
    this.#slowNames.set(job.hostname, performance.now());
  }

  /** A failure, however quick, earns no trust: it costs whoever registers names nothing. */
  #wasAnswered(hostname: string): void {
    const slowAt = this.#slowNames.get(hostname);
    if (slowAt !== undefined && performance.now() - slowAt < SLOW_MEMORY_MS) return;
    this.#slowNames.delete(hostname);
    this.#quickNames.set(hostname, true);
  }
}
