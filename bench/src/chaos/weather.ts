/** The time that a service may take to recover from a fault. */
export const RECOVERY_MS = 60_000;

/** After a fault a few calls may still fail, because connections that fell silent are found one by one. */
const HEALED_WITHIN_MS = 10_000;

/** Whether something is, or was just, disturbed: only then may calls fail. */
export class Weather {
  #calmSince: number | null = performance.now();
  /** The endings of processes that the current fault, or the last one, explains. */
  endings: readonly (number | string)[] = [];

  /** A fault begins. */
  disturb(endings: readonly (number | string)[]): void {
    this.#calmSince = null;
    this.endings = endings;
  }

  /** The service is ready again after a fault that ended at `endedAt`, by `performance.now()`. */
  settle(endedAt: number): void {
    this.#calmSince = Math.max(performance.now(), endedAt + HEALED_WITHIN_MS);
    this.endings = [];
  }

  /** Whether nothing was disturbed from `startedAt`, by `performance.now()`, until now. */
  wasCalmSince(startedAt: number): boolean {
    return this.#calmSince !== null && this.#calmSince <= startedAt;
  }
}
