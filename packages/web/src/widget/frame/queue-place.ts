/** Those behind are not told who has left the queue: so often a visitor in it asks for their place. */
const ASKED_EVERY_MS = 10_000;

/** Keeps the visitor's place in the queue up to date, while somebody looks. */
export class QueuePlace {
  readonly #ask: () => Promise<void>;
  #timer = 0;
  #isFollowed = false;
  #isClosed = false;
  #knownAt = Number.NEGATIVE_INFINITY;

  /** @param ask reads the session, in which the place is; it never rejects. */
  constructor(ask: () => Promise<void>) {
    this.#ask = ask;
  }

  /** The place is known for now. */
  known(): void {
    this.#knownAt = performance.now();
  }

  /** Begins to ask, at once if the place has not been known for long, or ceases to. */
  follow(isFollowed: boolean): void {
    this.#isFollowed = isFollowed && !this.#isClosed;
    clearTimeout(this.#timer);
    const ageMs = performance.now() - this.#knownAt;
    if (this.#isFollowed) this.#timer = window.setTimeout(() => void this.#look(), Math.max(0, ASKED_EVERY_MS - ageMs));
  }

  close(): void {
    this.#isClosed = true;
    this.follow(false);
  }

  async #look(): Promise<void> {
    this.known();
    await this.#ask();
    // What has no answer now may have one the next time.
    if (this.#isFollowed) this.follow(true);
  }
}
