/** Sessions of which it is known; the oldest are forgotten. */
const MAX_SESSIONS = 1_000;

/**
 * Changes that a stream has found by reading, and told its client. The hint of such a change may still be on its way, and
 * must not be told again.
 */
export class FoundChanges {
  readonly #versions = new Map<number, number>();

  /** The client was told of the session as it was at this version. */
  add(sessionId: number, version: number): void {
    this.#versions.delete(sessionId);
    this.#versions.set(sessionId, version);
    for (const oldest of this.#versions.keys()) {
      if (this.#versions.size <= MAX_SESSIONS) return;
      this.#versions.delete(oldest);
    }
  }

  /** Whether the client knows the change that led to this version; undefined counts as unknown. */
  includes(sessionId: number, version: number | undefined): boolean {
    const known = this.#versions.get(sessionId);
    return known !== undefined && version !== undefined && version <= known;
  }
}
