import type { QueryResult } from "kysely";
import { type JointQuery, LOCK_RANK } from "../joint.ts";
import { TransactionLost } from "../savepoint.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

type AnyQuery = JointQuery<unknown, unknown>;

/** A joint query that a unit waits for. */
interface Ask {
  params: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** A unit of a shared transaction. */
export interface SharingUnit {
  /** Calls back once the unit has ended; at once if it has. */
  onEnd(ended: () => void): void;
  readonly hasEnded: boolean;
}

/**
 * Units of work in one transaction of one connection, side by side and in step: what they ask by joint queries is
 * gathered until none of them can go on, and then sent as one statement for each query. Queries that lock what others
 * wait for are held back until each unit has ended, or waits for such a query, or for another unit.
 *
 * There are no savepoints. When a statement fails, or a unit fails after a change, the transaction is lost: every
 * further query fails, and whoever runs the transaction rolls it back.
 */
export class SharedTransaction {
  readonly #connection: PostgresConnection;
  readonly #asked = new Map<AnyQuery, Ask[]>();
  readonly #locks = new Map<AnyQuery, Ask[]>();
  /** Queries whose units do not wait for them. */
  readonly #told = new Map<AnyQuery, unknown[]>();
  readonly #claims = new Map<string, SharingUnit>();
  /** Units that have not ended. */
  #going: number;
  /** Those of them that wait for locks, and those that wait for another unit. */
  #atLocks = 0;
  #held = 0;
  #isScheduled = false;
  #loss: TransactionLost | null = null;

  readonly #onLast: () => void;

  /**
   * @param onLast called when the counters, the last of its locks, have been asked for, by all units that have not ended: from
   * then on it waits for nothing that a later transaction may hold. Not called when there are none.
   */
  constructor(connection: PostgresConnection, units: number, onLast: () => void = () => {}) {
    this.#connection = connection;
    this.#going = units;
    this.#onLast = onLast;
  }

  /** Why it is lost; null while it is not. */
  get loss(): TransactionLost | null {
    return this.#loss;
  }

  /** Runs a statement of one unit. */
  async run<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    this.#check();
    try {
      return await this.#connection.run<Row>(sql, parameters);
    } catch (error) {
      throw this.lose(error);
    }
  }

  async ask<Params, Result>(unit: SharingUnit, query: JointQuery<Params, Result>, params: Params): Promise<Result> {
    const claim = query.claim?.(params);
    if (claim !== undefined && !this.#claimed(claim, unit)) await this.#waitFor(claim, unit);
    this.#check();
    // A query that is told has no result.
    if (query.isTold) return this.#tell(query as AnyQuery, params) as Result;
    return new Promise<Result>((resolve, reject) => {
      const queue = query.lockRank === undefined ? this.#asked : this.#locks;
      // The result has the query's own type: its asks are answered by its own results.
      const ask: Ask = { params, resolve: (result) => resolve(result as Result), reject };
      const asks = queue.get(query as AnyQuery);
      if (asks === undefined) queue.set(query as AnyQuery, [ask]);
      else asks.push(ask);
      if (query.lockRank !== undefined) this.#atLocks++;
      this.#schedule();
    });
  }

  /**
   * Sends what its units have told, once all of them have ended. The commit may be asked for at once: when one of these
   * statements fails, PostgreSQL rolls back instead.
   *
   * @returns promises that are kept when these statements have been answered; none is rejected.
   */
  async finish(): Promise<Promise<unknown>[]> {
    const answers: Promise<unknown>[] = [];
    for (const [query, all] of take(this.#told)) {
      const { sent } = this.#connection;
      const answer = query.joint(this.#connection.handle, all).catch((error: unknown) => this.lose(error));
      // One that is not sent at once must not come after the commit.
      if (this.#connection.sent === sent) await answer;
      answers.push(answer);
    }
    this.#check();
    return answers;
  }

  /** Tells that one of its units has ended. */
  unitEnded(): void {
    this.#going--;
    this.#schedule();
  }

  /** Gives the whole transaction up. Returns what its units are to throw. */
  lose(cause: unknown): TransactionLost {
    if (this.#loss !== null) return this.#loss;
    const loss = cause instanceof TransactionLost ? cause : new TransactionLost("a statement failed", { cause });
    this.#loss = loss;
    for (const asks of [...take(this.#asked).values(), ...take(this.#locks).values()]) {
      for (const { reject } of asks) reject(loss);
    }
    return loss;
  }

  #tell(query: AnyQuery, params: unknown): void {
    const all = this.#told.get(query);
    if (all === undefined) this.#told.set(query, [params]);
    else all.push(params);
  }

  #check(): void {
    if (this.#loss !== null) throw this.#loss;
  }

  /** Makes a claim, unless another unit that has not ended has made it. */
  #claimed(claim: string, unit: SharingUnit): boolean {
    const holder = this.#claims.get(claim);
    if (holder !== undefined && holder !== unit && !holder.hasEnded) return false;
    this.#claims.set(claim, unit);
    return true;
  }

  /** Resolves once the claim is made: of several units that waited for one that has ended, the first makes it. */
  async #waitFor(claim: string, unit: SharingUnit): Promise<void> {
    this.#held++;
    this.#schedule();
    do {
      const holder = this.#claims.get(claim);
      await new Promise<void>((resolve) => (holder === undefined ? resolve() : holder.onEnd(resolve)));
    } while (!this.#claimed(claim, unit));
    this.#held--;
  }

  /** Sends what has been asked once everything that can run now has run. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // A microtask first: called outside of one, nextTick would come before all continuations of promises.
    queueMicrotask(() => process.nextTick(() => this.#send()));
  }

  #send(): void {
    this.#isScheduled = false;
    if (this.#loss !== null) return;
    let due = take(this.#asked);
    if (due.size === 0 && this.#atLocks > 0 && this.#atLocks + this.#held >= this.#going) due = this.#takeLocks();
    const areLast = due.size > 0 && this.#asksLast(due);
    for (const [query, asks] of due) void this.#answer(query, asks);
    if (areLast) this.#onLast();
  }

  /** Whether every unit that has not ended now waits for a counter. */
  #asksLast(due: ReadonlyMap<AnyQuery, readonly Ask[]>): boolean {
    let units = 0;
    for (const [{ lockRank }, asks] of due) {
      if (lockRank !== LOCK_RANK.counter) return false;
      units += asks.length;
    }
    return units === this.#going;
  }

  /** Takes the queries of the lowest rank. */
  #takeLocks(): Map<AnyQuery, Ask[]> {
    const rank = Math.min(...[...this.#locks.keys()].map(({ lockRank = 0 }) => lockRank));
    const due = new Map([...this.#locks].filter(([{ lockRank }]) => lockRank === rank));
    for (const [query, asks] of due) {
      this.#locks.delete(query);
      this.#atLocks -= asks.length;
    }
    return due;
  }

  async #answer(query: AnyQuery, asks: readonly Ask[]): Promise<void> {
    try {
      const all = asks.map(({ params }) => params);
      const results = await query.joint(this.#connection.handle, all);
      for (let index = 0; index < asks.length; index++) asks[index]?.resolve(results[index]);
      // An answer may have been the last that held locks back, and not let its unit go on, which waits for another one.
      this.#schedule();
    } catch (error) {
      const loss = this.lose(error);
      for (const { reject } of asks) reject(loss);
    }
  }
}

function take<Asked>(queue: Map<AnyQuery, Asked[]>): Map<AnyQuery, Asked[]> {
  const taken = new Map(queue);
  queue.clear();
  return taken;
}
