/** Who has given no sign of life for so long is not there (docs/contract/customer-service.md#sessions). */
export const PRESENT_MS = 45_000;
/** After so long an absent agent's sessions go back to the queue. */
export const VANISHED_MS = 60_000;

/** Whether a sign of life at `heartbeatAt` still counts. */
export function isRecent(heartbeatAt: number, now: number): boolean {
  return heartbeatAt > now - PRESENT_MS;
}
