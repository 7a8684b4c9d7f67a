import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4_096;

const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/**
 * `bytes` random bytes in base64url, for ids that are made with each call: asking the system for many at once costs a
 * tenth. Not for secrets, which would stay in memory.
 */
export function randomText(bytes: number): string {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString("base64url", used - bytes, used);
}
