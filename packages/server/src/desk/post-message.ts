import { ApiError } from "@portico/protocol";
import { PostDeskMessageBodySchema, SentCustomerMessageSchema } from "@portico/protocol/schemas";
import { thirdMsgIdOf } from "../customer/client-message-id.ts";
import { Desk } from "../customer/desk.ts";
import { enabledVisitor } from "../customer/known.ts";
import { visitorKey } from "../customer/message-store.ts";
import { readSaid, storeSaid } from "../customer/said-content.ts";
import { findSaid, say } from "../customer/say.ts";
import type { ClientRoute } from "../messenger/client-route.ts";
import { agentAt, notOwn, sessionAt } from "./desk-access.ts";

/**
 * POST .../messages: what the agent who has the session says to its visitor, once for each clientMessageId; content is as
 * in the open API, files are the member's own uploads (design, section 8).
 */
export const postMessage: ClientRoute<typeof PostDeskMessageBodySchema, never, typeof SentCustomerMessageSchema> = {
  method: "POST",
  url: "/api/desk/v1/apps/:appId/sessions/:sessionId/messages",
  summary: "Write to a session's visitor",
  body: PostDeskMessageBodySchema,
  value: SentCustomerMessageSchema,
  async handle(ctx, { member, params, body }) {
    const { userId } = member;
    const said = readSaid(body);
    const { appId } = await agentAt(ctx, ctx.storage.db, member, params.appId);
    const { visitorId } = await sessionAt(ctx.storage.db, appId, params.sessionId);
    const given = body.clientMessageId ?? null;
    const thirdMsgId = given === null ? null : thirdMsgIdOf({ at: "desk", id: userId }, given);
    const effects: (() => void)[] = [];
    const sent = await ctx.storage.write(async (tx) => {
      // It may be run again; what it announced before has been undone.
      effects.length = 0;
      const now = ctx.clock.now();
      const desk = new Desk(ctx, tx, { appId, now, afterCommit: (effect) => void effects.push(effect) });
      const sender = { type: "AGENT", userId } as const;
      const original = await findSaid(tx, { appId, sender, thirdMsgId });
      if (original !== null) return { ...original, isDuplicate: true };
      const session = await sessionAt(tx, appId, params.sessionId);
      if (session.status === "CLOSED") throw new ApiError("SESSION_NOT_FOUND", "会话已关闭");
      if (session.agentUserId !== userId) throw notOwn();
      await enabledVisitor(tx, appId, visitorId);
      const content = await storeSaid(ctx, tx, said, [{ type: "MEMBER", id: userId }], now);
      const { msgType } = said;
      const message = { appId, visitorId, sender, session, thirdMsgId, msgType, content, now };
      return { ...(await say(tx, desk, message)), isDuplicate: false };
    }, visitorKey(visitorId));
    for (const effect of effects) effect();
    const { messageId, sessionId, seq, isDuplicate } = sent;
    return { messageId, sessionId, seq, isDuplicate };
  },
};
