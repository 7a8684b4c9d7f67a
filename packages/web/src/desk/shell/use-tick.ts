import { useSyncExternalStore } from "react";
import { serviceClock } from "../live/service-clock.ts";

const EVERY_MS = 1_000;
const listeners = new Set<() => void>();
let now = serviceClock.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** The service's time, renewed every second for all components together. */
export function useTick(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = serviceClock.now();
    timer = setInterval(tick, EVERY_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  now = serviceClock.now();
  for (const listener of listeners) listener();
}
