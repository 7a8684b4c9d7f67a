import { once } from "node:events";
import { fdatasyncSync, fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
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
/** How much the newest sync weighs in the running mean. */
const NEWEST_WEIGHT = 0.1;

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
  readonly #file: FileHandle;
  readonly #checkpointer: Worker;
  #meanSyncMs = 0;
  #checkpointerEnded = false;
  #checkpointing = false;
  #unitsSinceCheckpoint = 0;
  #syncs = 0;
  #failed: unknown = null;

  private constructor(file: FileHandle, writer: SqliteConnection, checkpointer: Worker, log: Logger) {
    this.#file = file;
    this.#checkpointer = checkpointer;
    checkpointer.on("message", (pages: number) => {
      this.#checkpointing = false;
      if (pages <= RESTART_PAGES) return;
      try {
        writer.database.pragma("wal_checkpoint(passive)");
      } catch (error) {
        log.warn({ err: error }, "a checkpoint failed; it is tried again later");
      }
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
  static async takeOver(path: string, writer: SqliteConnection, log: Logger): Promise<WriteAheadLog> {
    writer.database.pragma("wal_autocheckpoint = 0");
    writer.database.pragma("synchronous = normal");
    writer.database.pragma(`journal_size_limit = ${LARGE_BYTES}`);
    const file = await open(`${path}-wal`, "r+");
    // What a process before this one committed and did not live to sync is about to be read.
    await file.datasync();
    const checkpointer = new Worker(new URL("./checkpoint-worker.ts", import.meta.url), { workerData: path });
    return new WriteAheadLog(file, writer, checkpointer, log);
  }

  /**
   * Nothing may be written after a sync that failed: the system may have dropped what it could not write, and a later
   * sync would not tell.
   *
   * @throws from the first failed sync on.
   */
  check(): void {
    if (this.#failed !== null) throw new Error("the disk failed a sync; restart the service", { cause: this.#failed });
  }

  /**
   * Resolves when all that has been committed, `units` of work since the last time, is on disk.
   *
   * @throws when the disk fails; from then on {@link check} throws.
   */
  async sync(units: number): Promise<void> {
    try {
      const startedAt = performance.now();
      if (this.#meanSyncMs < INLINE_SYNC_MS) fdatasyncSync(this.#file.fd);
      else await this.#file.datasync();
      this.#meanSyncMs += (performance.now() - startedAt - this.#meanSyncMs) * NEWEST_WEIGHT;
    } catch (error) {
      this.#failed = error;
      throw error;
    }
    this.#unitsSinceCheckpoint += units;
    this.#syncs++;
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

  #isLarge(): boolean {
    return fstatSync(this.#file.fd).size > LARGE_BYTES;
  }

  #startCheckpoint(): void {
    this.#checkpointing = true;
    this.#unitsSinceCheckpoint = 0;
    this.#checkpointer.postMessage("checkpoint");
  }
}
