/** The longest time that a store is waited for. */
const WITHIN_MS = 3_000;

/** The answer; null when it is late, or fails. */
export async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WITHIN_MS);
  });
  try {
    return await Promise.race([answer.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a store answers in time, and how long it takes. */
export async function pinged(ping: () => Promise<void>): Promise<{ ok: boolean; pingMs: number | null }> {
  const begunAt = performance.now();
  const ok = (await inTime(ping().then(() => true))) ?? false;
  return { ok, pingMs: ok ? Math.ceil(performance.now() - begunAt) : null };
}
