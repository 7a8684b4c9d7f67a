/** Batches of an application that are not full begin at least this long after the one before, so that they are larger. */
const SPACING_MS = 10;

/**
 * Spaces what is done in batches for an application. A transaction costs about the same for one delivery as for ten, so
 * under load a short wait saves more time than it takes; what comes alone does not wait.
 */
export class Spacing {
  /** By application: when its last batch began, on the monotonic clock, the oldest first. */
  readonly #beganAt = new Map<string, number>();

  /** Resolves when the application's next batch may begin, and counts it as begun. */
  async next(appId: string): Promise<void> {
    const waitMs = (this.#beganAt.get(appId) ?? Number.NEGATIVE_INFINITY) + SPACING_MS - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.#begin(appId);
  }

  /** The next batch begins at once: this one was full. */
  skip(appId: string): void {
    this.#beganAt.delete(appId);
  }

  #begin(appId: string): void {
    const now = performance.now();
    for (const [key, at] of this.#beganAt) {
      if (now - at < SPACING_MS) break;
      this.#beganAt.delete(key);
    }
    this.#beganAt.delete(appId);
    this.#beganAt.set(appId, now);
  }
}
