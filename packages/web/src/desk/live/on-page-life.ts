/** What the browser tells of a page. */
interface PageLife {
  /** The network may be back, or the page was asleep. */
  onWake(): void;
  /** The page may be about to go. */
  onLeave(): void;
}

/** Tells of what happens to the page. @returns a function that ends this. */
export function onPageLife({ onWake, onLeave }: PageLife): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const look = () => (document.visibilityState === "visible" ? onWake() : onLeave());
  addEventListener("online", onWake, { signal });
  addEventListener("pagehide", onLeave, { signal });
  document.addEventListener("visibilitychange", look, { signal });
  return () => ended.abort();
}
