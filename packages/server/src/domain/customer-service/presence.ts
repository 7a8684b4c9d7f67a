/** After this time without a heartbeat an agent is absent (docs/contract/customer-service.md#sessions). */
export const PRESENT_MS = 45_000;
/** After this time an absent agent's sessions go back to the queue. */
export const REQUEUED_AFTER_MS = 60_000;

/** Whether a heartbeat at `heartbeatAt` still counts. */
export function isRecent(heartbeatAt: number, now: number): boolean {
  return heartbeatAt > now - PRESENT_MS;
}
