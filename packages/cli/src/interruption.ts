import { once } from "node:events";

/** The wish of the user to end a command that otherwise goes on: Ctrl-C or SIGTERM, which then do not kill it. */
export interface Interruption extends Disposable {
  /** Aborted by it. */
  readonly signal: AbortSignal;
  /** Resolves with it. */
  readonly happened: Promise<"interrupted">;
}

/** Waits for it from now on, until it is disposed of. */
export function awaitInterruption(): Interruption {
  const waiting = new AbortController();
  const interrupted = new AbortController();
  const signals = ["SIGINT", "SIGTERM"].map((signal) => once(process, signal, { signal: waiting.signal }));
  const happened = Promise.race(signals).then(() => {
    interrupted.abort();
    return "interrupted" as const;
  });
  // Nobody may be waiting any more when it is disposed of.
  happened.catch(() => {});
  return { signal: interrupted.signal, happened, [Symbol.dispose]: () => waiting.abort() };
}
