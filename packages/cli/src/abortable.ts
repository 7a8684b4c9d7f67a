const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs work that cleans up after itself when it is aborted: a signal that would end the process aborts it, and takes
 * effect when that is done. A second one takes effect at once.
 */
export async function abortable<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const abort = (signal: NodeJS.Signals) => {
    received ??= signal;
    controller.abort();
    for (const one of SIGNALS) process.off(one, abort);
  };
  for (const signal of SIGNALS) process.on(signal, abort);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, abort);
    if (received !== undefined) process.kill(process.pid, received);
  }
}
