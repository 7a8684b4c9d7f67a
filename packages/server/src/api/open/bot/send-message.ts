import {
  MESSAGE_TYPES,
  type SendMessageBody,
  type SentMessage,
  TARGET_TYPE_BY_RECEIVE_ID_TYPE,
} from "@portico/protocol";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { askStatusAhead, installationStatus } from "../../../domain/applications/installations/installation-store.ts";
import { appendMessage, appendMessageHere } from "../../../domain/conversations/append.ts";
import { directKey, groupKey } from "../../../domain/conversations/conversation-key.ts";
import { mayClaimFiles } from "../../../domain/conversations/files-of-content.ts";
import { parseMentions, resolveMentions } from "../../../domain/conversations/mentions.ts";
import { resolveContent } from "../../../domain/conversations/message-content.ts";
import { parseMessageType, parseShape } from "../../../domain/conversations/message-shape.ts";
import { findByClientMessageId } from "../../../domain/conversations/message-store.ts";
import { brokenRule, type Refusal } from "../../../platform/errors/refusal.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Call, OpenRoute } from "../gate/open-route.ts";
import type { SendParts } from "../parts.ts";

/**
 * POST /api/open/v2/bot/messages (docs/contract/messages.md#send). Order of checks: schema including the shape of the
 * content, repeat, installation, content.
 */
export const sendMessage: OpenRoute<typeof OPEN_ENDPOINTS.sendMessage, SendParts> = {
  endpoint: OPEN_ENDPOINTS.sendMessage,
  stores: true,
  lane: ({ app, body }) => conversationOf(app.appId, body),
  inStep: ({ body, rawBody }) => !mayClaimFiles(body, rawBody),
  askAhead: (tx, { app, body: { receiveIdType, receiveId } }) => {
    askStatusAhead(tx, app.appId, TARGET_TYPE_BY_RECEIVE_ID_TYPE[receiveIdType], receiveId);
  },
  // Unless it claims files, it changes nothing before the message.
  undoesItself: ({ body, rawBody }) => !mayClaimFiles(body, rawBody),
  handle: (ctx, tx, call) => sendOnce(ctx, tx, call, null),
};

/** A message that is replied to, and the check that this is allowed. */
interface Parent {
  messageId: number;
  /** @throws ApiError when the application may not reply to it this way. */
  check(): Promise<void>;
}

/**
 * Sends the call's message, once for each `clientMessageId`.
 *
 * @param parent the message to reply to, if any; checked after the repeat and before the installation.
 */
export async function sendOnce(
  ctx: SendParts,
  tx: Db,
  call: Call<SendMessageBody, unknown>,
  parent: Parent | null,
): Promise<SentMessage> {
  const { app, body, rawBody, now } = call;
  const msgType = parseMessageType(body.msgType, MESSAGE_TYPES);
  const shape = parseShape(msgType, body.content);
  const mentioned = parseMentions(body.content);
  const clientMessageId = body.clientMessageId ?? null;
  const sender = { type: "BOT", id: app.appId } as const;

  const targetType = TARGET_TYPE_BY_RECEIVE_ID_TYPE[body.receiveIdType];
  const [original, status] =
    clientMessageId === null
      ? [null, await installationStatus(tx, app.appId, targetType, body.receiveId)]
      : await Promise.all([
          findByClientMessageId(tx, sender, clientMessageId),
          installationStatus(tx, app.appId, targetType, body.receiveId),
        ]);
  if (original !== null) return { ...original, clientMessageId, duplicate: true };
  await parent?.check();
  if (status !== "ACTIVE") throw notInstalled(targetType, status);
  const owner = { type: "APP", id: app.appId } as const;
  const { json, cardVersion } = await resolveContent(ctx, tx, { shape, rawBody, owner, now });
  const mentions = mentioned.length === 0 ? [] : await resolveMentions(tx, app.tenantId, mentioned);
  const conversationKey = conversationOf(app.appId, body);
  const message = {
    conversationKey,
    sender,
    clientMessageId,
    msgType,
    content: json,
    mentions: JSON.stringify(mentions),
    cardVersion,
    parentMessageId: parent?.messageId ?? null,
    now,
  };
  const place = ctx.storage.dialect === "sqlite" ? appendMessageHere(tx, message) : await appendMessage(tx, message);
  call.afterCommit(() => ctx.live.changed(conversationKey, place.msgSeq));
  return { ...place, clientMessageId, duplicate: false };
}

function notInstalled(targetType: "GROUP" | "USER", status: string | null): Refusal {
  const installation = status ?? "NONE";
  const reason =
    status === null
      ? `the bot has never been installed to this ${targetType}`
      : `the bot's installation to this ${targetType} is ${status}`;
  return brokenRule("bot-not-installed", { pointer: "/receiveId", facts: { targetType, installation }, reason });
}

/** The key of the conversation in a body. */
export function conversationOf(
  appId: string,
  { receiveIdType, receiveId }: Pick<SendMessageBody, "receiveIdType" | "receiveId">,
): string {
  return receiveIdType === "group_id" ? groupKey(receiveId) : directKey(appId, receiveId);
}
