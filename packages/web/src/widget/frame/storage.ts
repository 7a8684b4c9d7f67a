/**
 * What the browser keeps for this frame: its own part of the storage, which the site's page cannot read, and which browsers
 * keep apart for each site. Where they give it none, as in private windows, it is kept until the page is left.
 */
const memory = new Map<string, string>();

/** Whether what is kept outlasts the page. */
export const LASTS = probe();

function probe(): boolean {
  try {
    return localStorage.length >= 0;
  } catch {
    return false;
  }
}

/** False when it is kept only until the page is left. */
export function keep(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    memory.set(key, value);
    return false;
  }
}

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

/** The keys of what is kept that begin with `prefix`. */
export function keysWith(prefix: string): string[] {
  const keys = [...memory.keys()];
  try {
    keys.push(...Object.keys(localStorage));
  } catch {
    // Then nothing is kept in it.
  }
  return keys.filter((key) => key.startsWith(prefix));
}

export function forget(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Then it was never there.
  }
}
