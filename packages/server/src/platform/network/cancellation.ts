/** Cancels work that consists of stages; each stage registers how it is cancelled. Much cheaper than an AbortSignal. */
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

  /** Begins a stage that `end` cancels, immediately if the work is cancelled already. Null between two stages. */
  during(end: (() => void) | null): void {
    this.#stage = end;
    if (this.#cancelled) end?.();
  }
}
