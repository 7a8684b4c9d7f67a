import type { MessageReceivedEvent } from "@portico/protocol";
import type { Receipt } from "./receiver.ts";

/** An acknowledged message that must cause an event. */
export interface Fact {
  messageId: number;
  /** When the answer arrived, by `performance.now()`. */
  atMs: number;
}

/** @throws when `receipts` are not exactly `count` different events. */
export function checkEachOnce(receipts: Pick<Receipt, "eventId">[], count: number): void {
  const seen = new Set<string>();
  for (const { eventId } of receipts) {
    if (seen.has(eventId)) throw new Error(`event ${eventId} was received more than once`);
    seen.add(eventId);
  }
  if (seen.size !== count) throw new Error(`${seen.size} events were received, not ${count}`);
}

/**
 * The delay from the answer of each message to the receipt of its event, in milliseconds, in the order of `facts`; 0
 * when the event came first.
 *
 * @throws when `receipts` are not exactly the events of `facts`, each once.
 */
export function lateReceiptsOf(facts: Fact[], receipts: Receipt[]): number[] {
  checkEachOnce(receipts, facts.length);
  const receivedMs = new Map<number, number>();
  for (const { body, atMs } of receipts) {
    const { message }: MessageReceivedEvent = JSON.parse(body.toString("utf8"));
    if (receivedMs.has(message.messageId)) throw new Error(`two events tell of message ${message.messageId}`);
    receivedMs.set(message.messageId, atMs);
  }
  return facts.map(({ messageId, atMs }) => {
    const received = receivedMs.get(messageId);
    if (received === undefined) throw new Error(`no event told of message ${messageId}`);
    return Math.max(0, received - atMs);
  });
}
