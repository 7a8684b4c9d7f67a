import { isDiskFull } from "../../disk/disk-full.ts";
import { invariant } from "../../errors/invariant.ts";
import { Unavailable } from "../../errors/unavailable.ts";
import { TransactionLost, withSavepoint } from "../savepoint.ts";
import type { Db } from "../schema.ts";
import type { Unit } from "../storage.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** Units in one transaction at most, so that the last of them does not wait without end. */
const MAX_BATCH = 256;
/** Units that may wait; beyond this the disk is not keeping up and callers are told so. */
const MAX_WAITING = 20_000;

interface Job {
  run(): Promise<void>;
  settle(): void;
  fail(error: unknown): void;
}

/**
 * Commits many units of work with one sync. A unit passes through three states:
 *
 * - waiting, until the batch before it is on disk and the event loop comes round: then all that wait run one after
 *   another in one transaction, each in a savepoint. SQLite works synchronously, so between `begin` and `commit`
 *   nothing else of the process runs;
 * - committed, which others may already read but nobody has been told of, while the log is synced in a thread of
 *   Node's and the event loop takes in the next requests;
 * - answered.
 */
export class GroupCommitter {
  readonly #db: Db;
  readonly #connection: SqliteConnection;
  readonly #log: WriteAheadLog;
  #waiting: Job[] = [];
  /** Whether a batch is due or under way. */
  #busy = false;
  /** Whether a unit of the batch has found the disk full. */
  #isFull = false;
  #syncing: Promise<void> | null = null;
  /** Called at the end of every transaction, before its commit, for counters that ride along. */
  beforeCommit: Unit<void> | null = null;
  /** Called after a transaction in which the disk was found full. */
  whenFull: (() => void) | null = null;

  constructor(db: Db, connection: SqliteConnection, log: WriteAheadLog) {
    this.#db = db;
    this.#connection = connection;
    this.#log = log;
  }

  /**
   * Queues `unit` for the next transaction; resolves with its result once that is on disk.
   *
   * @param options.savepoint false for a unit that never throws after its first write and undoes its own failures.
   */
  run<T>(unit: Unit<T>, options: { savepoint: boolean } = { savepoint: true }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length >= MAX_WAITING) throw new Unavailable("too many writes are waiting for the disk");
      let settle = () => {};
      const run = async () => {
        try {
          const result = options.savepoint ? await withSavepoint(this.#db, () => unit(this.#db)) : await unit(this.#db);
          // A unit that goes on after the engine has given up the transaction is given up with it, and so are those after it.
          if (!this.#connection.database.inTransaction) throw new TransactionLost("the transaction has been given up");
          settle = () => resolve(result);
        } catch (error) {
          if (error instanceof TransactionLost || !this.#connection.database.inTransaction) throw error;
          this.#isFull ||= isDiskFull(error);
          settle = () => reject(error);
        }
      };
      this.#waiting.push({ run, settle: () => settle(), fail: reject });
      this.#schedule();
    });
  }

  /** Resolves when everything that can be read now is on disk. */
  async synced(): Promise<void> {
    this.#log.check();
    await this.#syncing;
  }

  /** Resolves when everything queued so far is answered. */
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
    try {
      invariant(this.#syncing === null, "one batch is under way at a time");
      await this.#commit(batch);
      this.#syncing = this.#log.sync(batch.length);
      await this.#syncing;
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
    this.#connection.run("begin immediate", []);
    for (const job of batch) await job.run();
    await this.beforeCommit?.(this.#db);
    this.#connection.run("commit", []);
  }

  #abandon(): void {
    try {
      if (this.#connection.database.inTransaction) this.#connection.run("rollback", []);
    } catch {
      // The engine has rolled back by itself; the units are told either way.
    }
  }
}
