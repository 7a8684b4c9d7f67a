import type { Change, ChangeType } from "@portico/protocol";
import type { Arrival } from "./live-stream.ts";

/** An acknowledged change of a conversation. */
export interface AnsweredChange {
  type: ChangeType;
  messageId: number;
  /** Null when the answer does not contain it. */
  msgSeq: number | null;
  /** When the answer arrived, by `performance.now()`. */
  atMs: number;
}

/**
 * The delay from the answer of each change to its arrival at a stream, in milliseconds; 0 when the change arrived
 * first.
 *
 * @param afterSeq the `msgSeq` of the conversation before these changes.
 * @throws when `arrivals` are not exactly the acknowledged changes, or not in the order of `msgSeq`.
 */
export function latenessOf(answered: AnsweredChange[], arrivals: Arrival[], afterSeq: number): number[] {
  const unseen = new Map(answered.map((change) => [nameOf(change.type, change.messageId), change]));
  const late = arrivals.map(({ text, atMs }, index) => {
    const { type, msgSeq, message }: Change = JSON.parse(text);
    const name = nameOf(type, message.messageId);
    const expected = afterSeq + index + 1;
    if (msgSeq !== expected) throw new Error(`msgSeq ${msgSeq} (${name}) came in the place of ${expected}`);
    const change = unseen.get(name);
    if (change === undefined) throw new Error(`a frame that no call was answered for: ${name}`);
    unseen.delete(name);
    if (change.msgSeq !== null && change.msgSeq !== msgSeq) {
      throw new Error(`${name} was answered with msgSeq ${change.msgSeq} and came with ${msgSeq}`);
    }
    return Math.max(0, atMs - change.atMs);
  });
  const [missing] = unseen.keys();
  if (missing !== undefined) throw new Error(`${unseen.size} changes did not come, for example ${missing}`);
  return late;
}

function nameOf(type: ChangeType, messageId: number): string {
  return `${type} of message ${messageId}`;
}
