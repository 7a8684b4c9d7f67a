import type { CustomerSession } from "@portico/protocol/customer";

/** Those behind are not told who has left the queue: so often a visitor in it asks for their place. */
const ASKED_EVERY_MS = 10_000;

/** Keeps the visitor's place in the queue up to date, while somebody looks. */
export class QueuePlace {
  readonly #ask: () => Promise<{ session: CustomerSession | null }>;
  readonly #onPlace: (session: CustomerSession) => void;
  #timer = 0;
  #isFollowed = false;
  #knownAt = Number.NEGATIVE_INFINITY;

  constructor(ask: () => Promise<{ session: CustomerSession | null }>, onPlace: (session: CustomerSession) => void) {
    this.#ask = ask;
    this.#onPlace = onPlace;
  }

  /** The place is known for now. */
  known(): void {
    this.#knownAt = performance.now();
  }

  /** Begins to ask, at once if the place has not been known for long, or ceases to. */
  follow(isFollowed: boolean): void {
    this.#isFollowed = isFollowed;
    clearTimeout(this.#timer);
    const ageMs = performance.now() - this.#knownAt;
    if (isFollowed) this.#timer = window.setTimeout(() => void this.#look(), Math.max(0, ASKED_EVERY_MS - ageMs));
  }

  close(): void {
    this.follow(false);
  }

  async #look(): Promise<void> {
    this.known();
    // What has no answer now may have one the next time.
    const { session } = await this.#ask().catch(() => ({ session: null }));
    if (!this.#isFollowed) return;
    if (session?.status === "QUEUED") this.#onPlace(session);
    this.follow(true);
  }
}
