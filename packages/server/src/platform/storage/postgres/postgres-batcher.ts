import { Unavailable } from "../../errors/unavailable.ts";
import { TransactionLost, withSavepoint } from "../savepoint.ts";
import type { InStepOptions, ObserveSql, Unit } from "../storage.ts";
import type { StorageTimings } from "../storage-timings.ts";
import { ask, isLost, limitTransaction } from "./cuttable-client.ts";
import { asOutage } from "./outages.ts";
import { connectionOf } from "./postgres-connection.ts";
import { commit, type PostgresLanes } from "./postgres-lanes.ts";
import type { PostgresPool } from "./postgres-pool.ts";
import { SharedTransaction } from "./shared-transaction.ts";
import { UnitHandle } from "./unit-handle.ts";
import { WaitingUnits } from "./waiting-units.ts";

/** The most units of one transaction. */
const MAX_UNITS = 64;
const MAX_TRANSACTIONS = 4;
/**
 * While a transaction is younger than twice what recent ones took, within these bounds, units wait for its end rather than
 * share out among more.
 */
const PATIENCE_MS = { min: 20, max: 100 };
const MAX_WAITING = 20_000;
/** When the database fails, units that have waited longer than this are refused with those that it failed. */
const REFUSED_AFTER_MS = 1_000;

/** A queued unit of work, with the callbacks of its promise. */
interface Job {
  unit: Unit<unknown>;
  options: InStepOptions;
  cameAt: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** A transaction on its way. */
interface Running {
  readonly jobs: readonly Job[];
  /** Whether it has asked for its last locks. */
  isLast: boolean;
}

type Outcome = { result: unknown } | { error: unknown };

/**
 * Runs units of work in step (see SharedTransaction): those that wait share a transaction and its sync. Units of one lane are
 * never in two transactions at a time, so that one does not wait for the other's locks.
 *
 * A transaction that is lost is rolled back, and each of its units runs again by itself, in its lane. An outage is final:
 * all its units fail, and with them those that have waited as long.
 */
export class PostgresBatcher {
  readonly #pool: PostgresPool;
  readonly #lanes: PostgresLanes;
  readonly #observe: ObserveSql | undefined;
  readonly #timings: StorageTimings | undefined;
  readonly #waiting = new WaitingUnits<Job>();
  readonly #handles: UnitHandle[] = [];
  readonly #running = new Set<Running>();
  #startedAt = 0;
  /** A moving average of what transactions took. */
  #typicalMs = 0;
  #isScheduled = false;
  #timer: NodeJS.Timeout | null = null;

  /** @param lanes run the units of a transaction that was lost. */
  constructor(pool: PostgresPool, lanes: PostgresLanes, observe?: ObserveSql, timings?: StorageTimings) {
    this.#pool = pool;
    this.#lanes = lanes;
    this.#observe = observe;
    this.#timings = timings;
  }

