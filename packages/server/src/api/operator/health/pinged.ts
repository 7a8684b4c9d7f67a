/** The longest time that a store is waited for. */
const WITHIN_MS = 3_000;

/** Whether a store answers in time, and how long it takes. */
export async function pinged(ping: () => Promise<void>): Promise<{ ok: boolean; pingMs: number | null }> {
  const begunAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), WITHIN_MS);
  });
  const answered = ping().then(
    () => true,
    () => false,
  );
  const ok = await Promise.race([answered, late]);
  clearTimeout(timer);
  return { ok, pingMs: ok ? Math.ceil(performance.now() - begunAt) : null };
}
