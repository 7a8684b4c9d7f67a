import type { WidgetMessage } from "@portico/protocol";
import { clientMessageIdOf } from "../../domain/customer-service/client-message-id.ts";
import { type CustomerMessageRow, toMessage } from "../../domain/customer-service/message-store.ts";

/** The message as the widget of its visitor sees it: with the id that a widget sent it with, if one did. */
export function toWidgetMessage(row: CustomerMessageRow): WidgetMessage {
  const { thirdMsgId: _, ...shown } = toMessage(row);
  const isOwn = row.senderType === "VISITOR";
  return { ...shown, clientMessageId: isOwn ? clientMessageIdOf({ at: "widget", id: row.visitorId }, row) : null };
}
