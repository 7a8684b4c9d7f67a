/** What is hidden draws nothing, and is told as rarely as browsers let it. */
const HIDDEN_DELAY_MS = 200;

/**
 * Collects changes and runs `apply` once for all of them, when the browser next draws: fifty messages a second are not fifty
 * times a second's work.
 */
export function batched(apply: () => void): () => void {
  let isPlanned = false;
  const run = () => {
    isPlanned = false;
    apply();
  };
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    if (document.visibilityState === "visible") requestAnimationFrame(run);
    else setTimeout(run, HIDDEN_DELAY_MS);
  };
}
