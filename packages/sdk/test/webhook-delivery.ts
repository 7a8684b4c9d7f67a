import { createHmac } from "node:crypto";
import type { MessageReceivedEvent } from "@portico/sdk";

/** The time of the tests' deliveries. */
export const NOW = 1767225600000;
export const SECRET = "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk";

/** A delivery as sent over the wire. */
export interface Delivery {
  headers: Record<string, string>;
  body: Buffer;
}

/** A member's message to the bot. */
export function messageEvent(eventId = "evt_1") {
  return {
    eventId,
    eventType: "im.message.receive_v1",
    appId: "app_demo",
    tenantId: "t_demo",
    createTime: NOW,
    message: {
      messageId: 7,
      msgSeq: 3,
      chatId: "g_team",
      chatType: "group",
      receiveIdType: "group_id",
      msgType: "text",
      content: { text: "早上好" },
      mentions: [],
      parentMessageId: null,
      createTime: NOW,
    },
    sender: { userId: "u_alice", username: "alice", name: "Alice" },
  } satisfies MessageReceivedEvent;
}

/** An event in the form in which the service delivers it. */
export function deliveryOf(event: Head, { secret = SECRET, timestamp = NOW } = {}): Delivery {
  return signedDelivery(event, Buffer.from(JSON.stringify(event)), secret, timestamp);
}

/** Any body with the headers of an event and a valid signature. */
export function signedDelivery(head: Head, body: Buffer, secret = SECRET, timestamp = NOW): Delivery {
  const hmac = createHmac("sha256", Buffer.from(secret, "utf8"));
  hmac.update(Buffer.concat([Buffer.from(`${head.eventId}\n${timestamp}\n`), body]));
  const headers = {
    "content-type": "application/json; charset=UTF-8",
    "x-open-app-id": head.appId,
    "x-open-event-id": head.eventId,
    "x-open-event-type": head.eventType,
    "x-open-timestamp": String(timestamp),
    "x-open-signature": hmac.digest("hex"),
  };
  return { headers, body };
}

interface Head {
  appId: string;
  eventId: string;
  eventType: string;
  [member: string]: unknown;
}

/** Posts a delivery to a receiver. */
export function post(url: string, { headers, body }: Delivery): Promise<Response> {
  return fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
}

/** A promise with its resolve function. */
export function gate() {
  return Promise.withResolvers<void>();
}
