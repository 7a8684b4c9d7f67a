import type { Logger } from "pino";
import type { FreeSpace } from "../../platform/disk/free-space.ts";
import { RateLimiter } from "../../platform/limits/rate-limiter.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { CallCounts, type CountedCall } from "./call-counts.ts";
import { insertRequests, type RequestRecord } from "./request-store.ts";

/** A record is queued at most this long, or until a batch is full. */
const FLUSH_EVERY_MS = 200;
/** Records written in one transaction. It is small, so that calls never wait long behind the log. */
const BATCH = 100;
const MAX_QUEUED = 20_000;
/** The total number of characters of queued details. */
const MAX_QUEUED_DETAIL = 32 * 1024 * 1024;

/**
 * Records every call by its reqNo, outside the path of the call: records are queued and written in batches, refused
 * calls first. When the database cannot keep up, records are dropped and counted, so that memory stays bounded: the
 * newest first, and refused calls last. Calls are counted by application and minute, even when their record is dropped.
 */
export class RequestLog {
  readonly #storage: Storage;
  readonly #log: Logger;
  readonly #counts: CallCounts;
  readonly #space: Pick<FreeSpace, "accepts">;
  readonly #told = new RateLimiter(1);
  readonly #timer: NodeJS.Timeout;
  #successes: RequestRecord[] = [];
  #refusals: RequestRecord[] = [];
  /** The number of characters of details in `#refusals`. */
  #detailLength = 0;
  #dropped = 0;
  #droppedEver = 0;
  /** The current write; later records are not part of it. */
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  /** The write after the current one. */
  #next: Promise<void> | null = null;

  /** @param space free disk space; when it runs out, log records are dropped before messages are refused. */
  constructor(storage: Storage, log: Logger, space: Pick<FreeSpace, "accepts">) {
    this.#storage = storage;
    this.#space = space;
    this.#log = log;
    this.#counts = new CallCounts(storage);
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS);
    this.#timer.unref();
  }

  add(record: RequestRecord): void {
    const { appId, detail } = record;
    if (appId !== null) this.#counts.add(appId, record, detail !== null);
    if (!this.#space.accepts("message")) return;
    if (!this.#enqueue(record)) this.#dropped++;
    if (this.#queued === BATCH && !this.#isWriting) void this.#write(false);
  }

  /** The number of records that were dropped because there was no room for them. */
  get dropped(): number {
    return this.#droppedEver + this.#dropped;
  }

  /** Counts a refused call whose record is not stored. */
  countRefused(appId: string, call: CountedCall): void {
    this.#counts.add(appId, call, true);
  }

  /** Writes the queue; resolves when everything is committed or dropped. Never rejects. */
  flush(): Promise<void> {
    if (!this.#isWriting) return this.#write(true);
    this.#next ??= this.#writeNext();
    return this.#next;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  get #queued(): number {
    return this.#successes.length + this.#refusals.length;
  }

  /** @returns false when there is no room for the record. */
  #enqueue(record: RequestRecord): boolean {
    const isFull = this.#queued >= MAX_QUEUED;
    if (record.detail === null) {
      if (!isFull) this.#successes.push(record);
      return !isFull;
    }
    if (this.#detailLength >= MAX_QUEUED_DETAIL || (isFull && this.#successes.length === 0)) return false;
    if (isFull) {
      this.#successes.pop();
      this.#dropped++;
    }
    this.#refusals.push(record);
    this.#detailLength += record.detail.length;
    return true;
  }

  /** Call it while a write is in progress. */
  async #writeNext(): Promise<void> {
    while (this.#isWriting) await this.#writing;
    this.#next = null;
    await this.#write(true);
  }

  #write(withCounts: boolean): Promise<void> {
    this.#isWriting = true;
    this.#writing = this.#drain(withCounts).finally(() => {
      this.#isWriting = false;
    });
    return this.#writing;
  }

  async #drain(withCounts: boolean): Promise<void> {
    if (this.#dropped > 0) {
      this.#log.warn({ dropped: this.#dropped }, "the request log could not keep up; records were dropped");
      this.#droppedEver += this.#dropped;
      this.#dropped = 0;
    }
    // Refusals that arrive meanwhile are written with the next batch; successes can wait.
    for (let left = this.#queued; left > 0; left -= BATCH) {
      const records = this.#takeBatch(Math.min(left, BATCH));
      try {
        await this.#storage.write((tx) => insertRequests(tx, this.#storage.dialect, records));
      } catch (error) {
        this.#warn({ err: error, lost: records.length }, "the request log could not be written");
      }
    }
    if (withCounts) {
      await this.#counts.write().catch((error: unknown) => {
        this.#warn({ err: error }, "the counts of calls could not be written; tried again with the next ones");
      });
    }
  }

  /** A full disk fails every batch, and the log file may be on the same disk. */
  #warn(line: object, message: string): void {
    if (this.#told.pass(performance.now())) this.#log.warn(line, message);
  }

  #takeBatch(size: number): RequestRecord[] {
    const records = this.#refusals.splice(0, size);
    for (const { detail } of records) this.#detailLength -= detail?.length ?? 0;
    if (records.length < size) records.push(...this.#successes.splice(0, size - records.length));
    return records;
  }
}
