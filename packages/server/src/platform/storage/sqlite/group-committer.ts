import { isDiskFull } from "../../disk/disk-full.ts";
import { invariant } from "../../errors/invariant.ts";
import { Unavailable } from "../../errors/unavailable.ts";
import { TransactionLost, withSavepoint } from "../savepoint.ts";
import type { Db } from "../schema.ts";
import type { Unit } from "../storage.ts";
import type { StorageTimings } from "../storage-timings.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** The most units per transaction; bounds the wait of the last one. */
const MAX_BATCH = 256;
/** The most queued units. With more, the disk is too slow and callers are refused. */
const MAX_WAITING = 20_000;

interface Job {
  run(): Promise<void>;
  settle(): void;
  fail(error: unknown): void;
}

/**
 * Group commit: commits many units of work with one sync. A unit has three states:
 *
 * - waiting, until the previous batch is on disk and the event loop comes round. Then all waiting units run one after
 *   another in one transaction, each in a savepoint. SQLite is synchronous, so nothing else of the process runs between
 *   `begin` and `commit`;
 * - committed: other callers can already read its changes, but its own caller has no answer yet. The log is synced in a
 *   thread of Node's pool, while the event loop accepts further requests;
 * - answered.
 */
export class GroupCommitter {
  readonly #db: Db;
  readonly #connection: SqliteConnection;
  readonly #log: WriteAheadLog;
  readonly #timings: StorageTimings | undefined;
  #waiting: Job[] = [];
  /** Whether a batch is scheduled or running. */
  #busy = false;
  /** Whether a unit of the batch failed because the disk is full. */
  #isFull = false;
  #syncing: Promise<void> | null = null;
  /** The connection's failed statements when the batch began. */
  #failuresBefore = 0;
  /** Runs at the end of every transaction, before its commit, e.g. to write counters. */
  beforeCommit: Unit<void> | null = null;
  /** Called after a transaction in which the disk was full. */
  whenFull: (() => void) | null = null;

  constructor(db: Db, connection: SqliteConnection, log: WriteAheadLog, timings?: StorageTimings) {
    this.#db = db;
    this.#connection = connection;
    this.#log = log;
    this.#timings = timings;
  }

  /**
   * Queues `unit` for the next transaction. Resolves with its result once that is on disk.
   *
   * @param options.savepoint false for a unit that undoes its own failures and never throws after its first write.
   */
  run<T>(unit: Unit<T>, options: { savepoint: boolean } = { savepoint: true }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length >= MAX_WAITING) throw new Unavailable("too many writes are waiting for the disk");
      let settle = () => {};
      const run = async () => {
        try {
          const result = options.savepoint ? await withSavepoint(this.#db, () => unit(this.#db)) : await unit(this.#db);
          // A unit may continue after the engine has rolled back the transaction. It is rolled back as well, with those
          // after it.
          if (this.#isLost()) throw new TransactionLost("the transaction has been given up");
          settle = () => resolve(result);
        } catch (error) {
          if (error instanceof TransactionLost || this.#isLost()) throw error;
          this.#isFull ||= isDiskFull(error);
          settle = () => reject(error);
        }
      };
      this.#waiting.push({ run, settle: () => settle(), fail: reject });
      this.#schedule();
    });
  }

  /** The number of units that wait for the next transaction. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when all data that can be read now is on disk. */
  async synced(): Promise<void> {
    this.#log.check();
    await this.#syncing;
  }

  /** Resolves when all queued units are settled. */
  async idle(): Promise<void> {
    while (this.#busy) await new Promise(setImmediate);
  }

  #schedule(): void {
    if (this.#busy) return;
    this.#busy = true;
    setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    const batch = this.#waiting.splice(0, MAX_BATCH);
    const startedAt = performance.now();
    try {
      invariant(this.#syncing === null, "one batch is under way at a time");
      await this.#commit(batch);
      this.#syncing = this.#log.sync(batch.length);
      await this.#syncing;
      this.#timings?.committed(performance.now() - startedAt, batch.length);
      for (const job of batch) job.settle();
    } catch (error) {
      this.#abandon();
      this.#isFull ||= isDiskFull(error);
      for (const job of batch) job.fail(error);
    }
    if (this.#isFull) this.whenFull?.();
    this.#isFull = false;
    this.#syncing = null;
    this.#busy = false;
    if (this.#waiting.length > 0) this.#schedule();
  }

  async #commit(batch: Job[]): Promise<void> {
    this.#log.check();
    invariant(!this.#connection.database.inTransaction, "no transaction is open when a batch begins");
    this.#failuresBefore = this.#connection.failures;
    this.#connection.run("begin immediate", []);
    for (const job of batch) await job.run();
    await this.beforeCommit?.(this.#db);
    this.#connection.run("commit", []);
  }

  /** Whether the engine has given up the batch's transaction, which takes longer to ask than whether it can have. */
  #isLost(): boolean {
    const { failures, database } = this.#connection;
    return failures > this.#failuresBefore && !database.inTransaction;
  }

  #abandon(): void {
    try {
      if (this.#connection.database.inTransaction) this.#connection.run("rollback", []);
    } catch {
      // The engine has rolled back already; the units are rejected either way.
    }
  }
}
