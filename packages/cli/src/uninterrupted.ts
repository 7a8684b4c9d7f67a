const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Does work that must not be cut short: what would end the process does so once it is done. */
export async function uninterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  let received: NodeJS.Signals | undefined;
  const note = (signal: NodeJS.Signals) => {
    received ??= signal;
  };
  // Where someone else listens, the signal does not end the process.
  const deadly = SIGNALS.filter((signal) => process.listenerCount(signal) === 0);
  for (const signal of deadly) process.on(signal, note);
  try {
    return await work();
  } finally {
    for (const signal of deadly) process.off(signal, note);
    if (received !== undefined) process.kill(process.pid, received);
  }
}
