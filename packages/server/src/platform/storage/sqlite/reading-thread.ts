import { Worker } from "node:worker_threads";
import type { QueryResult } from "kysely";
import type { Logger } from "pino";
import { Unavailable } from "../../errors/unavailable.ts";
import type { SqlRunner, Statement } from "../connection.ts";
import type { ObserveSql } from "../storage.ts";

/** The most queued queries. With more, the thread is too slow and callers are refused. */
const MAX_WAITING = 1_000;

/** A thread takes some 20 MiB with its cache, and starts within a tenth of a second. */
const IDLE_MS = 30_000;

/** A request to the thread. */
export interface Question {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}

type Answer = { id: number; rows: unknown[] } | { id: number; error: unknown };

interface Waiting {
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/**
 * Reads the embedded database in a separate thread, one query after another, so that a long query blocks neither the
 * event loop nor writers. A query starts the thread, which ends when it has been idle, and is started again by the next.
 */
export class ReadingThread implements SqlRunner {
  readonly #path: string;
  readonly #log: Logger;
  readonly #observe: ObserveSql | undefined;
  readonly #waiting = new Map<number, Waiting>();
  readonly #idleMs: number;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** The end of the last thread that was idle. */
  #ending: Promise<unknown> | null = null;
  #lastId = 0;

  /** @param idleMs the time without a query after which the thread ends. */
  constructor(path: string, log: Logger, observe?: ObserveSql, idleMs = IDLE_MS) {
    this.#path = path;
    this.#log = log;
    this.#observe = observe;
    this.#idleMs = idleMs;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  async run<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    this.#observe?.(sql);
    if (this.#waiting.size >= MAX_WAITING) throw new Unavailable("too many long reads are waiting");
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const rows = new Promise<unknown[]>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#worker.ref();
    this.#worker.postMessage({ id, sql, parameters } satisfies Question);
    // The rows have the type of the query.
    return { rows: (await rows) as Row[] };
  }

  statement<Row>(sql: string): Statement<Row> {
    return {
      all: async (parameters) => (await this.run<Row>(sql, parameters)).rows,
      get: async (parameters) => (await this.run<Row>(sql, parameters)).rows[0],
      change: () => {
        throw new Error("this connection only reads");
      },
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#worker !== null) this.#end(this.#worker);
    await this.#ending;
  }

  /** Not by termination: that would crash the process when the thread is in native code. */
  #end(worker: Worker): void {
    this.#ending = new Promise((resolve) => worker.once("exit", resolve));
    worker.ref();
    worker.postMessage("close");
  }

  #rest(worker: Worker): void {
    // The next query starts another one.
    this.#worker = null;
    this.#end(worker);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./reading-worker.ts", import.meta.url), { workerData: this.#path });
    worker.on("message", (answer: Answer) => this.#settle(worker, answer));
    worker.on("error", (error) => {
      this.#log.error({ err: error }, "the thread for long reads ended; the next one starts another");
      this.#fail(worker, error);
    });
    worker.on("exit", () => this.#fail(worker, new Error("the thread for long reads has ended")));
    return worker;
  }

  #settle(worker: Worker, answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) {
      worker.unref();
      this.#idle = setTimeout(() => this.#rest(worker), this.#idleMs).unref();
    }
    if ("rows" in answer) waiting?.resolve(answer.rows);
    else waiting?.reject(answer.error);
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    clearTimeout(this.#idle);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
