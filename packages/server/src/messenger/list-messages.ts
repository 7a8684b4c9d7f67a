import { ClientMessageListSchema, MessagesQuerySchema } from "@portico/protocol/schemas";
import type { ClientRoute } from "./client-route.ts";
import { openConversation, readConversationId } from "./conversation-access.ts";
import { readMessages } from "./message-view.ts";

const DEFAULT_LIMIT = 50;

/** GET /api/client/v1/conversations/{id}/messages, newest last (design, section 10). */
export const listMessages: ClientRoute<never, typeof MessagesQuerySchema, typeof ClientMessageListSchema> = {
  method: "GET",
  url: "/api/client/v1/conversations/:conversationId/messages",
  summary: "Read a conversation backwards, a page at a time",
  query: MessagesQuerySchema,
  value: ClientMessageListSchema,
  async handle(ctx, { member, params, query }) {
    const { db } = ctx.storage;
    const { conversationKey } = await openConversation(
      db,
      member,
      readConversationId(member, params.conversationId ?? ""),
    );
    const { beforeSeq, limit = DEFAULT_LIMIT } = query;
    return { items: await readMessages(db, conversationKey, { beforeSeq, limit }) };
  },
};
