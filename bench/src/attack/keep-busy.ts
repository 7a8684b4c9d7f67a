/** After a failure an attacker tries again so much later, or a service that is down would have it spin. */
const AFTER_FAILURE_MS = 20;

/**
 * Has `callers` do `work` again and again until `signal` is aborted. What fails is tried again: an attacker does not mind.
 *
 * @returns how often it was done.
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
