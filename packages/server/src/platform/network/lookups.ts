import { lookup as systemResolver } from "node:dns/promises";
import { growingLru } from "../limits/growing-lru.ts";

/** An IP address, as the resolver returns it. */
export interface Address {
  address: string;
  family: number;
}

/** Resolves a host name to all of its addresses; rejects when it has none. */
export type Lookup = (hostname: string) => Promise<readonly Address[]>;

/** A lookup that was given up; `code` tells whether it was too slow or never started. */
export class LookupLimitError extends Error {
  readonly code: "lookup-timeout" | "lookups-busy";

  constructor(code: LookupLimitError["code"]) {
    super(code);
    this.code = code;
  }
}

/** The system's resolver, including its hosts file, in its order. */
export const systemLookup: Lookup = (hostname) => systemResolver(hostname, { all: true, verbatim: true });

/** The most concurrent lookups. Each occupies one of Node's few worker threads, which file operations need too. */
const MAX_RUNNING = 2;
/** The most concurrent lookups of names that are not known to be fast. */
const MAX_RUNNING_DOUBTFUL = 1;
/** The most waiting names, separately for names known to be fast and others. */
const MAX_WAITING_QUICK = 1_000;
const MAX_WAITING_DOUBTFUL = 100;
const SLOW_MS = 1_000;
/** How long a slow name counts as slow, so that one that is fast and slow in turn is not trusted each time. */
const SLOW_MEMORY_MS = 10 * 60_000;
const MAX_QUICK_NAMES = 10_000;
const MAX_SLOW_NAMES = 1_000;

interface Job {
  hostname: string;
  started: boolean;
  /** Whether the name is not known to be fast. */
  doubtful: boolean;
  /** The number of callers that still wait for the result. */
  interested: number;
  answer: PromiseWithResolvers<readonly Address[]>;
}

/**
 * Resolves host names, few at a time: a lookup occupies a worker thread until the resolver gives up, which can take
 * much longer than its callers wait. Concurrent callers for the same name share a lookup; results are not cached.
 *
 * Anyone may register names whose lookup hangs, and any number of new ones. So a name may use every thread only after
 * it was fast once. Before that, and for ten minutes after it was slow, it shares one thread with all other such names,
 * where names that were slow wait for those that were not.
 */
export class Lookups {
  readonly #lookup: Lookup;
  readonly #jobs = new Map<string, Job>();
  readonly #running = new Set<Job>();
  #waiting: Job[] = [];
  readonly #quickNames = growingLru<true>(MAX_QUICK_NAMES);
  /** When each was slow, by `performance.now()`. */
  readonly #slowNames = growingLru<number>(MAX_SLOW_NAMES);

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /**
   * All addresses of `hostname`.
   *
   * @throws LookupLimitError when there is no result within `timeoutMs`, or too many lookups are waiting; otherwise
   * what the resolver throws.
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
    // It may fail after all callers have gone.
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

  /** The first waiting job that may use a free thread. */
  #next(): Job | undefined {
    const doubtfulOnes = [...this.#running].filter(({ doubtful }) => doubtful).length;
    if (doubtfulOnes >= MAX_RUNNING_DOUBTFUL) return this.#waiting.find(({ doubtful }) => !doubtful);
    return this.#waiting.find(({ hostname }) => !this.#slowNames.has(hostname)) ?? this.#waiting[0];
  }

  async #run(job: Job): Promise<void> {
    job.started = true;
    this.#running.add(job);
    // When it becomes slow, not when it ends: another doubtful name must not start beside one that hangs for the first
    // time.
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

  /** Only a success makes a name trusted: fast failures cost an attacker nothing. */
  #wasAnswered(hostname: string): void {
    const slowAt = this.#slowNames.get(hostname);
    if (slowAt !== undefined && performance.now() - slowAt < SLOW_MEMORY_MS) return;
    this.#slowNames.delete(hostname);
    this.#quickNames.set(hostname, true);
  }
}
