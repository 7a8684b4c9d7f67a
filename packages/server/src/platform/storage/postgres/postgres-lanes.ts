import type pg from "pg";
import { invariant } from "../../errors/invariant.ts";
import { Unavailable } from "../../errors/unavailable.ts";
import { TransactionLost, withSavepoint, worthAnotherTry } from "../savepoint.ts";
import type { ObserveSql, Unit } from "../storage.ts";
import type { StorageTimings } from "../storage-timings.ts";
import { ask, isLost, limitTransaction } from "./cuttable-client.ts";
import { asOutage } from "./outages.ts";
import { connectionOf, type PostgresConnection } from "./postgres-connection.ts";
import type { PostgresPool } from "./postgres-pool.ts";
import { Skipped } from "./skipped.ts";
import type { StatementCall } from "./statement-group.ts";

const MAX_BATCH = 64;
const MAX_WAITING = 20_000;
const MAX_TRIES = 5;
/**
 * The fraction of a transaction's deadline after which no further unit begins; the remaining units share the next
 * transaction.
 */
const BEGIN_WITHIN = 1 / 4;

const COMMIT: StatementCall = { name: "commit", text: "commit" };

/** A queued unit of work, with the callbacks of its promise. */
interface Job {
  unit: Unit<unknown>;
  savepoint: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { result: unknown } | { error: unknown };

/**
 * The connection was lost during the commit, so it is unknown whether the transaction holds. It must not be run again.
 */
class OutcomeUnknown extends Unavailable {
  override readonly name = "OutcomeUnknown";
}

/**
 * Runs units of work in transactions on PostgreSQL. Units of one **lane** contend for the same row (a conversation's
 * counter), so they run one after another: those that wait when the lane becomes free share one transaction and one
 * sync. Units without a lane run concurrently, and so do different lanes.
 *
 * Other rows (a file that is sent to two conversations) can be needed by several lanes, so two transactions of many
 * units can deadlock. PostgreSQL then aborts one of them; it is rolled back, and each of its units gets a transaction
 * of its own. A single unit acquires its locks in one order, files before messages before counters, and cannot
 * deadlock.
 *
 * When a transaction exceeds its deadline or the server does not answer, its connection is closed. Units queued behind
 * it in its lane have waited as long, and fail with it.
 */
export class PostgresLanes {
  readonly #pool: PostgresPool;
  /** Lanes with a running transaction, and the units queued for the next one. */
  readonly #lanes = new Map<string, Job[]>();
  readonly #observe: ObserveSql | undefined;
  readonly #timings: StorageTimings | undefined;
  #waiting = 0;

  constructor(pool: PostgresPool, observe?: ObserveSql, timings?: StorageTimings) {
    this.#pool = pool;
    this.#observe = observe;
    this.#timings = timings;
  }

