import {
  CARD_ACTION_TYPE,
  type CardInteractionEvent,
  type EventHead,
  type EventMember,
  type EventType,
  type Member,
  type MessageReceivedEvent,
} from "@portico/protocol";
import { JsonText } from "../../platform/http/json-text.ts";
import type { NamedConversation } from "../conversations/conversation-access.ts";

/** An event without its head, which the outbox adds. */
type PayloadOf<Event extends EventHead<EventType>> = Omit<Event, keyof EventHead<EventType>>;

/** The payload of im.message.receive_v1 (docs/contract/events.md). */
export function messageReceived(
  member: Member,
  named: NamedConversation,
  message: Omit<MessageReceivedEvent["message"], keyof Chat>,
): PayloadOf<MessageReceivedEvent> {
  const { messageId, msgSeq, ...rest } = message;
  return { message: { messageId, msgSeq, ...chatOf(member, named), ...rest }, sender: eventMember(member) };
}

/**
 * The payload of card.interaction (docs/contract/events.md).
 *
 * @param action JSON text of the member's action; passed on unparsed, because it may be deeply nested.
 */
export function cardInteraction(
  member: Member,
  named: NamedConversation,
  { messageId, cardVersion }: { messageId: number; cardVersion: number },
  action: string,
) {
  return {
    message: { messageId, ...chatOf(member, named), cardVersion },
    action: new JsonText(`{"type":${JSON.stringify(CARD_ACTION_TYPE)},${action.slice(1)}`),
    operator: eventMember(member),
  } satisfies Record<keyof PayloadOf<CardInteractionEvent>, unknown>;
}

type Chat = Pick<MessageReceivedEvent["message"], "chatId" | "chatType" | "receiveIdType">;

/** The conversation of an event, in the terms of a send: `chatId` is the `receiveId` for a reply. */
function chatOf(member: Member, { kind, id }: NamedConversation): Chat {
  if (kind === "group") return { chatId: id, chatType: "group", receiveIdType: "group_id" };
  return { chatId: member.userId, chatType: "user", receiveIdType: "user_id" };
}

function eventMember({ userId, username, name }: Member): EventMember {
  return { userId, username, name };
}
