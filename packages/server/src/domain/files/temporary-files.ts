import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { ApiError } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import type { DiskClaim, FreeSpace } from "../../platform/disk/free-space.ts";
import { RequestAborted } from "../../platform/http/raw-body.ts";
import { EvenPace } from "../../platform/limits/even-pace.ts";
import type { Owner } from "../../platform/limits/owner.ts";
import type { OwnerRates } from "../../platform/limits/owner-rates.ts";
import { type IncomingUpload, UploadPace, type WatchedUpload } from "./upload-pace.ts";
import { UploadSemaphore } from "./upload-semaphore.ts";

/** Longer than any request may take: a file of this age was left behind by a process that crashed. */
const ABANDONED_AFTER_MS = 3_600_000;

const CHECK_EVERY_MS = 1_000;
/** How long an upload waits for a slot before the caller gets 429. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;
/** `Retry-After` of refused uploads runs from 1 to this and begins again, so that their senders do not all return at once. */
const RETRY_SPREAD_SECONDS = 4;

/** Refusals are this far apart, and wait a second at most. */
const REFUSED_EVERY_MS = 5;
const MAX_DELAYED_REFUSALS = 200;

/** The files of one upload. Neither exists yet. */
export interface UploadSlot {
  /** Path of the raw body. */
  bodyPath: string;
  /** Path of the file extracted from it. */
  filePath: string;
  /** Has the body ended when it arrives too slowly. */
  watch(upload: IncomingUpload): WatchedUpload;
  /** Counts bytes that have come. How long no more are to be read, in milliseconds; 0 for not at all. */
  restAfter(bytes: number): number;
  /** The disk's room for both files. */
  room: Pick<DiskClaim, "take" | "wrote">;
  /** Removes what lies there and lets the next upload in. Called once. */
  release(): Promise<void>;
}

/**
 * The temporary files of uploads. Limits the concurrent uploads per kind of owner and per owner; slow uploads are ended
 * so that others get their slot. Files left behind by a crash are swept; their age is measured with the file system's
 * clock.
 */
export class TemporaryFiles {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #rates: OwnerRates;
  readonly #space: Pick<FreeSpace, "claim">;
  readonly #semaphore = new UploadSemaphore();
  readonly #pace: UploadPace;
  readonly #timer: NodeJS.Timeout;
  readonly #refusals = new EvenPace(REFUSED_EVERY_MS, MAX_DELAYED_REFUSALS);
  #refused = 0;

  constructor(directory: string, clock: Clock, rates: OwnerRates, space: Pick<FreeSpace, "claim">) {
    this.#directory = directory;
    this.#clock = clock;
    this.#rates = rates;
    this.#space = space;
    this.#pace = new UploadPace(clock);
    this.#timer = setInterval(() => this.endOverdue(), CHECK_EVERY_MS);
    this.#timer.unref();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Ends uploads that are too slow, and gives up those that have waited too long. Call it periodically. */
  endOverdue(): void {
    this.#pace.endSlow();
    this.#semaphore.rejectSince(this.#clock.monotonic() - MAX_WAIT_MS);
  }

  /**
   * A slot for an upload. Refusals are given evenly, because clients whose uploads are refused together repeat them
   * together.
   *
   * @throws ApiError 429001 when there is none now.
   */
  async acquireNow(uploader: Owner): Promise<UploadSlot> {
    if (this.#semaphore.tryAcquire(uploader)) return this.#slotFor(uploader);
    await this.#refusals.next();
    throw noRoom(1 + (this.#refused++ % RETRY_SPREAD_SECONDS));
  }

  /**
   * Waits for a slot for the upload of `request`; until then its body is not read.
   *
   * @throws RequestAborted when the sender disconnects; ApiError 429001 when there is no slot within 10 s, or too many
   * uploads wait.
   */
  async acquire(uploader: Owner, request: IncomingMessage): Promise<UploadSlot> {
    const gone = new AbortController();
    const onGone = () => gone.abort(new RequestAborted("the request was cut off"));
    if (request.destroyed) onGone();
    request.once("close", onGone);
    try {
      if (!(await this.#semaphore.acquire(uploader, this.#clock.monotonic(), gone.signal)))
        throw noRoom(RETRY_AFTER_SECONDS);
    } finally {
      request.off("close", onGone);
    }
    return this.#slotFor(uploader);
  }

  /** Deletes what crashed processes left behind. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
    }
  }

  #slotFor(uploader: Owner): UploadSlot {
    const [bodyPath, filePath] = [this.#newPath(), this.#newPath()];
    const room = this.#space.claim();
    const release = async () => {
      try {
        await Promise.all([rm(bodyPath, { force: true }), rm(filePath, { force: true })]);
      } finally {
        room.end();
        this.#semaphore.release(uploader);
      }
    };
    return {
      bodyPath,
      filePath,
      watch: (upload) => this.#pace.watch(upload),
      restAfter: (bytes) => this.#rates.brought(uploader, bytes),
      room,
      release,
    };
  }

  #newPath(): string {
    return join(this.#directory, randomUUID());
  }
}

function noRoom(retryAfterSeconds: number): ApiError {
  return new ApiError("UPLOADS_TOO_MANY", { retryAfterSeconds });
}
