import { installationStatus } from "../../../domain/applications/installations/installation-store.ts";
import type { ConsoleApp } from "../../../domain/applications/visible-app.ts";
import { appendMessage } from "../../../domain/conversations/append.ts";
import { directKey } from "../../../domain/conversations/conversation-key.ts";
import { insertRecipients } from "../../../domain/conversations/recipient-store.ts";
import { findMember, findMemberOfDeveloper } from "../../../domain/directory/member-store.ts";
import { messageReceived } from "../../../domain/webhooks/event-payloads.ts";
import { MADE_UP_TEXT } from "../../../domain/webhooks/made-up-events.ts";
import type { Db } from "../../../platform/storage/schema.ts";

/**
 * Writes a message to the bot, as the member with the developer's phone number in their conversation with it, so that the
 * bot can answer. Call it where the event is recorded.
 *
 * @returns the message and the payload that tells of it; null when there is no such member, or the bot is not installed
 *   for them.
 */
export async function writeToOneself(tx: Db, { appId, tenantId }: ConsoleApp, developerId: string, now: number) {
  const found = await findMemberOfDeveloper(tx, tenantId, developerId);
  const member = found && (await findMember(tx, found.userId));
  if (member === null || (await installationStatus(tx, appId, "USER", member.userId)) !== "ACTIVE") return null;
  const conversationKey = directKey(appId, member.userId);
  const content = { text: MADE_UP_TEXT };
  const place = await appendMessage(tx, {
    conversationKey,
    sender: { type: "MEMBER", id: member.userId },
    clientMessageId: null,
    msgType: "text",
    content: JSON.stringify(content),
    mentions: "[]",
    cardVersion: null,
    parentMessageId: null,
    now,
  });
  await insertRecipients(tx, place.messageId, [appId]);
  const named = { kind: "bot", id: appId, conversationKey } as const;
  const payload = messageReceived(member, named, {
    ...place,
    msgType: "text",
    content,
    mentions: [],
    parentMessageId: null,
    createTime: now,
  });
  return { conversationKey, msgSeq: place.msgSeq, payload };
}
