/** What is hidden draws nothing, and is told as rarely as browsers let it. */
const HIDDEN_DELAY_MS = 200;

/**
 * Collects changes and runs `apply` once for all of them, when the browser next draws: fifty messages a second are not fifty
 * times a second's work.
 */
export function batched(apply: () => void): () => void {
  let isPlanned = false;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    isPlanned = false;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    apply();
  };
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    // A page that is hidden before it draws does not draw until it is looked at again.
    frame = requestAnimationFrame(run);
    timer = setTimeout(run, HIDDEN_DELAY_MS);
  };
}
