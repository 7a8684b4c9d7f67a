import type { SentMessage } from "@portico/sdk";

/** A line with the position of a message, or of its change. */
export function sentLine({ messageId, msgSeq, duplicate }: SentMessage): string {
  const remark = duplicate ? "  (duplicate: this client message id was sent before)" : "";
  return `messageId ${messageId}  msgSeq ${msgSeq}${remark}`;
}
