import type { Clock } from "../../platform/clock/clock.ts";
import { Refusal } from "../../platform/errors/refusal.ts";

/** In bytes a second: whoever brings less keeps a place from the others. */
const LEAST_RATE = 16 * 1024;
/** Over so long, so that a hiccup of the network ends no upload. */
const WINDOW_MS = 10_000;
const LEAST_BYTES = (LEAST_RATE * WINDOW_MS) / 1_000;

/** What is known of a body that is being received. */
export interface IncomingUpload {
  /** Whether it is the service that has not got round to what has come. */
  isHeldUp(): boolean;
  /** Ends it. */
  cut(reason: unknown): void;
}

/** An upload that is looked after. */
export interface WatchedUpload {
  /** So many bytes more have come. */
  brought(bytes: number): void;
  /** It has come whole, or is over. */
  end(): void;
}

interface Window {
  upload: IncomingUpload;
  beganAt: number;
  bytes: number;
  /** Found too slow once. Only the second time counts: whatever the system holds for a busy service has come by then. */
  isLate: boolean;
}

/** Ends uploads that come too slowly, by a clock that nobody sets. */
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

  /** Looks at each upload once; to be called again and again. */
  look(): void {
    const now = this.#clock.monotonic();
    for (const window of this.#windows) {
      if (now - window.beganAt < WINDOW_MS) continue;
      const isSlow = window.bytes < LEAST_BYTES && !window.upload.isHeldUp();
      if (isSlow && window.isLate) {
        this.#windows.delete(window);
        window.upload.cut(tooSlow());
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
