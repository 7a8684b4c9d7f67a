import type { JointQuery } from "./joint.ts";
import type { Db, Dialect } from "./schema.ts";

/** Is told the statements that connections run, each at least once and before it runs; those of migrations are left out. */
export type ObserveSql = (sql: string) => void;

/** A piece of work that stands or falls as one. It awaits nothing but its own queries on `tx`. */
export type Unit<T> = (tx: Db) => Promise<T>;

/** Where work is done that changes something. */
export interface Writes {
  /**
   * Runs `unit` in a transaction and resolves once it is on disk. When the unit throws, its changes are rolled back.
   * The engine may require the unit to run again from its start, so it must have no other side effects.
   *
   * @param lane names what units contend for; on PostgreSQL, units of one lane share transactions.
   * @throws Unavailable when the database does not answer in time.
   */
  write<T>(unit: Unit<T>, lane?: string): Promise<T>;
  /**
   * Like `write`, for a unit that undoes its own failures, and throws only before its first write or when the
   * transaction is lost. Saves the savepoint.
   */
  writeSelfContained<T>(unit: Unit<T>, lane?: string): Promise<T>;
}

/** How a unit runs in step with others. */
export interface InStepOptions {
  /** Names what units contend for: those of one lane never run in two transactions of this process at a time. */
  lane?: string | undefined;
  /** Set for a unit like those of `writeSelfContained`. */
  selfContained?: true;
}

/** The connections of one pool to the database. */
export interface PoolLoad {
  /** What the pool is for. */
  pool: string;
  used: number;
  idle: number;
  /** The most that it may open. */
  most: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

/** How busy the database's connections are. */
export interface StorageLoad {
  /** Empty for an embedded database, which has no pools. */
  pools: readonly PoolLoad[];
  /** Units of work that wait for a transaction or are in one. */
  pendingUnits: number;
}

/** The database, with one interface for both engines. */
export interface Storage extends Writes {
  readonly dialect: Dialect;
  /** For reads outside any transaction. Sees all acknowledged writes. */
  readonly db: Db;
  /**
   * For slow reads: lists, searches, statistics. They run one after another, in a separate thread when embedded, over
   * separate connections on PostgreSQL.
   */
  readonly lists: Db;
  /** Reads outside any transaction, like `db`; on PostgreSQL, one statement answers those who ask at the same time. */
  ask<Params, Result>(query: JointQuery<Params, Result>, params: Params): Result | Promise<Result>;
  /** For slow work without a waiting caller: sweeps, a provisioning file. */
  readonly unhurried: Writes;
  /**
   * Like `write`, for units of which there are many at a time: on PostgreSQL those that wait share a transaction, in
   * which they run side by side and their joint queries (see JointQuery) are sent together. A unit must not wait for
   * another, nor lock what others wait for except by joint queries with a rank.
   */
  writeInStep<T>(unit: Unit<T>, options: InStepOptions): Promise<T>;
  /**
   * Like `write`, for a unit that runs one prepared statement, whose outcome does not depend on others of its application:
   * on PostgreSQL the statement is a transaction by itself, and takes one trip instead of two. It may have been carried out
   * even if this throws.
   */
  writeStatement<T>(unit: Unit<T>): Promise<T>;
  /**
   * Like `writeStatement`, over a connection that no transaction has: for what units wait for while they hold theirs, of which
   * there might be none left.
   */
  writeBeside<T>(unit: Unit<T>): Promise<T>;
  /** Adds work to every transaction of this process; null where the engine does not support it. */
  beforeEachCommit: ((unit: Unit<void>) => void) | null;
  /** Resolves when all data that can be read now is on disk. Wait for it before passing read data on. */
  synced(): Promise<void>;
  /** Sets whether the database must save disk space. */
  makeDo(scarce: boolean): void;
  /** Begins to copy the log into the database, so that the database has grown by what was written so far. */
  copyLog(): void;
  /**
   * Registers a callback for transactions that fail because the disk is full; null when the database's disk is not on
   * this machine.
   */
  whenFull: ((told: () => void) => void) | null;
  /** The migrations that a newer version has made since the database was opened; none for an embedded database. */
  newerMigrations(): Promise<string[]>;
  /** The database's time in epoch milliseconds; null where it uses the clock of this process. */
  now(): Promise<number | null>;
  /** How busy its connections are now. */
  load(): StorageLoad;
  /** Resolves when the database answers reads and accepts writes. */
  ping(): Promise<void>;
  /** Gives background work the deadlines of calls from now on, so that it cannot delay a stop of the service. */
  hurry(): void;
  close(): Promise<void>;
}
