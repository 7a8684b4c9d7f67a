/**
 * Ends a piece of work from outside. Work goes from stage to stage, and each says how it is to be ended; unlike with an
 * AbortSignal, that costs next to nothing.
 */
export class Cancellation {
  #cancelled = false;
  #stage: (() => void) | null = null;

  get cancelled(): boolean {
    return this.#cancelled;
  }

  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#stage?.();
  }

  /** Begins a stage, which `end` ends, at once if the work is cancelled already; null between two stages. */
  during(end: (() => void) | null): void {
    this.#stage = end;
    if (this.#cancelled) end?.();
  }
}
