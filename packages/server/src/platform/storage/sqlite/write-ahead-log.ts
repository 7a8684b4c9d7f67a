import { fdatasyncSync, fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Logger } from "pino";
import { RateLimiter } from "../../limits/rate-limiter.ts";
import type { StorageTimings } from "../storage-timings.ts";
import { CheckpointThread } from "./checkpoint-thread.ts";
import type { Checkpoint } from "./checkpoint-worker.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** The units of work after which a checkpoint runs in the background. */
const CHECKPOINT_UNITS = 10_000;
/**
 * Units can be large, so the size of the file is checked after this many syncs and can trigger a checkpoint as well.
 */
const SIZE_EVERY_SYNCS = 64;
const LARGE_BYTES = 64 * 1024 * 1024;
/**
 * The size of the log, in pages, from which the writer copies the rest itself after a checkpoint, so that the log
 * restarts.
 */
const RESTART_PAGES = 8_192;

/** After how many pages the writer's commits copy the log themselves, on the event loop: never, if the thread does. */
const AUTOCHECKPOINT = { thread: 0, SQLite: 1_000 };

/** A disk that syncs within this time is synced on the event loop: passing the sync to a thread would take longer. */
const INLINE_SYNC_MS = 0.5;
/** When disk space is scarce, the log restarts after this many units, so that it stays small. */
const CHECKPOINT_UNITS_WHEN_SCARCE = 16;
/** The weight of the newest sync in the moving average. */
const NEWEST_WEIGHT = 0.1;

/** Syncs written data of a file to disk. */
export interface Syncing {
  now(fd: number): void;
  later(file: FileHandle): Promise<void>;
}

const SYSTEM_SYNCING: Syncing = { now: fdatasyncSync, later: (file) => file.datasync() };

/** Dependencies of the log. */
export interface LogParts {
  log: Logger;
  /** Default: the system's. */
  syncing?: Syncing | undefined;
  /** Called once, when a sync has failed. */
  onFailure?: ((error: unknown) => void) | undefined;
  timings?: Pick<StorageTimings, "synced"> | undefined;
}

/**
 * SQLite's write-ahead log, synced by this class instead of by SQLite. The writing connection uses `synchronous =
 * normal`, so that a commit only writes; {@link sync} then does the fdatasync that `synchronous = full` would do: in a
 * thread when the disk is slow, so that the event loop continues meanwhile, and directly when it is fast.
 *
 * Checkpoints, which copy the log into the database and sync both files, run in a worker thread of their own. They cannot keep up
 * with a busy writer, so beyond a certain size the writer briefly copies the rest itself, and the log restarts.
 */
export class WriteAheadLog {
  readonly #syncing: Syncing;
  readonly #onFailure: LogParts["onFailure"];
  readonly #timings: LogParts["timings"];
  readonly #writer: SqliteConnection;
  readonly #log: Logger;
  readonly #told = new RateLimiter(1);
  readonly #file: FileHandle;
  readonly #checkpointer: CheckpointThread;
  #meanSyncMs = 0;
  #copiedBy: keyof typeof AUTOCHECKPOINT = "thread";
  #checkpointing = false;
  /** Whether another checkpoint has been asked for since the running one began. */
  #copiesAgain = false;
  #unitsSinceCheckpoint = 0;
  #syncs = 0;
  #scarce = false;
  #failed = false;

  private constructor(
    file: FileHandle,
    writer: SqliteConnection,
    path: string,
    { log, syncing = SYSTEM_SYNCING, onFailure, timings }: LogParts,
  ) {
    this.#file = file;
    this.#writer = writer;
    this.#log = log;
    this.#syncing = syncing;
    this.#onFailure = onFailure;
    this.#timings = timings;
    this.#checkpointer = new CheckpointThread(path, {
      done: (checkpoint) => this.#copied(checkpoint),
      failed: (error) => {
        log.error(
          { err: error },
          "the checkpoint thread failed; SQLite copies its log itself until another can be had",
        );
        this.#copyBy("SQLite");
        this.#checkpointing = false;
      },
      endedBadly: (error) => log.warn({ err: error }, "the checkpoint thread failed at its end"),
    });
  }

  /** Takes over the log of the database at `path`, which `writer` has opened in WAL mode. */
  static async takeOver(path: string, writer: SqliteConnection, parts: LogParts): Promise<WriteAheadLog> {
    writer.database.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT.thread}`);
    writer.database.pragma("synchronous = normal");
    writer.database.pragma(`journal_size_limit = ${LARGE_BYTES}`);
    const file = await open(`${path}-wal`, "r+");
    return new WriteAheadLog(file, writer, path, parts);
  }

  /**
   * Throws after a failed sync, because nothing may be written then: the system may have dropped the data, and a later
   * sync would not report it.
   *
   * @throws from the first failed sync on.
   */
  check(): void {
    if (this.#failed) throw new Error("the disk failed a sync: the service is ending");
  }

  /** Sets whether disk space is scarce, so that the log must stay small. */
  makeDo(scarce: boolean): void {
    this.#scarce = scarce;
    if (scarce) this.startOver();
  }

  /**
   * Copies as much of the log as possible at once. When all of it was copied, the next transaction overwrites it from
   * its beginning.
   */
  startOver(): void {
    this.#unitsSinceCheckpoint = 0;
    try {
      this.#writer.database.pragma("wal_checkpoint(passive)");
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error));
    }
  }

  /** Begins a checkpoint in the background; when one is running, which may miss the newest pages, another follows. */
  copy(): void {
    this.#copiesAgain = this.#checkpointing;
    if (this.#checkpointing) return;
    this.#checkpointing = true;
    this.#unitsSinceCheckpoint = 0;
    if (!this.#checkpointer.begin()) this.#checkpointing = false;
  }

  /**
   * Resolves when all committed work is on disk.
   *
   * @param units the number of units of work since the last call.
   * @throws as {@link check} does, from the first failure of the disk on; `onFailure` is called.
   */
  async sync(units: number): Promise<void> {
    this.check();
    try {
      const startedAt = performance.now();
      if (this.#meanSyncMs < INLINE_SYNC_MS) this.#syncing.now(this.#file.fd);
      else await this.#syncing.later(this.#file);
      const tookMs = performance.now() - startedAt;
      this.#meanSyncMs += (tookMs - this.#meanSyncMs) * NEWEST_WEIGHT;
      this.#timings?.synced(tookMs);
    } catch (error) {
      this.#failed = true;
      this.#onFailure?.(error);
      // Without its cause: after a sync that failed for lack of space, it is unknown what is on disk.
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
    if (due && !this.#checkpointing) this.copy();
  }

  async close(): Promise<void> {
    await this.#checkpointer.close();
    await this.#file.close();
  }

  #copied({ pages, failure }: Checkpoint): void {
    this.#checkpointing = false;
    if (failure !== null) this.#tell(failure);
    else if (this.#copiedBy !== "thread") this.#copyBy("thread");
    if (pages > RESTART_PAGES) this.startOver();
    if (this.#copiesAgain) this.copy();
  }

  #copyBy(who: keyof typeof AUTOCHECKPOINT): void {
    this.#copiedBy = who;
    this.#writer.database.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT[who]}`);
  }

  #tell(failure: string): void {
    if (this.#told.pass(performance.now())) {
      this.#log.warn({ reason: failure }, "a checkpoint failed; it is tried again later");
    }
  }

  #isLarge(): boolean {
    return fstatSync(this.#file.fd).size > LARGE_BYTES;
  }
}
