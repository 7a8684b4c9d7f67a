/** Resolves when all promises are settled, or after `timeoutMs`. */
export async function settledWithin(timeoutMs: number, promises: Iterable<Promise<unknown>>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([Promise.allSettled(promises), late]);
  clearTimeout(timer);
}
