const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs work that must not be interrupted: a signal that would end the process takes effect afterwards. */
export async function uninterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  let received: NodeJS.Signals | undefined;
  const note = (signal: NodeJS.Signals) => {
    received ??= signal;
  };
  // If there is another listener, the signal does not end the process.
  const deadly = SIGNALS.filter((signal) => process.listenerCount(signal) === 0);
  for (const signal of deadly) process.on(signal, note);
  try {
    return await work();
  } finally {
    for (const signal of deadly) process.off(signal, note);
    if (received !== undefined) process.kill(process.pid, received);
  }
}
