import type { Logger } from "pino";
import { prepared } from "../storage/prepared.ts";
import type { Storage } from "../storage/storage.ts";

/** One answered request, as the log keeps it. Never a body, never a secret. */
export interface RequestRecord {
  reqNo: string;
  appId: string | null;
  /** Epoch milliseconds of its arrival. */
  at: number;
  method: string;
  path: string;
  status: number;
  code: string;
  durationMs: number;
  /** Why it was refused, and the canonical string the server built when the signature did not match. */
  detail: { reason: string; canonicalString?: string } | null;
}

/** A record waits at most this long, or until a batch is full. */
const FLUSH_EVERY_MS = 200;
/** Records written in one unit of work, so that calls never wait long behind the log. */
const BATCH = 100;
const MAX_QUEUED = 20_000;
const MAX_DETAIL_LENGTH = 4_096;

/**
 * Keeps a record of every call by its reqNo, off the path of the call: records are queued and written in batches.
 * When the database cannot keep up, the newest are dropped and counted rather than memory filled.
 */
export class RequestLog {
  readonly #storage: Storage;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #queue: RequestRecord[] = [];
  #dropped = 0;
  #flushing: Promise<void> | null = null;

  constructor(storage: Storage, log: Logger) {
    this.#storage = storage;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS);
    this.#timer.unref();
  }

  add(record: RequestRecord): void {
    if (this.#queue.length >= MAX_QUEUED) {
      this.#dropped++;
      return;
    }
    this.#queue.push(record);
    if (this.#queue.length === BATCH) void this.flush();
  }

  /** Writes what is queued; resolves when all of it is on disk or given up. Never fails. */
  flush(): Promise<void> {
    this.#flushing ??= this.#drain().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    await this.flush();
  }

  async #drain(): Promise<void> {
    if (this.#dropped > 0) {
      this.#log.warn({ dropped: this.#dropped }, "the request log could not keep up; records were dropped");
      this.#dropped = 0;
    }
    const queue = this.#queue;
    this.#queue = [];
    for (let start = 0; start < queue.length; start += BATCH) {
      const rows = queue.slice(start, start + BATCH).map(toRow);
      try {
        await this.#storage.write(async (tx) => {
          await Promise.all(rows.map((row) => insert.affected(tx, row)));
        });
      } catch (error) {
        this.#log.warn({ err: error, lost: rows.length }, "the request log could not be written");
      }
    }
  }
}

interface Row extends Record<string, unknown> {
  reqNo: string;
  appId: string | null;
  at: number;
  method: string;
  path: string;
  status: number;
  code: string;
  durationMs: number;
  detail: string | null;
}

const insert = prepared<Row>()((db, param) =>
  db
    .insertInto("requests")
    .values({
      req_no: param("reqNo"),
      app_id: param("appId"),
      at: param("at"),
      method: param("method"),
      path: param("path"),
      status: param("status"),
      code: param("code"),
      duration_ms: param("durationMs"),
      detail: param("detail"),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

function cut(value: unknown): unknown {
  return typeof value === "string" ? value.slice(0, MAX_DETAIL_LENGTH) : value;
}

function toRow(record: RequestRecord): Row {
  return {
    ...record,
    durationMs: Math.round(record.durationMs),
    detail: record.detail && JSON.stringify(record.detail, (_key, value) => cut(value)),
  };
}
