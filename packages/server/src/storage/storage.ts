import type { Unit } from "./group-committer.ts";
import type { Db, Dialect } from "./schema.ts";

/** The database, behind one face for both engines. */
export interface Storage {
  readonly dialect: Dialect;
  /** For reading, outside any transaction; sees everything that was acknowledged. */
  readonly db: Db;
  /**
   * Runs `unit` in a transaction and resolves once it is on disk. If the unit throws, what it did is undone. The unit
   * may be run again from the start when the engine asks for it, so it must have no other effects.
   */
  write<T>(unit: Unit<T>): Promise<T>;
  /**
   * Like `write`, for a unit that undoes its own failures and throws only before its first write or when nothing
   * can be saved. Cheaper by a savepoint.
   */
  writeSelfContained<T>(unit: Unit<T>): Promise<T>;
  /** Work that joins every transaction of this process; null where that has no meaning. */
  beforeEachCommit: ((unit: Unit<void>) => void) | null;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
