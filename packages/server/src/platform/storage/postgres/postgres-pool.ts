import { Socket } from "node:net";
import pg from "pg";
import type { Logger } from "pino";
import { Unavailable } from "../../errors/unavailable.ts";

/** Timeouts for PostgreSQL, in milliseconds. */
export interface PostgresDeadlines {
  /** For a connection, whether taken from the pool or opened. */
  connectMs: number;
  /** For one statement, enforced by the server. */
  statementMs: number;
  /**
   * For the answer to a query, enforced by the client. Longer than {@link statementMs}, so that only an unresponsive
   * server exceeds it.
   */
  answerMs: number;
  /**
   * For a transaction whose client sends nothing more, enforced by the server, which rolls it back and frees its locks.
   */
  idleInTransactionMs: number;
  /** For a whole transaction, enforced by the client. */
  transactionMs: number;
  /**
   * For the answer to a query that was already running when another connection to the same database was lost: its own
   * may be dead too.
   */
  suspectMs: number;
}

/** For calls. A caller that waits for row locks of a frozen process gets them before its own deadline. */
export const CALL_DEADLINES: PostgresDeadlines = {
  connectMs: 4_500,
  statementMs: 4_000,
  answerMs: 4_500,
  idleInTransactionMs: 2_500,
  transactionMs: 10_000,
  suspectMs: 4_500,
};

/**
 * For work without a waiting caller: sweeps, provisioning files, and migrations, which may build an index of a large
 * table.
 */
export const UNHURRIED_DEADLINES: PostgresDeadlines = {
  connectMs: 5_000,
  statementMs: 3_600_000,
  answerMs: 3_605_000,
  idleInTransactionMs: 30_000,
  transactionMs: 7_200_000,
  suspectMs: 60_000,
};

/**
 * The idle time after which the system sends TCP keep-alive probes. Ten unanswered probes, one per second, end the
 * connection.
 */
const KEEP_ALIVE_AFTER_MS = 5_000;

/** How long callers wait before the pool opens a further connection: longer than a queue of short queries lasts. */
const GROW_AFTER_MS = 5;

/** bigint columns hold times, counters and ids below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** The interval for finding connections that missed a deadline; a timer per query would cost more than the query. */
const LOOK_EVERY_MS = 100;

/**
 * A connection that exposes its socket, because an unresponsive one can only be destroyed, and tracks how long it has
 * waited.
 */
