import type { WidgetMessage } from "@portico/protocol";
import { clientMessageIdOf } from "../../domain/customer-service/client-message-id.ts";
import { type CustomerMessageRow, toMessage } from "../../domain/customer-service/message-store.ts";

/** The message as the visitor's widget sees it, including the clientMessageId if a widget sent it. */
export function toWidgetMessage(row: CustomerMessageRow): WidgetMessage {
  const { thirdMsgId: _, ...shown } = toMessage(row);
  const isOwn = row.senderType === "VISITOR";
  const clientMessageId = isOwn ? clientMessageIdOf({ at: "widget", id: row.visitorId }, row) : null;
  return { ...shown, agentName: row.agentName, clientMessageId };
}
