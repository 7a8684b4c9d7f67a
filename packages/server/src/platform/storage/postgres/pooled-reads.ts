import type { QueryResult } from "kysely";
import type pg from "pg";
import type { Statement, StatementSource } from "../connection.ts";
import type { ObserveSql } from "../storage.ts";
import { isLost } from "./cuttable-client.ts";
import { asOutage } from "./outages.ts";
import { connectionOf } from "./postgres-connection.ts";
import type { PostgresPool } from "./postgres-pool.ts";

/** The look-ups that share a connection, one after another; further ones take another connection. */
const MOST_TOGETHER = 32;

/** A connection that look-ups share until none of them waits for its answer. */
interface Shared {
  readonly client: Promise<pg.PoolClient>;
  /** Look-ups that have joined. */
  joined: number;
  /** Those without an answer. */
  waiting: number;
}

/**
 * Runs prepared reads on the connections of a pool. A read of many rows has a connection of its own. Look-ups of single
 * rows share one, and are sent without waiting for earlier answers: a burst of them (each call looks its caller up)
 * then keeps one process of the server busy, instead of one for each, which would compete with those of the writers.
 */
export class PooledReads implements StatementSource {
  readonly #pool: PostgresPool;
  readonly #observe: ObserveSql | undefined;
  #shared: Shared | null = null;

  constructor(pool: PostgresPool, observe?: ObserveSql) {
    this.#pool = pool;
    this.#observe = observe;
  }

  statement<Row>(sql: string): Statement<Row> {
    return {
      all: async (parameters) => (await this.#alone<Row>(sql, parameters)).rows,
      get: async (parameters) => (await this.#together<Row>(sql, parameters)).rows[0],
      change: async (parameters) => Number((await this.#alone(sql, parameters)).numAffectedRows ?? 0),
    };
  }

  async #alone<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const client = await this.#pool.connect();
    try {
      return await this.#run(client, sql, parameters);
    } finally {
      giveBack(client);
    }
  }

  async #together<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const shared = this.#join();
    try {
      return await this.#run(await shared.client, sql, parameters);
    } catch (error) {
      // Whatever is wrong with the connection, the next look-ups take another one.
      if (this.#shared === shared) this.#shared = null;
      throw error;
    } finally {
      shared.waiting--;
      if (shared.waiting === 0) {
        if (this.#shared === shared) this.#shared = null;
        shared.client.then(giveBack, () => {});
      }
    }
  }

  #join(): Shared {
    this.#shared ??= { client: this.#pool.connect(), joined: 0, waiting: 0 };
    const shared = this.#shared;
    shared.joined++;
    shared.waiting++;
    if (shared.joined === MOST_TOGETHER) this.#shared = null;
    return shared;
  }

  async #run<Row>(client: pg.PoolClient, sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    try {
      return await connectionOf(client, this.#observe).run<Row>(sql, parameters);
    } catch (error) {
      throw asOutage(client, error);
    }
  }
}

function giveBack(client: pg.PoolClient): void {
  client.release(isLost(client) || client.getTransactionStatus() !== "I");
}