class CuttableClient extends pg.Client {
  readonly socket: Socket;
  /** Whether the server or the network has ended it, which the socket may not know yet. */
  isBroken = false;
  /** The number of unanswered queries. */
  #pending = 0;
  /**
   * When the wait for the oldest of them began, by `performance.now()`: when it was sent, or the previous one was
   * answered.
   */
  #waitingSince = 0;
  /** When it was first seen waiting for an answer since before the loss of another connection; null when it is not. */
  #suspectSince: number | null = null;
  #isGathering = false;
  /** The deadline of the transaction, by `performance.now()`. */
  transactionEndsBy = Number.POSITIVE_INFINITY;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    this.on("error", () => {
      this.isBroken = true;
    });
  }

  ask(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    this.#gather();
    if (this.#pending++ === 0) this.#waitingSince = performance.now();
    const answer = this.query(query);
    answer.then(this.#answered, this.#answered);
    return answer;
  }

  /** Sends what is asked in one turn of the event loop in one piece: each piece costs a system call here and there. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.socket.cork();
    // A microtask first: called outside of one, nextTick would come before all continuations of promises. The second
    // tick comes after that in which a shared transaction asks what its units have asked for.
    queueMicrotask(() => process.nextTick(() => process.nextTick(this.#send)));
  }

  readonly #send = () => {
    this.#isGathering = false;
    this.socket.uncork();
  };

  readonly #answered = () => {
    this.#pending--;
    this.#waitingSince = performance.now();
    this.#suspectSince = null;
  };

  /** Whether a deadline has passed at `now`, by `performance.now()`. */
  isLate(now: number, { answerMs, suspectMs }: PostgresDeadlines, trust: Trust): boolean {
    if (now >= this.transactionEndsBy) return true;
    if (this.#pending === 0) return false;
    if (!trust.covers(this.#waitingSince)) this.#suspectSince ??= now;
    return now - this.#waitingSince >= answerMs || now - (this.#suspectSince ?? now) >= suspectMs;
  }
}

/** Sends a query on a connection of a {@link PostgresPool}, which closes it when no answer arrives in time. */
export function ask(client: pg.PoolClient, query: string | pg.QueryConfig): Promise<pg.QueryResult> {
  return client instanceof CuttableClient ? client.ask(query) : client.query(query);
}

/** Closes the connection after `transactionMs`, unless the returned function is called first. */
export function limitTransaction(client: pg.PoolClient, transactionMs: number): () => void {
  const cuttable = client instanceof CuttableClient ? client : null;
  if (cuttable !== null) cuttable.transactionEndsBy = performance.now() + transactionMs;
  return () => {
    if (cuttable !== null) cuttable.transactionEndsBy = Number.POSITIVE_INFINITY;
  };
}

/** The time before which connections are no longer trusted. Shared by the pools of a database. */
export class Trust {
  #since = 0;

  /** Records that a connection was lost: older ones may be dead too, without any sign of it. */
  lose(): void {
    this.#since = performance.now();
  }

  covers(madeAt: number): boolean {
    return madeAt > this.#since;
  }
}

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
  readonly #trust: Trust;
  readonly #madeAt = new WeakMap<object, number>();
  readonly #clients = new Set<CuttableClient>();
  readonly #timer: NodeJS.Timeout;

  /** @param settings further server settings for these connections. */
  constructor(
    url: string,
    most: number,
    deadlines: PostgresDeadlines,
    trust: Trust,
    log: Logger,
    settings: Record<string, string> = {},
  ) {
    this.#deadlines = deadlines;
    this.#most = most;
    this.#trust = trust;
    const { connectMs, statementMs, idleInTransactionMs } = deadlines;
    this.#pool = new pg.Pool({
      connectionString: url,
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
    // #grow() enlarges the pool.
    this.#pool.options.max = 0;
    // A broken connection is replaced; without a listener, its error would end the process. Only the message is logged,
    // because the error holds the whole connection. Running queries fail by themselves.
    this.#pool.on("error", (error) => log.warn({ reason: error.message }, "lost an idle connection to PostgreSQL"));
    this.#pool.on("connect", (client) => {
      this.#madeAt.set(client, performance.now());
      client.on("error", () => trust.lose());
      if (client instanceof CuttableClient) this.#clients.add(client);
    });
    this.#pool.on("remove", (client) => {
      if (client instanceof CuttableClient) this.#clients.delete(client);
      this.#pool.options.max = this.#pool.totalCount;
      this.#grow();
    });
    this.#timer = setInterval(() => this.#look(performance.now()), LOOK_EVERY_MS);
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
    else if (totalCount > 0) setTimeout(() => this.#open(), GROW_AFTER_MS);
    else this.#open();
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
  #look(now: number): void {
    for (const client of this.#clients) {
      if (client.isLate(now, this.#deadlines, this.#trust)) client.socket.destroy();
    }
  }
}

/** Destroys the socket of a connection. Its unanswered queries fail. */
function cut(client: pg.PoolClient): void {
  if (client instanceof CuttableClient) client.socket.destroy();
}

/** Whether the connection is known to be lost. */
export function isLost(client: pg.PoolClient): boolean {
  return client instanceof CuttableClient && (client.isBroken || !client.socket.writable);
}

/**
 * SQLSTATE codes of statement timeout, lock timeout, idle transaction timeout, transaction timeout, read-only server.
 */
const OUTAGES = new Set(["57014", "55P03", "25P03", "25P04", "25006"]);
/** SQLSTATE classes: connection lost, insufficient resources, operator intervention, system error. */
const OUTAGE_CLASSES = new Set(["08", "53", "57", "58"]);

/** Returns `error` of `client` as an Unavailable when it is an outage, else as it is. */
export function asOutage(client: pg.PoolClient, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isOutage = isLost(client) || OUTAGES.has(code) || (code.length === 5 && OUTAGE_CLASSES.has(code.slice(0, 2)));
  return isOutage && !(error instanceof Unavailable)
    ? new Unavailable("PostgreSQL does not answer as it should", { cause: error })
    : error;
}
