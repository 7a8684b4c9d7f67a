import type { SentMessage } from "@portico/sdk";

/** A line that tells where a message, or a change of it, now is. */
export function sentLine({ messageId, msgSeq, duplicate }: SentMessage): string {
  const remark = duplicate ? "  (duplicate: this client message id was sent before)" : "";
  return `messageId ${messageId}  msgSeq ${msgSeq}${remark}`;
}
