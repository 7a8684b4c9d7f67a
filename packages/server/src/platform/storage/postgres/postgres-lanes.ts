import type pg from "pg";
import { invariant } from "../../errors/invariant.ts";
import { Unavailable } from "../../errors/unavailable.ts";
import { TransactionLost, withSavepoint, worthAnotherTry } from "../savepoint.ts";
import type { ObserveSql, Unit } from "../storage.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { ask, asOutage, isLost, limitTransaction, type PostgresPool } from "./postgres-pool.ts";

const MAX_BATCH = 64;
const MAX_WAITING = 20_000;
const MAX_TRIES = 5;
/** Of the time that a transaction may take, the part after which it begins no further unit: those left share the next. */
const BEGIN_WITHIN = 1 / 4;

/** A unit of work that waits, with the promise it was given out for. */
interface Job {
  unit: Unit<unknown>;
  savepoint: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { result: unknown } | { error: unknown };

/** Whether the transaction holds is not known: the connection was lost around its commit. It must not be run again. */
class OutcomeUnknown extends Unavailable {
  override readonly name = "OutcomeUnknown";
}

/**
 * Runs units of work in transactions on PostgreSQL.
 *
 * Units of one **lane** contend for the same row (a conversation's counter), so they are run one after another: those
 * that wait when the lane is free share one transaction and one sync. Units without a lane, and lanes among each
 * other, run side by side. Other rows (a file that is sent to two conversations) may be wanted by several lanes, so a
 * transaction of many units can meet another in a circle. PostgreSQL then ends one of them; it is undone whole, and each of
 * its units gets a transaction of its own. A unit alone locks in one order, files before messages before counters, and
 * cannot be part of a circle.
 *
 * A transaction that takes too long, or whose server is silent, loses its connection. Units that wait behind it in its
 * lane have waited as long, and fail with it.
 */
export class PostgresLanes {
  readonly #pool: PostgresPool;
  readonly #connections = new WeakMap<pg.PoolClient, PostgresConnection>();
  /** Lanes in which a transaction runs, with the units that wait for the next. */
  readonly #lanes = new Map<string, Job[]>();
  readonly #observe: ObserveSql | undefined;
  #waiting = 0;

  constructor(pool: PostgresPool, observe?: ObserveSql) {
    this.#pool = pool;
    this.#observe = observe;
  }

  /** Resolves with the unit's result once that is on disk. */
  run<T>(unit: Unit<T>, options: { savepoint: boolean; lane?: string }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting >= MAX_WAITING) throw new Unavailable("too many writes are waiting for PostgreSQL");
      this.#waiting++;
      const { savepoint, lane } = options;
      // The result is of the unit's own type: this job alone resolves this promise.
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
   * Runs the jobs in one transaction, or in several where they are slow, and answers them. Should one fail as a whole, and surely,
   * each of its jobs gets one of its own. Never throws.
   *
   * @returns the outage that it met, if it met one.
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
   * Runs the jobs, the first of them at least and those after it that can be begun in time.
   *
   * @throws when the transaction was not committed.
   */
  async #commit(jobs: Job[]): Promise<Outcome[]> {
    const client = await this.#pool.connect();
    const connection = this.#connections.get(client) ?? new PostgresConnection(client, this.#observe);
    this.#connections.set(client, connection);
    const { transactionMs } = this.#pool.deadlines;
    const lift = limitTransaction(client, transactionMs);
    const beginUntil = performance.now() + transactionMs * BEGIN_WITHIN;
    let broken = false;
    try {
      await ask(client, "begin");
      const outcomes: Outcome[] = [];
      for (const job of jobs) {
        if (outcomes.length > 0 && performance.now() > beginUntil) break;
        outcomes.push(await settle(connection, job));
      }
      await commit(client);
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

async function commit(client: pg.PoolClient): Promise<void> {
  // Of what was never sent the outcome is known.
  if (isLost(client)) throw new Unavailable("the connection to PostgreSQL was lost before the commit");
  const { command } = await ask(client, "commit").catch((cause: unknown) => {
    throw new OutcomeUnknown("the answer to a commit was lost", { cause });
  });
  // PostgreSQL answers a commit of a transaction that has failed with a rollback.
  if (command !== "COMMIT") throw new TransactionLost("PostgreSQL rolled the transaction back");
}

/** @throws when the whole transaction is lost, rather than the job alone. */
async function settle(connection: PostgresConnection, { unit, savepoint }: Job): Promise<Outcome> {
  const tx = connection.handle;
  try {
    return { result: savepoint ? await withSavepoint(tx, () => unit(tx)) : await unit(tx) };
  } catch (error) {
    if (error instanceof TransactionLost || isFailedTransaction(connection)) throw error;
    return { error: asOutage(connection.client, error) };
  }
}

/**
 * Whether a query has failed outside a savepoint, after which PostgreSQL does nothing more in this transaction, or the
 * connection is gone.
 */
function isFailedTransaction({ client }: PostgresConnection): boolean {
  return client.getTransactionStatus() !== "T" || isLost(client);
}

function answer(job: Job | undefined, outcome: Outcome): void {
  if ("result" in outcome) job?.resolve(outcome.result);
  else job?.reject(outcome.error);
}
