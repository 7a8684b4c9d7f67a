import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findBotApp } from "../../../domain/applications/app-store.ts";
import { makeInstallation } from "../../../domain/applications/installations/change-installation.ts";
import { cardContent, receivedCard } from "../../../domain/cards/card-content.ts";
import { appendMessage } from "../../../domain/conversations/append.ts";
import { directKey } from "../../../domain/conversations/conversation-key.ts";
import { findMemberOfDeveloper } from "../../../domain/directory/member-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { SendToMeParts } from "../parts.ts";

/**
 * POST apps/{appId}/card-templates/send-to-me: sends a card, as the bot, to the member with the developer's phone number;
 * installs the bot for the member if necessary. The card is checked and its images resolved as in a signed send.
 */
export const sendCardToMe: ConsoleRoute<typeof CONSOLE_ENDPOINTS.sendCardToMe, SendToMeParts> = {
  endpoint: CONSOLE_ENDPOINTS.sendCardToMe,
  stores: true,
  async handle(ctx, { app, developer, body, rawBody, audit }) {
    const { appId, tenantId } = app;
    const now = ctx.clock.now();
    const member = await findMemberOfDeveloper(ctx.storage.db, tenantId, developer.developerId);
    if (member === null) throw new ConsoleError("DEVELOPER_NOT_A_MEMBER");
    ctx.ownerBounds.takeMessage({ type: "APP", id: appId }, rawBody.length);
    const conversationKey = directKey(appId, member.userId);
    const place = await ctx.storage.write(async (tx) => {
      const bot = await findBotApp(tx, appId);
      if (bot === null) throw new ConsoleError("ONLY_BOTS_INSTALLED");
      if (bot.status !== "ACTIVE") throw new ConsoleError("INSTALLED_APP_NOT_ACTIVE");
      const target = { appId, targetType: "USER", targetId: member.userId } as const;
      await makeInstallation(tx, target, { tenantId, audit }, now);
      const card = receivedCard(body.card, rawBody, ["card"]);
      const content = await cardContent(ctx, tx, { type: "APP", id: appId }, card, now);
      const after = { userId: member.userId };
      await audit(tx, { action: "card.send-to-me", target: `app:${appId}`, appId, tenantId, before: null, after });
      return await appendMessage(tx, {
        conversationKey,
        sender: { type: "BOT", id: appId },
        clientMessageId: null,
        msgType: "card",
        content,
        mentions: "[]",
        cardVersion: 1,
        parentMessageId: null,
        now,
      });
    }, conversationKey);
    ctx.live.conversationsChanged(member.userId);
    ctx.live.changed(conversationKey, place.msgSeq);
    return { ...place, userId: member.userId, username: member.username };
  },
};
