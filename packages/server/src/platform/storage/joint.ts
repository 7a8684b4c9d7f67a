import type { Db } from "./schema.ts";

/**
 * A query that many units of work need, with a form that serves several at once. A unit that has its transaction to
 * itself asks `alone`; units that run in step (see Storage.writeInStep) are asked for together.
 */
export interface JointQuery<Params, Result> {
  alone(tx: Db, params: Params): Result | Promise<Result>;
  /** The queries of several units in as few statements as possible; the results are in the order of `all`. */
  joint(tx: Db, all: readonly Params[]): Promise<readonly Result[]>;
  /** Whether the query of a unit has changed anything. Without this function, it never does. */
  changed?(result: Result, params: Params): boolean;
  /**
   * The place in the lock order (docs/concurrency.md) of a query that locks rows for which other transactions wait. It
   * is sent when all units of the transaction wait for such queries or have ended, the lowest rank first: so all rows
   * of a rank are locked by one statement, in one order. A unit asks nothing else meanwhile.
   */
  lockRank?: number;
  /**
   * Names what two units must not do side by side, such as the use of one nonce: a unit waits here until those that
   * claimed the same before have ended. Units must make claims of different kinds in the same order.
   */
  claim?(params: Params): string;
  /**
   * Set for a change without a result, for whose rows nobody waits: units in step go on without waiting for it. It is sent
   * at the end of the transaction, together with the commit, so later queries of the transaction do not see it. Its joint
   * form is one statement. It may note what the statement returned, for use after the unit's write has resolved.
   */
  isTold?: true;
}

/** Places in the lock order. */
export const LOCK_RANK = { message: 10, counter: 11 } as const;

/** A unit that runs in step with others. */
export interface UnitInStep {
  ask<Params, Result>(query: JointQuery<Params, Result>, params: Params): Promise<Result>;
  /** Asks for what the unit will ask for; it then gets this answer, once. Only for queries that change and claim nothing. */
  askAhead<Params, Result>(query: JointQuery<Params, Result>, params: Params): void;
  /** Runs work whose failure, after it has changed something, undoes the transaction of all. */
  inSavepoint<T>(work: () => Promise<T>): Promise<T>;
}

const units = new WeakMap<Db, UnitInStep>();

/** Makes joint queries on `db` go to `unit`. */
export function registerUnit(db: Db, unit: UnitInStep): void {
  units.set(db, unit);
}

/** The unit that works on `db`; undefined for one that is alone in its transaction. */
export function unitInStep(db: Db): UnitInStep | undefined {
  return units.get(db);
}

/** A joint query, asked on a handle. */
interface JointFunction<Params, Result> {
  (tx: Db, params: Params): Result | Promise<Result>;
  /**
   * Asks for it before the unit needs it, so that it is sent together with what the unit waits for now. The same question
   * later gets this answer. A unit that is alone in its transaction asks only then.
   */
  ahead(tx: Db, params: Params): void;
}

/** Makes a function of a joint query. */
export function joint<Params, Result>(query: JointQuery<Params, Result>): JointFunction<Params, Result> {
  const ask = (tx: Db, params: Params) => {
    const unit = units.get(tx);
    return unit === undefined ? query.alone(tx, params) : unit.ask(query, params);
  };
  return Object.assign(ask, { ahead: (tx: Db, params: Params) => units.get(tx)?.askAhead(query, params) });
}
