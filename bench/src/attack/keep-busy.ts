/** Pause after a failure; without it an attacker would spin while the service is down. */
const AFTER_FAILURE_MS = 20;

/**
 * Runs `work` repeatedly in `callers` concurrent loops until `signal` is aborted. Failures are ignored and retried.
 *
 * @returns the number of successful runs.
 */
export async function keepBusy(callers: number, signal: AbortSignal, work: (caller: number) => Promise<void>) {
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (!signal.aborted) {
        try {
          await work(caller);
          done++;
        } catch {
          await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS));
        }
      }
    }),
  );
  return done;
}
