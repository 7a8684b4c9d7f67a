import { ApiError, type Member, type Mention, type PostedMessage } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { installedOf } from "../../../domain/applications/installations/installation-store.ts";
import { appendMessage } from "../../../domain/conversations/append.ts";
import {
  type NamedConversation,
  openConversation,
  parseConversationId,
} from "../../../domain/conversations/conversation-access.ts";
import { mayClaimFiles } from "../../../domain/conversations/files-of-content.ts";
import { parseMentions, resolveMentions } from "../../../domain/conversations/mentions.ts";
import { resolveContent } from "../../../domain/conversations/message-content.ts";
import { parseMessageType, parseShape } from "../../../domain/conversations/message-shape.ts";
import { findByClientMessageId } from "../../../domain/conversations/message-store.ts";
import { withMentions } from "../../../domain/conversations/message-view.ts";
import { insertRecipients } from "../../../domain/conversations/recipient-store.ts";
import { messageReceived } from "../../../domain/webhooks/event-payloads.ts";
import { emitTo, findListener, type Listener } from "../../../domain/webhooks/outbox.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { PostParts } from "../parts.ts";

/** The message types for members; cards are for bots only. */
const MEMBERS_TYPES = ["text", "post", "image", "file"] as const;

/** POST /api/client/v1/conversations/{id}/messages: a member posts a message. */
export const postMessage: ClientRoute<typeof CLIENT_ENDPOINTS.postMessage, PostParts> = {
  endpoint: CLIENT_ENDPOINTS.postMessage,
  stores: true,
  async handle(ctx, { member, params, body, rawBody }) {
    const named = parseConversationId(member, params.conversationId);
    const { conversationKey } = named;
    const msgType = parseMessageType(body.msgType, MEMBERS_TYPES);
    const shape = parseShape(msgType, body.content);
    const mentioned = parseMentions(body.content);
    const handOver = ctx.webhooks.handOver();
    const post = async (tx: Db): Promise<Posting> => {
      handOver.begin();
      const now = ctx.clock.now();
      const clientMessageId = body.clientMessageId ?? null;
      const sender = senderOf(member);
      const original = clientMessageId === null ? null : await findByClientMessageId(tx, sender, clientMessageId);
      if (original !== null) return { posted: original, isNew: false, listeners: [], recipients: 0 };

      // Asked together, so that units in step wait for one answer.
      const [{ writable }, mentions, directListener] = await Promise.all([
        openConversation(tx, member, named),
        resolveMentions(tx, member.tenantId, mentioned),
        named.kind === "bot" ? findListener(tx, named.id, EVENT) : null,
      ]);
      if (!writable) throw new ApiError("BOT_REMOVED");
      const { json } = await resolveContent(ctx, tx, { shape, rawBody, owner: sender, now });
      const recipients = await recipientsOf(tx, named, mentions);
      const listening =
        named.kind === "bot"
          ? [directListener]
          : await Promise.all(recipients.map((appId) => findListener(tx, appId, EVENT)));
      const place = await appendMessage(tx, {
        conversationKey,
        sender,
        clientMessageId,
        msgType,
        content: json,
        mentions: JSON.stringify(mentions),
        cardVersion: null,
        parentMessageId: null,
        now,
      });
      await insertRecipients(tx, place.messageId, recipients);
      const content = withMentions(json, msgType, mentions);
      const payload = messageReceived(member, named, {
        ...place,
        msgType,
        content,
        mentions,
        parentMessageId: null,
        createTime: now,
      });
      const listeners = listening.filter((listener) => listener !== null);
      const dueNow = ctx.webhooks.dueNow();
      const event = { eventType: EVENT, payload, now, dueNow, conversation: conversationKey };
      for (const listener of listeners) await emitTo(tx, listener, event, handOver);
      return { posted: place, isNew: true, listeners, recipients: recipients.length };
    };
    const { posted, isNew, listeners, recipients } = await handOver.over(() =>
      mayClaimFiles(body, rawBody)
        ? ctx.storage.write(post, conversationKey)
        : ctx.storage.writeInStep(post, { lane: conversationKey }),
    );
    // Each recipient gets an event that contains the whole message.
    ctx.ownerBounds.addBytes(senderOf(member), recipients * rawBody.length);
    if (isNew) ctx.live.changed(conversationKey, posted.msgSeq);
    for (const { appId, dropReason } of listeners) {
      if (dropReason === null && !handOver.has(appId)) ctx.webhooks.due(appId);
    }
    return posted;
  },
};

const EVENT = "im.message.receive_v1" as const;

/** The result of a post: the message's position, and the number of applications that get an event. */
interface Posting {
  posted: PostedMessage;
  /** False for a repeat; the original may be in another conversation. */
  isNew: boolean;
  /** The applications that get an event. */
  listeners: Listener[];
  /** The number of applications that get an event. */
  recipients: number;
}

function senderOf(member: Member) {
  return { type: "MEMBER", id: member.userId } as const;
}

/**
 * The applications that a message is addressed to: the bot of a direct conversation, or the mentioned ones in the
 * group.
 */
async function recipientsOf(tx: Db, { kind, id }: NamedConversation, mentions: Mention[]): Promise<string[]> {
  if (kind === "bot") return [id];
  const mentioned = mentions.filter(({ isBot }) => isBot).map(({ userId }) => userId);
  return installedOf(tx, mentioned, "GROUP", id);
}
