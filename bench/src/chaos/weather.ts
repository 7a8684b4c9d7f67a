/** The time that a service may take to recover from a fault. */
export const RECOVERY_MS = 60_000;

/** Whether something is being disturbed: only then may calls fail. */
export class Weather {
  #calmSince: number | null = performance.now();
  /** The endings of processes that the current fault, or the last one, explains. */
  endings: readonly (number | string)[] = [];

  /** A fault begins. */
  disturb(endings: readonly (number | string)[]): void {
    this.#calmSince = null;
    this.endings = endings;
  }

  /** The service has recovered. */
  settle(): void {
    this.#calmSince = performance.now();
    this.endings = [];
  }

  get isCalm(): boolean {
    return this.#calmSince !== null;
  }

  /** Whether nothing was disturbed from `startedAt`, by `performance.now()`, until now. */
  wasCalmSince(startedAt: number): boolean {
    return this.#calmSince !== null && this.#calmSince <= startedAt;
  }
}
