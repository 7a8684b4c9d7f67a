/** A frame that is not shown draws nothing: then it is done after this time. */
const HIDDEN_MS = 100;

/** Does `work` once for all calls until the browser draws next. */
export function oncePerFrame(work: () => void): () => void {
  let timer = 0;
  let frame = 0;
  const run = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    timer = 0;
    work();
  };
  return () => {
    if (timer !== 0) return;
    timer = window.setTimeout(run, HIDDEN_MS);
    frame = requestAnimationFrame(run);
  };
}
