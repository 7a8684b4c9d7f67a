import pg from "pg";
import type { Logger } from "pino";
import { Unavailable } from "../../errors/unavailable.ts";
import type { PoolLoad } from "../storage.ts";
import { CuttableClient, cut } from "./cuttable-client.ts";
import { PooledClient } from "./pooled-client.ts";
import type { PostgresDeadlines } from "./postgres-deadlines.ts";
import type { Primary } from "./primary.ts";
import type { StatementCall } from "./statement-group.ts";
import type { Trust } from "./trust.ts";

/**
 * The idle time after which the system sends TCP keep-alive probes. Ten unanswered probes, one per second, end the
 * connection.
 */
const KEEP_ALIVE_AFTER_MS = 5_000;

/** How long callers wait before the pool opens a further connection: longer than a queue of short queries lasts. */
const GROW_AFTER_MS = 5;

/** bigint columns hold times, counters and ids below 2^53. */
export const BIGINTS_AS_NUMBERS = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

const BEGIN: StatementCall = { name: "begin", text: "begin" };

/** The interval for finding connections that missed a deadline; a timer per query would cost more than the query. */
const CHECK_EVERY_MS = 100;

/**
 * A pool of PostgreSQL connections with deadlines. Queries are pipelined, so an unanswered one blocks those behind it,
 * and its connection is closed. An unresponsive server seldom affects one connection alone (the host died, a firewall
 * dropped its state), so after the first loss all older connections are replaced when they are next taken.
 */
export class PostgresPool {
  #deadlines: PostgresDeadlines;
  readonly #pool: pg.Pool;
  readonly #most: number;
  #isGrowing = false;
  readonly #primary: Primary;
  readonly #trust: Trust;
  readonly #madeAt = new WeakMap<object, number>();
  readonly #clients = new Set<CuttableClient>();
  readonly #timer: NodeJS.Timeout;
  /** The statements that begin a transaction. */
  readonly begin: StatementCall;

  /** @param settings further server settings for these connections; behind a pooler only for transactions. */
  constructor(
    primary: Primary,
    most: number,
    deadlines: PostgresDeadlines,
    trust: Trust,
    log: Logger,
    settings: Record<string, string> = {},
  ) {
    const { isPooled } = primary;
    this.#primary = primary;
    this.#deadlines = deadlines;
    this.#most = most;
    this.#trust = trust;
    const { connectMs, statementMs, idleInTransactionMs } = deadlines;
    const all = Object.entries({
      synchronous_commit: "on",
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      ...settings,
    });
    const local = all.map(([name, value]) => `; set local ${name} = ${value}`);
    this.begin = isPooled ? { text: `begin${local.join("")}` } : BEGIN;
    this.#pool = new pg.Pool({
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      pipeline: true,
      types: BIGINTS_AS_NUMBERS,
      Client: isPooled ? PooledClient : CuttableClient,
      ...(!isPooled && { options: all.map(([name, value]) => `-c ${name}=${value}`).join(" ") }),
    });
    // Each new connection leads to the server that is the primary by then, also one that the pool opens by itself for a
    // caller who waits, after another one has failed.
    Object.defineProperty(this.#pool.options, "connectionString", { enumerable: true, get: () => primary.url });
    // #grow() enlarges the pool.
    this.#pool.options.max = 0;
    // A broken connection is replaced; without a listener, its error would end the process. Only the message is logged,
    // because the error holds the whole connection. Running queries fail by themselves.
    this.#pool.on("error", (error) => log.warn({ reason: error.message }, "lost an idle connection to PostgreSQL"));
    this.#pool.on("connect", (client) => {
      this.#madeAt.set(client, performance.now());
      client.on("error", () => {
        trust.lose();
        primary.doubt();
      });
      if (client instanceof CuttableClient) this.#clients.add(client);
    });
    this.#pool.on("remove", (client) => {
      if (client instanceof CuttableClient) this.#clients.delete(client);
      this.#pool.options.max = this.#pool.totalCount;
      this.#grow();
    });
    this.#timer = setInterval(() => this.#closeLate(performance.now()), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  get deadlines(): PostgresDeadlines {
    return this.#deadlines;
  }

  /** Applies other deadlines from now on, also to running queries and transactions. */
  changeDeadlines(deadlines: PostgresDeadlines): void {
    this.#deadlines = deadlines;
    const endsBy = performance.now() + deadlines.transactionMs;
    for (const client of this.#clients) client.transactionEndsBy = Math.min(client.transactionEndsBy, endsBy);
  }

  /** The number of connections, open or being opened. */
  get size(): number {
    return this.#pool.totalCount;
  }

  /** How busy its connections are. */
  get load(): Omit<PoolLoad, "pool"> {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, most: this.#most, waiting: waitingCount };
  }

  /** Whether callers wait for a connection. */
  get isWaitedFor(): boolean {
    return this.#pool.waitingCount > 0;
  }

  /** @throws Unavailable when no connection becomes available in time. */
  async connect(): Promise<pg.PoolClient> {
    for (;;) {
      const asked = this.#pool.connect();
      this.#grow();
      const client = await asked.catch((cause: unknown) => {
        this.#primary.doubt();
        void this.#primary.search();
        throw new Unavailable("PostgreSQL cannot be reached", { cause });
      });
      if (this.#trust.covers(this.#madeAt.get(client) ?? 0)) return client;
      cut(client);
      client.release(true);
    }
  }

  /**
   * Opens one more connection when callers have waited for a while, none is idle, and no other is being opened. The
   * caller takes whichever comes first, the new connection or a released one. Opening one makes the server start a
   * process, which costs as much as dozens of queries, so a short burst of callers must not open any.
   */
  #grow(): void {
    if (this.#isGrowing || !this.#isTooSmall) return;
    this.#isGrowing = true;
    const { idleCount, totalCount } = this.#pool;
    // The pool hands idle connections over in the next tick, and opens none before.
    if (idleCount > 0) setImmediate(() => this.#grown());
    else if (totalCount > 0) setTimeout(() => this.#find(), GROW_AFTER_MS);
    else this.#find();
  }

  /** Opens a connection to the primary, once it is known. */
  #find(): void {
    if (this.#primary.isCertain) this.#open();
    else void this.#primary.search().then(() => this.#open());
  }

  get #isTooSmall(): boolean {
    const { waitingCount, idleCount, totalCount, ending } = this.#pool;
    return !ending && waitingCount > idleCount && totalCount < this.#most;
  }

  #grown(): void {
    this.#isGrowing = false;
    this.#grow();
  }

  #open(): void {
    if (!this.#isTooSmall || this.#pool.idleCount > 0) {
      this.#grown();
      return;
    }
    const { options } = this.#pool;
    options.max = this.#pool.totalCount + 1;
    const made = this.#pool.connect();
    // Further callers find the pool full, and wait.
    options.max = this.#pool.totalCount;
    // After a failure the pool lets the waiting callers try one after another, and reports the error to each.
    made
      .then((client) => client.release())
      .then(
        () => this.#grown(),
        () => {
          this.#isGrowing = false;
        },
      );
  }

  async end(): Promise<void> {
    await this.#pool.end();
    clearInterval(this.#timer);
  }

  /** Closes connections that have missed a deadline. */
  #closeLate(now: number): void {
    for (const client of this.#clients) {
      if (client.isLate(now, this.#deadlines, this.#trust)) client.socket.destroy();
    }
  }
}
