import { randomBytes } from "node:crypto";
import type { EventHead, MessageReceivedEvent } from "@portico/protocol";
import { contentJson } from "../load/message-kinds.ts";
import { APP_ID, MEMBER } from "./world.ts";

export const EVENT_TYPE = "im.message.receive_v1";
type Payload = Omit<MessageReceivedEvent, keyof EventHead<typeof EVENT_TYPE>>;

/** The first number, so that all numbers have the same length. */
const FIRST_NUMBER = 1_000_000;

/** The payload of an event: the member has written text `number` to the bot. */
export function messagePayload(number: number, createTime: number): Payload {
  const { userId, username, name } = MEMBER;
  return {
    message: {
      messageId: FIRST_NUMBER + number,
      msgSeq: FIRST_NUMBER + number,
      chatId: userId,
      chatType: "user",
      receiveIdType: "user_id",
      msgType: "text",
      content: JSON.parse(contentJson("text", number)),
      mentions: [],
      parentMessageId: null,
      createTime,
    },
    sender: { userId, username, name },
  };
}

/** A whole event, as the service would send it. */
export function messageEvent(number: number, createTime: number): MessageReceivedEvent {
  // As long as those of the service, which begin with nine digits of the time.
  const eventId = `evt_${createTime.toString(36).padStart(9, "0")}${randomBytes(13).toString("base64url")}`;
  const head = { eventId, eventType: EVENT_TYPE, appId: APP_ID, tenantId: MEMBER.tenantId, createTime } as const;
  return { ...head, ...messagePayload(number, createTime) };
}