  /** The number of units without an outcome, those in a transaction included. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Runs a unit of work. Resolves with its result once that is on disk. */
  run<T>(unit: Unit<T>, options: { savepoint: boolean; lane?: string }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting >= MAX_WAITING) throw new Unavailable("too many writes are waiting for PostgreSQL");
      this.#waiting++;
      const { savepoint, lane } = options;
      // The result has the unit's own type: only this job resolves this promise.
      const job: Job = { unit, savepoint, resolve: (result) => resolve(result as T), reject };
      if (lane === undefined) void this.#transact([job]);
      else this.#enter(lane, job);
    });
  }

  #enter(lane: string, job: Job): void {
    const waiting = this.#lanes.get(lane);
    if (waiting === undefined) {
      this.#lanes.set(lane, []);
      void this.#drive(lane, [job]);
    } else {
      waiting.push(job);
    }
  }

  async #drive(lane: string, first: Job[]): Promise<void> {
    for (let jobs = first; jobs.length > 0; jobs = this.#lanes.get(lane)?.splice(0, MAX_BATCH) ?? []) {
      const outage = await this.#transact(jobs);
      if (outage !== null) this.#refuse(this.#lanes.get(lane)?.splice(0) ?? [], outage);
    }
    this.#lanes.delete(lane);
  }

  #refuse(jobs: Job[], error: unknown): void {
    this.#waiting -= jobs.length;
    for (const job of jobs) job.reject(error);
  }

  /**
   * Runs the jobs in one transaction, or in several when they are slow, and settles them. When a transaction fails and
   * was certainly not committed, each of its jobs gets its own. Never throws.
   *
   * @returns the outage that occurred, if any.
   */
  async #transact(jobs: Job[]): Promise<Unavailable | null> {
    try {
      const outcomes = await this.#tryTransaction(jobs, jobs.length === 1 ? MAX_TRIES : 1);
      invariant(outcomes.length > 0, "a transaction that commits has carried out a unit");
      this.#waiting -= outcomes.length;
      for (const [index, outcome] of outcomes.entries()) answer(jobs[index], outcome);
      return outcomes.length < jobs.length ? await this.#transact(jobs.slice(outcomes.length)) : null;
    } catch (error) {
      if (jobs.length > 1 && !(error instanceof Unavailable)) {
        const outages = await Promise.all(jobs.map((job) => this.#transact([job])));
        return outages.find((outage) => outage !== null) ?? null;
      }
      this.#refuse(jobs, error);
      return error instanceof Unavailable ? error : null;
    }
  }

  async #tryTransaction(jobs: Job[], maxTries: number): Promise<Outcome[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#commit(jobs);
      } catch (error) {
        if (!worthAnotherTry(error) || tries === maxTries) throw error;
      }
    }
  }

  /**
   * Runs and commits the first job and those after it that can begin in time.
   *
   * @throws when the transaction was not committed.
   */
  async #commit(jobs: Job[]): Promise<Outcome[]> {
    const client = await this.#pool.connect();
    const connection = connectionOf(client, this.#observe);
    const { transactionMs } = this.#pool.deadlines;
    const lift = limitTransaction(client, transactionMs);
    const startedAt = performance.now();
    const beginUntil = startedAt + transactionMs * BEGIN_WITHIN;
    let broken = false;
    try {
      // Sent with the first statement; when it fails, so does the connection, or the transaction.
      const begun = ask(client, this.#pool.begin);
      begun.catch(() => {});
      const outcomes: Outcome[] = [];
      for (const job of jobs) {
        if (outcomes.length > 0 && performance.now() > beginUntil) break;
        outcomes.push(await settle(connection, job, jobs.length === 1));
      }
      await begun;
      if (jobs.length === 1 && hasFailed(outcomes)) {
        await ask(client, "rollback");
        return outcomes;
      }
      await commit(client);
      this.#timings?.committed(performance.now() - startedAt, outcomes.length);
      return outcomes;
    } catch (error) {
      broken = await ask(client, "rollback").then(
        () => false,
        () => true,
      );
      throw broken && !(error instanceof Unavailable)
        ? new Unavailable("the connection to PostgreSQL was lost", { cause: error })
        : asOutage(client, error);
    } finally {
      lift();
      client.release(broken || isLost(client));
    }
  }
}

/**
 * Commits a transaction.
 *
 * @throws OutcomeUnknown when it may have been committed, so that it must not be run again.
 */
export async function commit(client: pg.PoolClient): Promise<void> {
  // A commit that was never sent has a known outcome.
  if (isLost(client)) throw new Unavailable("the connection to PostgreSQL was lost before the commit");
  const { command } = await ask(client, COMMIT).catch((cause: unknown) => {
    if (cause instanceof Skipped) throw new TransactionLost("PostgreSQL did not commit", { cause: cause.cause });
    throw new OutcomeUnknown("the answer to a commit was lost", { cause });
  });
  // PostgreSQL answers COMMIT in a failed transaction with ROLLBACK.
  if (command !== "COMMIT") throw new TransactionLost("PostgreSQL rolled the transaction back");
}

/**
 * Runs one job. One that is alone in its transaction needs no savepoint: its failure ends the transaction.
 *
 * @throws when the whole transaction is lost, not only the job, or when the job has to run again.
 */
async function settle(connection: PostgresConnection, { unit, savepoint }: Job, isAlone: boolean): Promise<Outcome> {
  const tx = connection.handle;
  try {
    return { result: savepoint && !isAlone ? await withSavepoint(tx, () => unit(tx)) : await unit(tx) };
  } catch (error) {
    const again = isAlone && savepoint && worthAnotherTry(error);
    if (again || error instanceof TransactionLost || isFailedTransaction(connection)) throw error;
    return { error: asOutage(connection.client, error) };
  }
}

/**
 * Whether a query has failed outside a savepoint, after which PostgreSQL refuses further statements, or the connection
 * is lost.
 */
function isFailedTransaction({ client }: PostgresConnection): boolean {
  return client.getTransactionStatus() !== "T" || isLost(client);
}

function hasFailed(outcomes: readonly Outcome[]): boolean {
  return outcomes.some((outcome) => "error" in outcome);
}

function answer(job: Job | undefined, outcome: Outcome): void {
  if ("result" in outcome) job?.resolve(outcome.result);
  else job?.reject(outcome.error);
}
