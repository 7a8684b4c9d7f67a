import type { Clock } from "../../platform/clock/clock.ts";
import { Refusal } from "../../platform/errors/refusal.ts";

/** The minimum rate in bytes per second: a slower upload keeps its slot from others. */
const LEAST_RATE = 16 * 1024;
/** The period of measurement, so that a short network problem ends no upload. */
const WINDOW_MS = 10_000;
const LEAST_BYTES = (LEAST_RATE * WINDOW_MS) / 1_000;

/** A body that is being received. */
export interface IncomingUpload {
  /** Whether received data waits for the service (and not the service for data). */
  isHeldUp(): boolean;
  /** Ends the upload. */
  abort(reason: unknown): void;
}

/** An upload that is watched. */
export interface WatchedUpload {
  /** Reports received bytes. */
  brought(bytes: number): void;
  /** Reports that the upload is complete or aborted. */
  end(): void;
}

interface Window {
  upload: IncomingUpload;
  beganAt: number;
  bytes: number;
  /**
   * Whether the last check found it too slow. Only a second finding in a row ends it: by then, data that the system
   * buffered for a busy service has been counted.
   */
  isLate: boolean;
}

/** Ends uploads that are too slow, by the monotonic clock. */
export class UploadPace {
  readonly #clock: Clock;
  readonly #windows = new Set<Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(upload: IncomingUpload): WatchedUpload {
    const window = { upload, beganAt: this.#clock.monotonic(), bytes: 0, isLate: false };
    this.#windows.add(window);
    return {
      brought: (bytes) => {
        window.bytes += bytes;
      },
      end: () => this.#windows.delete(window),
    };
  }

  /** Ends uploads that two checks in a row found too slow; call it periodically. */
  endSlow(): void {
    const now = this.#clock.monotonic();
    for (const window of this.#windows) {
      if (now - window.beganAt < WINDOW_MS) continue;
      const isSlow = window.bytes < LEAST_BYTES && !window.upload.isHeldUp();
      if (isSlow && window.isLate) {
        this.#windows.delete(window);
        window.upload.abort(tooSlow());
      } else if (isSlow) window.isLate = true;
      else Object.assign(window, { beganAt: now, bytes: 0, isLate: false });
    }
  }
}

function tooSlow(): Refusal {
  const details = { leastBytesPerSecond: LEAST_RATE, windowMs: WINDOW_MS };
  const reason = `less than ${LEAST_BYTES} bytes of the body came in ${WINDOW_MS} ms`;
  return new Refusal("UPLOAD_TOO_SLOW", { check: "pace", details }, { reason });
}
