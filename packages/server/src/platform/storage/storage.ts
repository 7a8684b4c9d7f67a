import type { Db, Dialect } from "./schema.ts";

/** Is told the statements that connections run, each at least once and before it runs; those of migrations are left out. */
export type ObserveSql = (sql: string) => void;

/** A piece of work that stands or falls as one. It awaits nothing but its own queries on `tx`. */
export type Unit<T> = (tx: Db) => Promise<T>;

/** Where work is done that changes something. */
export interface Writes {
  /**
   * Runs `unit` in a transaction and resolves once it is on disk. If the unit throws, what it did is undone. The unit
   * may be run again from the start when the engine asks for it, so it must have no other effects.
   *
   * @param lane names what units contend for; on PostgreSQL those of one lane share transactions.
   * @throws Unavailable when the database does not answer in time.
   */
  write<T>(unit: Unit<T>, lane?: string): Promise<T>;
  /**
   * Like `write`, for a unit that undoes its own failures and throws only before its first write or when nothing
   * can be saved. Cheaper by a savepoint.
   */
  writeSelfContained<T>(unit: Unit<T>, lane?: string): Promise<T>;
}

/** The database, behind one face for both engines. */
export interface Storage extends Writes {
  readonly dialect: Dialect;
  /** For reading, outside any transaction; sees everything that was acknowledged. */
  readonly db: Db;
  /**
   * The same for what may take long: lists, searches, figures. They are read one after another, embedded in a thread of
   * its own, on PostgreSQL over a connection that nobody else waits for.
   */
  readonly lists: Db;
  /** For work that nobody waits for and that may take minutes: sweeps, a provisioning file. */
  readonly unhurried: Writes;
  /** Work that joins every transaction of this process; null where that has no meaning. */
  beforeEachCommit: ((unit: Unit<void>) => void) | null;
  /** Resolves when all that can be read now is on disk; whoever tells it on waits for this. */
  synced(): Promise<void>;
  /** Has the database get by with as little more of the disk as it can, or no longer. */
  makeDo(scarce: boolean): void;
  /** Has `told` called whenever a transaction failed because the disk is full; null where the disk is not this machine's. */
  whenFull: ((told: () => void) => void) | null;
  /** The migrations that a newer program has made on this database since it was opened; none where one process owns it. */
  newerMigrations(): Promise<string[]>;
  /** What time the database says it is, in epoch milliseconds; null where its clock is the process's. */
  now(): Promise<number | null>;
  /** Resolves when the database answers whoever reads and takes what is written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
