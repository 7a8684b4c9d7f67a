/**
 * Shares the runs of something that reads: a call during a run is answered by one more run after it, because what the
 * one under way reads may be older than the call.
 *
 * @param run never rejects.
 */
export function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  function ask(): Promise<void> {
    if (current === null) {
      current = run().finally(() => {
        current = null;
      });
      return current;
    }
    next ??= current.then(() => {
      next = null;
      return ask();
    });
    return next;
  }
  return ask;
}
