import { once } from "node:events";
import { fdatasyncSync, fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { RateLimiter } from "../../limits/rate-limiter.ts";
import type { Checkpoint } from "./checkpoint-worker.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** After so many units of work the log's pages are copied into the database in the background. */
const CHECKPOINT_UNITS = 10_000;
/** Units may be large: the file's size is looked at every so many syncs, and makes a checkpoint due as well. */
const SIZE_EVERY_SYNCS = 64;
const LARGE_BYTES = 64 * 1024 * 1024;
/** When the log holds so many pages after that, the writer copies what has been added since, and the log starts over. */
const RESTART_PAGES = 8_192;

/** A disk that syncs within this time is synced within the event loop: handing over to a thread would take longer. */
const INLINE_SYNC_MS = 0.5;
/** With little room on the disk the log starts over after so many units already, so that it needs hardly any. */
const CHECKPOINT_UNITS_WHEN_SCARCE = 16;
/** How much the newest sync weighs in the running mean. */
const NEWEST_WEIGHT = 0.1;

/** Puts what has been written to a file on disk. */
export interface Syncing {
  now(fd: number): void;
  later(file: FileHandle): Promise<void>;
}

const SYSTEM_SYNCING: Syncing = { now: fdatasyncSync, later: (file) => file.datasync() };

/** What a log is given from outside. */
export interface LogParts {
  log: Logger;
  /** Left out, it is the system's. */
  syncing?: Syncing | undefined;
  /** Told once, when a sync has failed. */
  onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * SQLite's write-ahead log, made durable by us instead of by SQLite.
 *
 * The writing connection runs with `synchronous = normal`, in which a commit only writes; {@link sync} then does what
 * `synchronous = full` would have done, an fdatasync of the log: in a thread of Node's where the disk is slow, so that
 * the event loop goes on meanwhile, and at once where it is fast. Copying the log into the database (a checkpoint,
 * which syncs both files by itself) happens in a worker thread. It never catches up with a busy writer, so beyond a
 * size the writer copies the rest, a moment's work, and the log begins anew.
 */
export class WriteAheadLog {
  readonly #syncing: Syncing;
  readonly #onFailure: LogParts["onFailure"];
  readonly #writer: SqliteConnection;
  readonly #log: Logger;
  readonly #told = new RateLimiter(1);
  readonly #file: FileHandle;
  readonly #checkpointer: Worker;
  #meanSyncMs = 0;
  #checkpointerEnded = false;
  #checkpointing = false;
  #unitsSinceCheckpoint = 0;
  #syncs = 0;
  #scarce = false;
  #failed = false;

  private constructor(
    file: FileHandle,
    writer: SqliteConnection,
    checkpointer: Worker,
    { log, syncing = SYSTEM_SYNCING, onFailure }: LogParts,
  ) {
    this.#file = file;
    this.#writer = writer;
    this.#log = log;
    this.#syncing = syncing;
    this.#onFailure = onFailure;
    this.#checkpointer = checkpointer;
    checkpointer.on("message", ({ pages, failure }: Checkpoint) => {
      this.#checkpointing = false;
      if (failure !== null) this.#tell(failure);
      if (pages > RESTART_PAGES) this.startOver();
    });
    checkpointer.on("error", (error) =>
      log.error({ err: error }, "the checkpoint thread ended; SQLite checkpoints itself"),
    );
    checkpointer.on("exit", () => {
      this.#checkpointerEnded = true;
      writer.database.pragma("wal_autocheckpoint = 1000");
    });
    checkpointer.unref();
  }

  /** Takes over the log of the database at `path`, which `writer` has open in WAL mode. */
  static async takeOver(path: string, writer: SqliteConnection, parts: LogParts): Promise<WriteAheadLog> {
    writer.database.pragma("wal_autocheckpoint = 0");
    writer.database.pragma("synchronous = normal");
    writer.database.pragma(`journal_size_limit = ${LARGE_BYTES}`);
    const file = await open(`${path}-wal`, "r+");
    const checkpointer = new Worker(new URL("./checkpoint-worker.ts", import.meta.url), { workerData: path });
    return new WriteAheadLog(file, writer, checkpointer, parts);
  }

  /**
   * Nothing may be written after a sync that failed: the system may have dropped what it could not write, and a later
   * sync would not tell.
   *
   * @throws from the first failed sync on.
   */
  check(): void {
    if (this.#failed) throw new Error("the disk failed a sync: the service is ending");
  }

  /** Whether there is little room on the disk, so that the log has to stay small. */
  makeDo(scarce: boolean): void {
    this.#scarce = scarce;
    if (scarce) this.startOver();
  }

  /** Copies what it can of the log at once; if that is all of it, the next transaction writes at its beginning again. */
  startOver(): void {
    this.#unitsSinceCheckpoint = 0;
    try {
      this.#writer.database.pragma("wal_checkpoint(passive)");
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * Resolves when all that has been committed, `units` of work since the last time, is on disk.
   *
   * @throws when the disk fails, and from then on, as {@link check} does; whoever opened the log is told.
   */
  async sync(units: number): Promise<void> {
    this.check();
    try {
      const startedAt = performance.now();
      if (this.#meanSyncMs < INLINE_SYNC_MS) this.#syncing.now(this.#file.fd);
      else await this.#syncing.later(this.#file);
      this.#meanSyncMs += (performance.now() - startedAt - this.#meanSyncMs) * NEWEST_WEIGHT;
    } catch (error) {
      this.#failed = true;
      this.#onFailure?.(error);
      // Not with its cause: a sync that fails for want of room leaves unknown what is on disk.
      return this.check();
    }
    this.#unitsSinceCheckpoint += units;
    this.#syncs++;
    if (this.#scarce) {
      if (this.#unitsSinceCheckpoint >= CHECKPOINT_UNITS_WHEN_SCARCE) this.startOver();
      return;
    }
    const due =
      this.#unitsSinceCheckpoint >= CHECKPOINT_UNITS || (this.#syncs % SIZE_EVERY_SYNCS === 0 && this.#isLarge());
    if (due && !this.#checkpointing) this.#startCheckpoint();
  }

  async close(): Promise<void> {
    this.#checkpointer.removeAllListeners();
    if (!this.#checkpointerEnded) {
      // Not terminated: a thread ended in the middle of native code takes the process with it.
      const ended = once(this.#checkpointer, "exit");
      this.#checkpointer.ref();
      this.#checkpointer.postMessage("close");
      await ended;
    }
    await this.#file.close();
  }

  #tell(failure: string): void {
    if (this.#told.pass(performance.now())) {
      this.#log.warn({ reason: failure }, "a checkpoint failed; it is tried again later");
    }
  }

  #isLarge(): boolean {
    return fstatSync(this.#file.fd).size > LARGE_BYTES;
  }

  #startCheckpoint(): void {
    this.#checkpointing = true;
    this.#unitsSinceCheckpoint = 0;
    this.#checkpointer.postMessage("checkpoint");
  }
}