  /** The number of units that wait for a transaction. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Runs a unit of work. Resolves with its result once that is on disk. */
  run<T>(unit: Unit<T>, options: InStepOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.size >= MAX_WAITING) throw new Unavailable("too many writes are waiting for PostgreSQL");
      const cameAt = performance.now();
      // The result has the unit's own type: only this job resolves this promise.
      this.#waiting.add(options.lane, { unit, options, cameAt, resolve: (result) => resolve(result as T), reject });
      this.#schedule();
    });
  }

  /** Lets all calls that have arrived together share a transaction. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startNext();
    });
  }

  #startNext(): void {
    if (this.#waiting.size === 0 || this.#running.size >= MAX_TRANSACTIONS) return;
    const patience = this.#isTimely ? 0 : this.#startedAt + this.#patienceMs - performance.now();
    if (patience > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.#startNext();
      }, patience);
      return;
    }
    const jobs = this.#waiting.take(MAX_UNITS);
    if (jobs.length === 0) return;
    const running = { jobs, isLast: false };
    this.#running.add(running);
    const startedAt = performance.now();
    this.#startedAt = startedAt;
    void this.#settle(running).finally(() => {
      this.#running.delete(running);
      this.#typicalMs += (performance.now() - startedAt - this.#typicalMs) / 8;
      if (!running.isLast) this.#free(running);
      this.#schedule();
    });
    // Those for which there was no room wait for its end, or until it is old enough.
    this.#startNext();
  }

  /**
   * Whether the next transaction need not wait. None is on its way; or one is, and has asked for its last locks: so the next asks
   * for nonces, quotas and the like while that is written. With fewer units than that one it waits for more, or transactions
   * would become smaller and smaller.
   */
  get #isTimely(): boolean {
    const [first, second] = this.#running;
    if (first === undefined) return true;
    return second === undefined && first.isLast && this.#waiting.size >= first.jobs.length;
  }

  /** Units of its lanes may be in the next transaction. */
  #free({ jobs }: Running): void {
    this.#waiting.free(jobs.map(({ options }) => options.lane));
  }

  get #patienceMs(): number {
    return Math.min(Math.max(PATIENCE_MS.min, 2 * this.#typicalMs), PATIENCE_MS.max);
  }

  /** Never throws. */
  async #settle(running: Running): Promise<void> {
    const { jobs } = running;
    try {
      const outcomes = await this.#transact(running);
      for (const [index, outcome] of outcomes.entries()) answer(jobs[index], outcome);
    } catch (error) {
      if (error instanceof Unavailable) this.#refuse(jobs, error);
      else await Promise.all(jobs.map((job) => this.#runAlone(job)));
    }
  }

  async #runAlone({ unit, options, resolve, reject }: Job): Promise<void> {
    const { lane, selfContained } = options;
    try {
      resolve(await this.#lanes.run(unit, { savepoint: selfContained !== true, lane }));
    } catch (error) {
      reject(error);
    }
  }

  #refuse(jobs: readonly Job[], outage: Unavailable): void {
    const late = performance.now() - REFUSED_AFTER_MS;
    const lanes = new Set(jobs.flatMap(({ options: { lane } }) => (lane === undefined ? [] : [lane])));
    const others = this.#waiting.remove(({ cameAt, options: { lane } }) => {
      return cameAt < late || (lane !== undefined && lanes.has(lane));
    });
    for (const { reject } of [...jobs, ...others]) reject(outage);
  }

  /** @throws when the transaction was not committed. */
  async #transact(running: Running): Promise<Outcome[]> {
    const { jobs } = running;
    const client = await this.#pool.connect();
    const connection = connectionOf(client, this.#observe);
    const lift = limitTransaction(client, this.#pool.deadlines.transactionMs);
    const startedAt = performance.now();
    let broken = false;
    let onLost = (_error: Error) => {};
    try {
      const begun = ask(client, this.#pool.begin);
      begun.catch(() => {});
      const transaction = new SharedTransaction(connection, jobs.length, () => {
        if (running.isLast) return;
        running.isLast = true;
        this.#free(running);
        this.#schedule();
      });
      // Also when nothing is on its way whose answer would fail.
      onLost = (error) => transaction.lose(error);
      client.once("error", onLost);
      const outcomes = await this.#runAll(transaction, jobs);
      await begun;
      const told = await transaction.finish();
      await commit(client);
      await Promise.all(told);
      this.#timings?.committed(performance.now() - startedAt, jobs.length);
      return outcomes;
    } catch (error) {
      const cause = error instanceof TransactionLost ? (error.cause ?? error) : error;
      broken = await ask(client, "rollback").then(
        () => false,
        () => true,
      );
      throw broken && !(cause instanceof Unavailable)
        ? new Unavailable("the connection to PostgreSQL was lost", { cause })
        : asOutage(client, cause);
    } finally {
      lift();
      client.off("error", onLost);
      client.release(broken || isLost(client));
    }
  }

  /** Runs all units to their end. @throws TransactionLost when they have to run again. */
  async #runAll(transaction: SharedTransaction, jobs: readonly Job[]): Promise<Outcome[]> {
    const handles = jobs.map(() => this.#handles.pop() ?? new UnitHandle());
    const runs = handles.map(async (handle, index): Promise<Outcome> => {
      const job = jobs[index];
      if (job === undefined) throw new Error("a handle without a unit");
      const { unit, options } = job;
      try {
        const run = (tx: Parameters<typeof unit>[0]) =>
          options.selfContained ? unit(tx) : withSavepoint(tx, () => unit(tx));
        return { result: await handle.carryOut(transaction, run) };
      } catch (error) {
        if (error instanceof TransactionLost) transaction.lose(error);
        return { error };
      }
    });
    const outcomes = await Promise.all(runs);
    this.#handles.push(...handles);
    if (transaction.loss !== null) throw transaction.loss;
    return outcomes;
  }
}

function answer(job: Job | undefined, outcome: Outcome): void {
  if ("result" in outcome) job?.resolve(outcome.result);
  else job?.reject(outcome.error);
}
