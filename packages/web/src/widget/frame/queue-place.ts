import type { CustomerSession } from "@portico/protocol/customer";

/** Those behind are not told who has left the queue: so often a visitor in it asks for their place. */
const ASKED_EVERY_MS = 10_000;

/** Keeps the visitor's place in the queue up to date, while somebody looks. */
export class QueuePlace {
  readonly #ask: () => Promise<{ session: CustomerSession | null }>;
  readonly #onPlace: (session: CustomerSession) => void;
  #timer = 0;
  #isFollowed = false;

  constructor(ask: () => Promise<{ session: CustomerSession | null }>, onPlace: (session: CustomerSession) => void) {
    this.#ask = ask;
    this.#onPlace = onPlace;
  }

  /** Begins to ask, or ceases to. */
  follow(isFollowed: boolean): void {
    this.#isFollowed = isFollowed;
    clearTimeout(this.#timer);
    if (isFollowed) this.#timer = window.setTimeout(() => void this.#look(), ASKED_EVERY_MS);
  }

  close(): void {
    this.follow(false);
  }

  async #look(): Promise<void> {
    // What has no answer now may have one the next time.
    const { session } = await this.#ask().catch(() => ({ session: null }));
    if (session?.status === "QUEUED" && this.#isFollowed) this.#onPlace(session);
    if (this.#isFollowed) this.follow(true);
  }
}
