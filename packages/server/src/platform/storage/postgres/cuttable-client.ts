import { Socket } from "node:net";
import pg from "pg";
import type { PostgresDeadlines } from "./postgres-deadlines.ts";
import {
  type GroupConnection,
  type GroupedCall,
  type StatementCall,
  StatementGroup,
  type StatementResult,
  writtenValues,
} from "./statement-group.ts";
import type { Trust } from "./trust.ts";

/**
 * A query whose parts are set one by one: given as a configuration, the driver copies them with their property
 * descriptors, which takes longer than sending a short statement.
 */
class PlainQuery extends pg.Query {
  declare name: string | undefined;
  declare values: unknown[] | undefined;
  declare callback: (error: Error | null, result: pg.QueryResult) => void;
}

type Settled = Pick<GroupedCall, "resolve" | "reject">;

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
  /** What has been asked in this turn of the event loop. */
  readonly #due: pg.Query[] = [];
  /** The last of these, while more statements of a transaction may be sent with it. */
  #open: StatementGroup | null = null;
  readonly #groups: GroupConnection = {
    shapes: new Map(),
    typeParser: (oid) => this.getTypeParser(oid, "text"),
    heard: () => this.#heard(),
    settled: () => void this.#unsettled.shift(),
  };
  /** Groups that have been sent, in their order, until they are answered. */
  readonly #unsettled: StatementGroup[] = [];
  /** The deadline of the transaction, by `performance.now()`. */
  transactionEndsBy = Number.POSITIVE_INFINITY;
  /** Whether what is asked belongs to one transaction, from its begin to its end. */
  isInTransaction = false;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    this.on("error", () => {
      this.isBroken = true;
    });
  }

  ask({ text, name, values = [] }: StatementCall): Promise<StatementResult> {
    if (this.#pending++ === 0) this.#waitingSince = performance.now();
    return new Promise((resolve, reject) => {
      const written = name === undefined || !this.keepsStatements ? null : writtenValues(values);
      const settled = {
        resolve: (result: StatementResult) => {
          this.#answered();
          resolve(result);
        },
        reject: (error: unknown) => {
          this.#answered();
          reject(error);
        },
      };
      if (name === undefined || written === null) this.#askPlainly({ text, name, values }, settled);
      else this.#group().add({ name, text, values: written, ...settled });
    });
  }

  /** The group for a further statement: a transaction's share one. */
  #group(): StatementGroup {
    if (this.#open !== null) return this.#open;
    const group = new StatementGroup(this.#groups, this.isInTransaction);
    this.#unsettled.push(group);
    this.#add(group);
    if (this.isInTransaction) this.#open = group;
    return group;
  }

  /** A statement as the driver sends it, with a Sync of its own. */
  #askPlainly({ text, name, values }: StatementCall, { resolve, reject }: Settled): void {
    const query = new PlainQuery(text);
    query.name = this.keepsStatements ? name : undefined;
    query.values = values as unknown[];
    let isAnswered = false;
    query.callback = (error, result) => {
      // The driver calls again, with the server's answer to nothing, after parameters that cannot be sent.
      if (isAnswered) return;
      isAnswered = true;
      if (error) reject(error);
      else resolve(result);
    };
    this.#add(query);
  }

  #add(query: pg.Query): void {
    this.#open = null;
    this.#due.push(query);
    if (this.#due.length > 1) return;
    // A microtask first: called outside of one, nextTick would come before all continuations of promises. The second
    // tick comes after that in which a shared transaction asks what its units have asked for.
    queueMicrotask(() => process.nextTick(() => process.nextTick(this.#send)));
  }

  /** Sends what was asked in one turn of the event loop in one piece: each piece costs a system call here and there. */
  readonly #send = () => {
    this.#open = null;
    this.socket.cork();
    for (const query of this.#due.splice(0)) this.query(query);
    this.socket.uncork();
  };

  #answered(): void {
    this.#pending--;
    this.#heard();
  }

  #heard(): void {
    this.#waitingSince = performance.now();
    this.#suspectSince = null;
  }

  /** Whether a deadline has passed at `now`, by `performance.now()`. */
  isLate(now: number, { answerMs, statementMs, suspectMs }: PostgresDeadlines, trust: Trust): boolean {
    if (now >= this.transactionEndsBy) return true;
    if (this.#pending === 0) return false;
    if (!trust.covers(this.#waitingSince)) this.#suspectSince ??= now;
    // The server may take its time for each statement of a group, and answers the first ones with the last.
    const groupMs = Math.max(0, (this.#unsettled[0]?.unanswered ?? 0) - 1) * statementMs;
    return now - this.#waitingSince >= answerMs + groupMs || now - (this.#suspectSince ?? now) >= suspectMs + groupMs;
  }
}

/** Sends a query on a connection of a PostgresPool, which closes it when no answer arrives in time. */
export function ask(client: pg.PoolClient, query: string | StatementCall): Promise<StatementResult> {
  const call = typeof query === "string" ? { text: query } : query;
  if (!(client instanceof CuttableClient)) throw new Error("a connection of another pool");
  return client.ask(call);
}

/**
 * Tells that what is asked from now on belongs to one transaction. Closes the connection after `transactionMs`, unless the
 * returned function is called first.
 */
export function limitTransaction(client: pg.PoolClient, transactionMs: number): () => void {
  const cuttable = client instanceof CuttableClient ? client : null;
  if (cuttable !== null) {
    cuttable.transactionEndsBy = performance.now() + transactionMs;
    cuttable.isInTransaction = true;
  }
  return () => {
    if (cuttable === null) return;
    cuttable.transactionEndsBy = Number.POSITIVE_INFINITY;
    cuttable.isInTransaction = false;
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
