import { Kysely, type QueryResult } from "kysely";
import { invariant } from "../../errors/invariant.ts";
import { connectDirectly, type SqlRunner, type Statement, singleConnectionDialect } from "../connection.ts";
import { type JointQuery, registerUnit, type UnitInStep } from "../joint.ts";
import { RaceLost, TransactionLost } from "../savepoint.ts";
import type { Db, Schema } from "../schema.ts";
import { POSTGRES_PARTS } from "./postgres-connection.ts";
import type { SharedTransaction, SharingUnit } from "./shared-transaction.ts";

type AnyQuery = JointQuery<unknown, unknown>;

interface AskedAhead {
  query: AnyQuery;
  params: unknown;
  answer: Promise<unknown>;
}

/**
 * The database handle of a unit in a shared transaction. Handles are used again, because making one and compiling
 * queries for it is slow.
 */
export class UnitHandle implements SqlRunner, UnitInStep, SharingUnit {
  readonly handle: Db;
  #transaction: SharedTransaction | null = null;
  /** Queries of the unit that have changed something, or may have. */
  #changes = 0;
  #waiting: (() => void)[] = [];
  /** What it has asked ahead, and not yet for use. */
  #ahead: AskedAhead[] = [];

  constructor() {
    this.handle = new Kysely<Schema>({ dialect: singleConnectionDialect(POSTGRES_PARTS, this, () => {}) });
    connectDirectly(this.handle, this);
    registerUnit(this.handle, this);
  }

  /** Runs `unit` as one of the transaction's, and tells the transaction when it has ended. */
  async carryOut<T>(transaction: SharedTransaction, unit: (tx: Db) => Promise<T>): Promise<T> {
    this.#transaction = transaction;
    this.#changes = 0;
    this.#ahead = [];
    try {
      return await unit(this.handle);
    } finally {
      this.#transaction = null;
      transaction.unitEnded();
      for (const goOn of this.#waiting.splice(0)) goOn();
    }
  }

  get hasEnded(): boolean {
    return this.#transaction === null;
  }

  onEnd(ended: () => void): void {
    if (this.hasEnded) ended();
    else this.#waiting.push(ended);
  }

  async run<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    return await this.#run<Row>(sql, parameters, isChange(sql));
  }

  statement<Row>(sql: string): Statement<Row> {
    const changes = isChange(sql);
    const run = (parameters: unknown[]) => this.#run<Row>(sql, parameters, changes);
    return {
      all: async (parameters) => (await run(parameters)).rows,
      get: async (parameters) => (await run(parameters)).rows[0],
      change: async (parameters) => Number((await run(parameters)).numAffectedRows ?? 0),
    };
  }

  async ask<Params, Result>(query: JointQuery<Params, Result>, params: Params): Promise<Result> {
    const result = await (this.#takeAhead(query, params) ?? this.#shared().ask(this, query, params));
    if (query.changed?.(result, params)) this.#changes++;
    return result;
  }

  askAhead<Params, Result>(query: JointQuery<Params, Result>, params: Params): void {
    invariant(
      query.changed === undefined && query.claim === undefined,
      "what is asked ahead changes and claims nothing",
    );
    const answer = this.#shared().ask(this, query, params);
    // A unit that ends before it asks for it never learns how it failed; the transaction is lost in any case.
    answer.catch(() => {});
    this.#ahead.push({ query: query as AnyQuery, params, answer });
  }

  /** The answer to the same question that was asked ahead, if any. */
  #takeAhead<Params, Result>(query: JointQuery<Params, Result>, params: Params): Promise<Result> | undefined {
    const index = this.#ahead.findIndex((asked) => asked.query === query && areSame(asked.params, params));
    if (index === -1) return undefined;
    // The result has the query's own type.
    return this.#ahead.splice(index, 1)[0]?.answer as Promise<Result> | undefined;
  }

  async inSavepoint<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#changes;
    try {
      return await work();
    } catch (error) {
      const failsAlone = this.#changes === before && !(error instanceof RaceLost);
      if (error instanceof TransactionLost || failsAlone) throw error;
      // Also told directly: the unit may handle the error and go on.
      throw this.#shared().lose(new TransactionLost("a unit failed after a change, or lost a race", { cause: error }));
    }
  }

  #run<Row>(sql: string, parameters: readonly unknown[], changes: boolean): Promise<QueryResult<Row>> {
    if (changes) this.#changes++;
    return this.#shared().run<Row>(sql, parameters);
  }

  #shared(): SharedTransaction {
    if (this.#transaction === null) throw new Error("a query of a unit that has ended");
    return this.#transaction;
  }
}

/** Whether parameters are the same: objects of texts and numbers. */
function areSame(some: unknown, others: unknown): boolean {
  const [one, other] = [Object.entries(some ?? {}), new Map(Object.entries(others ?? {}))];
  return one.length === other.size && one.every(([name, value]) => other.get(name) === value);
}

function isChange(sql: string): boolean {
  return !/^\s*select\b/i.test(sql);
}
