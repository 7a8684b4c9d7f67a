import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { ApiError } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import { RequestAborted } from "../../platform/http/raw-body.ts";
import type { Owner } from "../../platform/limits/owner.ts";
import type { OwnerRates } from "../../platform/limits/owner-rates.ts";
import { type IncomingUpload, UploadPace, type WatchedUpload } from "./upload-pace.ts";
import { UploadTurns } from "./upload-turns.ts";

/** Longer than any request may take; a file this old was left behind by a process that died. */
const ABANDONED_AFTER_MS = 3_600_000;

const LOOK_EVERY_MS = 1_000;
/** How long an upload waits for its turn: after that its caller has a better use for its time. */
const LONGEST_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** Where one upload lies. There is nothing at either path yet. */
export interface UploadPlace {
  /** For the body as it comes. */
  bodyPath: string;
  /** For the file in it. */
  filePath: string;
  /** Has the body be ended that comes too slowly. */
  watch(upload: IncomingUpload): WatchedUpload;
  /** Counts bytes that have come. How long no more are to be read, in milliseconds; 0 for not at all. */
  restAfter(bytes: number): number;
  /** Removes what lies there and lets the next upload in. Called once. */
  leave(): Promise<void>;
}

/**
 * Where uploads lie until they are known to be welcome: so many at a time of each kind of owner, and so many of one; who
 * is slow makes room for the others. What a crash left behind is swept. Ages are the file system's, not the service's
 * clock's.
 */
export class TemporaryFiles {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #rates: OwnerRates;
  readonly #turns = new UploadTurns();
  readonly #pace: UploadPace;
  readonly #timer: NodeJS.Timeout;

  constructor(directory: string, clock: Clock, rates: OwnerRates) {
    this.#directory = directory;
    this.#clock = clock;
    this.#rates = rates;
    this.#pace = new UploadPace(clock);
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Looks once at who is slow and who has waited for long. */
  look(): void {
    this.#pace.look();
    this.#turns.giveUpSince(this.#clock.monotonic() - LONGEST_WAIT_MS);
  }

  /** A place for an upload; null when there is none now. */
  enter(uploader: Owner): UploadPlace | null {
    return this.#turns.tryBegin(uploader) ? this.#placeFor(uploader) : null;
  }

  /**
   * A place for the upload that `request` brings, as soon as there is one; until then its body is not read.
   *
   * @throws RequestAborted when the sender goes away; ApiError 429001 when there is none within 10 s, or too many wait.
   */
  async waitToEnter(uploader: Owner, request: IncomingMessage): Promise<UploadPlace> {
    const gone = new AbortController();
    const onGone = () => gone.abort(new RequestAborted("the request was cut off"));
    if (request.destroyed) onGone();
    request.once("close", onGone);
    try {
      if (!(await this.#turns.begin(uploader, this.#clock.monotonic(), gone.signal))) throw noRoom();
    } finally {
      request.off("close", onGone);
    }
    return this.#placeFor(uploader);
  }

  /** Removes what dead processes left behind. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
    }
  }

  #placeFor(uploader: Owner): UploadPlace {
    const [bodyPath, filePath] = [this.#newPath(), this.#newPath()];
    const leave = async () => {
      try {
        await Promise.all([rm(bodyPath, { force: true }), rm(filePath, { force: true })]);
      } finally {
        this.#turns.end(uploader);
      }
    };
    return {
      bodyPath,
      filePath,
      watch: (upload) => this.#pace.watch(upload),
      restAfter: (bytes) => this.#rates.brought(uploader, bytes),
      leave,
    };
  }

  #newPath(): string {
    return join(this.#directory, randomUUID());
  }
}

function noRoom(): ApiError {
  return new ApiError("UPLOADS_TOO_MANY", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
