import { Socket } from "node:net";
import pg from "pg";
import type { PostgresDeadlines } from "./postgres-deadlines.ts";
import type { Trust } from "./trust.ts";

/** A statement to run, and its parameters. With a name it is prepared under it, and the text is sent only once. */
export interface StatementCall {
  text: string;
  name?: string | undefined;
  values?: unknown[];
}

/**
 * A query whose parts are set one by one: given as a configuration, the driver copies them with their property
 * descriptors, which takes longer than sending a short statement.
 */
class StatementQuery extends pg.Query {
  declare name: string | undefined;
  declare values: unknown[] | undefined;
  declare callback: (error: Error | null, result: pg.QueryResult) => void;
}

/**
 * A connection that exposes its socket, because an unresponsive one can only be destroyed, and tracks how long it has
 * waited.
 */
export class CuttableClient extends pg.Client {
  readonly socket: Socket;
  /** Whether the server keeps prepared statements by their names. */
  readonly keepsStatements: boolean = true;
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

  ask({ text, name, values }: StatementCall): Promise<pg.QueryResult> {
    this.#gather();
    if (this.#pending++ === 0) this.#waitingSince = performance.now();
    return new Promise((resolve, reject) => {
      const query = new StatementQuery(text);
      query.name = name;
      query.values = values;
      let isAnswered = false;
      query.callback = (error, result) => {
        // The driver calls again, with the server's answer to nothing, after parameters that cannot be sent.
        if (isAnswered) return;
        isAnswered = true;
        this.#answered();
        if (error) reject(error);
        else resolve(result);
      };
      this.query(query);
    });
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

  #answered(): void {
    this.#pending--;
    this.#waitingSince = performance.now();
    this.#suspectSince = null;
  }

  /** Whether a deadline has passed at `now`, by `performance.now()`. */
  isLate(now: number, { answerMs, suspectMs }: PostgresDeadlines, trust: Trust): boolean {
    if (now >= this.transactionEndsBy) return true;
    if (this.#pending === 0) return false;
    if (!trust.covers(this.#waitingSince)) this.#suspectSince ??= now;
    return now - this.#waitingSince >= answerMs || now - (this.#suspectSince ?? now) >= suspectMs;
  }
}

/** Sends a query on a connection of a PostgresPool, which closes it when no answer arrives in time. */
export function ask(client: pg.PoolClient, query: string | StatementCall): Promise<pg.QueryResult> {
  const call = typeof query === "string" ? { text: query } : query;
  return client instanceof CuttableClient ? client.ask(call) : client.query(call);
}

/** Closes the connection after `transactionMs`, unless the returned function is called first. */
export function limitTransaction(client: pg.PoolClient, transactionMs: number): () => void {
  const cuttable = client instanceof CuttableClient ? client : null;
  if (cuttable !== null) cuttable.transactionEndsBy = performance.now() + transactionMs;
  return () => {
    if (cuttable !== null) cuttable.transactionEndsBy = Number.POSITIVE_INFINITY;
  };
}

/** Destroys the socket of a connection. Its unanswered queries fail. */
export function cut(client: pg.PoolClient): void {
  if (client instanceof CuttableClient) client.socket.destroy();
}

/** Whether the connection is known to be lost. */
export function isLost(client: pg.PoolClient): boolean {
  return client instanceof CuttableClient && (client.isBroken || !client.socket.writable);
}
