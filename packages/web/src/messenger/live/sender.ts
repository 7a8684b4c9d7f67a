import type { ClientMessage } from "@portico/protocol/schemas";

/** Whether a member wrote a message; a bot may have the same id. */
export function isBy({ sender }: ClientMessage, userId: string): boolean {
  return sender.type === "MEMBER" && sender.id === userId;
}
