import type { DeskMessage, Member } from "@portico/protocol";
import { clientMessageIdOf } from "../../domain/customer-service/client-message-id.ts";
import { type CustomerMessageRow, toMessage } from "../../domain/customer-service/message-store.ts";

/** The message as an agent sees it, including the clientMessageId if the agent sent it. `content` is a JsonText. */
export function toDeskMessage(row: CustomerMessageRow, { userId }: Pick<Member, "userId">): DeskMessage {
  const { thirdMsgId: _, ...shown } = toMessage(row);
  const clientMessageId = row.senderType === "AGENT" ? clientMessageIdOf({ at: "desk", id: userId }, row) : null;
  return { ...shown, agentName: row.agentName, clientMessageId };
}
