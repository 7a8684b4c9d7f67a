import { Socket } from "node:net";
import pg from "pg";
import type { Logger } from "pino";
import { Unavailable } from "../../errors/unavailable.ts";

/** How long PostgreSQL is waited for, in milliseconds. */
export interface PostgresDeadlines {
  /** Until a connection is there, a free one of the pool or a new one. */
  connectMs: number;
  /** One statement, at the server. */
  statementMs: number;
  /** The answer to a query, at the client: longer than {@link statementMs}, so that only silence reaches it. */
  answerMs: number;
  /** A transaction whose client says nothing more, at the server: it is undone, and what it holds is free. */
  idleInTransactionMs: number;
  /** A whole transaction, at the client. */
  transactionMs: number;
}

/** What a call waits for. Whoever waits for rows that a frozen process holds gets them before its own deadline. */
export const CALL_DEADLINES: PostgresDeadlines = {
  connectMs: 4_500,
  statementMs: 4_000,
  answerMs: 4_500,
  idleInTransactionMs: 2_500,
  transactionMs: 10_000,
};

/** What nobody waits for may take: sweeps, a provisioning file, and migrations, which may build an index of a large table. */
export const UNHURRIED_DEADLINES: PostgresDeadlines = {
  connectMs: 5_000,
  statementMs: 3_600_000,
  answerMs: 3_605_000,
  idleInTransactionMs: 30_000,
  transactionMs: 7_200_000,
};

/** The system asks a peer that says nothing for a sign of life after so long; ten without an answer, one a second, are enough. */
const KEEP_ALIVE_AFTER_MS = 5_000;

/** bigint columns hold times, counters and ids below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** How often connections are looked at for those that missed a deadline: a timer for each query costs more than the query. */
const LOOK_EVERY_MS = 100;

/** A connection with its socket at hand: one whose peer is silent can only be cut. It knows since when it waits. */
class CuttableClient extends pg.Client {
  readonly socket: Socket;
  /** Queries that have not been answered. */
  #pending = 0;
  /** `performance.now()` since when they wait: the oldest was sent, or the one before it was answered. */
  #waitingSince = 0;
  /** `performance.now()` by which the transaction has to be over. */
  transactionEndsBy = Number.POSITIVE_INFINITY;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
  }

  ask(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#pending++ === 0) this.#waitingSince = performance.now();
    const answer = this.query(query);
    answer.then(this.#answered, this.#answered);
    return answer;
  }

  readonly #answered = () => {
    this.#pending--;
    this.#waitingSince = performance.now();
  };

  /** Whether a deadline has passed at `now` (milliseconds of the process). */
  isLate(now: number, answerMs: number): boolean {
    return (this.#pending > 0 && now - this.#waitingSince >= answerMs) || now >= this.transactionEndsBy;
  }
}

/** Sends a query over a connection of a {@link PostgresPool}, which cuts it when there is no answer in time. */
export function ask(client: pg.PoolClient, query: string | pg.QueryConfig): Promise<pg.QueryResult> {
  return client instanceof CuttableClient ? client.ask(query) : client.query(query);
}

/** Cuts the connection after so many milliseconds, unless the result is called before. */
export function limitTransaction(client: pg.PoolClient, transactionMs: number): () => void {
  const cuttable = client instanceof CuttableClient ? client : null;
  if (cuttable !== null) cuttable.transactionEndsBy = performance.now() + transactionMs;
  return () => {
    if (cuttable !== null) cuttable.transactionEndsBy = Number.POSITIVE_INFINITY;
  };
}

/** Since when connections are trusted that were made before; shared by the pools of one database. */
export class Trust {
  #since = 0;

  /** A connection was lost: those made until now may be as dead, without anybody having been told. */
  lose(): void {
    this.#since = performance.now();
  }

  covers(madeAt: number): boolean {
    return madeAt > this.#since;
  }
}

/**
 * Connections to PostgreSQL, none of which is waited for without end. Queries are sent without waiting for the answers to
 * those before them, so one that is not answered holds up all behind it: its connection is cut. Silence seldom concerns
 * one connection alone (the host died, a firewall forgot them all), so with the first that is lost all others made before
 * are replaced as they are asked for.
 */
export class PostgresPool {
  readonly deadlines: PostgresDeadlines;
  readonly #pool: pg.Pool;
  readonly #trust: Trust;
  readonly #madeAt = new WeakMap<object, number>();
  readonly #clients = new Set<CuttableClient>();
  readonly #timer: NodeJS.Timeout;

  /** @param settings of the server for these connections, beside those that all have. */
  constructor(
    url: string,
    max: number,
    deadlines: PostgresDeadlines,
    trust: Trust,
    log: Logger,
    settings: Record<string, string> = {},
  ) {
    this.deadlines = deadlines;
    this.#trust = trust;
    const { connectMs, statementMs, idleInTransactionMs } = deadlines;
    this.#pool = new pg.Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      pipeline: true,
      types,
      Client: CuttableClient,
      options:
        `-c synchronous_commit=on -c statement_timeout=${statementMs} ` +
        `-c idle_in_transaction_session_timeout=${idleInTransactionMs}` +
        Object.entries(settings)
          .map(([name, value]) => ` -c ${name}=${value}`)
          .join(""),
    });
    // A connection that breaks is replaced; without listeners it would end the process. Only the message is logged: the
    // error carries the whole connection. Queries under way are told by their own failure.
    this.#pool.on("error", (error) => log.warn({ reason: error.message }, "lost an idle connection to PostgreSQL"));
    this.#pool.on("connect", (client) => {
      this.#madeAt.set(client, performance.now());
      client.on("error", () => trust.lose());
      if (client instanceof CuttableClient) this.#clients.add(client);
    });
    this.#pool.on("remove", (client) => {
      if (client instanceof CuttableClient) this.#clients.delete(client);
    });
    this.#timer = setInterval(() => this.#look(performance.now()), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** @throws Unavailable when there is none to be had in time. */
  async connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect().catch((cause: unknown) => {
        throw new Unavailable("PostgreSQL cannot be reached", { cause });
      });
      if (this.#trust.covers(this.#madeAt.get(client) ?? 0)) return client;
      cut(client);
      client.release(true);
    }
  }

  async end(): Promise<void> {
    await this.#pool.end();
    clearInterval(this.#timer);
  }

  /** Cuts connections that have missed a deadline. */
  #look(now: number): void {
    for (const client of this.#clients) if (client.isLate(now, this.deadlines.answerMs)) client.socket.destroy();
  }
}

/** Ends a connection without a word to its peer. What waits for its answers fails. */
function cut(client: pg.PoolClient): void {
  if (client instanceof CuttableClient) client.socket.destroy();
}

/** Whether the connection has been lost, as far as this side knows. */
export function isLost(client: pg.PoolClient): boolean {
  return client instanceof CuttableClient && !client.socket.writable;
}

/** PostgreSQL's codes for: a statement took too long, a lock did, the transaction was left alone, nothing can be written. */
const OUTAGES = new Set(["57014", "55P03", "25P03", "25P04", "25006"]);
/** Classes of codes: connection lost, out of room or places, ended by an operator, system error. */
const OUTAGE_CLASSES = new Set(["08", "53", "57", "58"]);

/** `error`, met on `client`, as an outage if it is one. */
export function asOutage(client: pg.PoolClient, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isOutage = isLost(client) || OUTAGES.has(code) || (code.length === 5 && OUTAGE_CLASSES.has(code.slice(0, 2)));
  return isOutage && !(error instanceof Unavailable)
    ? new Unavailable("PostgreSQL does not answer as it should", { cause: error })
    : error;
}
