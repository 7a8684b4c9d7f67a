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

/** An event without its head, which the outbox puts before it. */
type PayloadOf<Event extends EventHead<EventType>> = Omit<Event, keyof EventHead<EventType>>;

/** What im.message.receive_v1 says beside its head (docs/contract/events.md). */
export function messageReceived(
  member: Member,
  named: NamedConversation,
  message: Omit<MessageReceivedEvent["message"], keyof Chat>,
): PayloadOf<MessageReceivedEvent> {
  const { messageId, msgSeq, ...rest } = message;
  return { message: { messageId, msgSeq, ...chatOf(member, named), ...rest }, sender: eventMember(member) };
}

/**
 * What card.interaction says beside its head (docs/contract/events.md).
 *
 * @param action JSON text of what the member did; passed on as it is, for it may be nested deeply.
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

/** Where something happened, in the terms of a send: `chatId` is the `receiveId` to reply to. */
function chatOf(member: Member, { kind, id }: NamedConversation): Chat {
  if (kind === "group") return { chatId: id, chatType: "group", receiveIdType: "group_id" };
  return { chatId: member.userId, chatType: "user", receiveIdType: "user_id" };
}

function eventMember({ userId, username, name }: Member): EventMember {
  return { userId, username, name };
}
