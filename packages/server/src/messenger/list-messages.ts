import { ClientMessageListSchema, MessagesQuerySchema } from "@portico/protocol/schemas";
import { PAGE_BYTES } from "../http/large-answers.ts";
import type { ClientRoute } from "./client-route.ts";
import { openConversation, readConversationId } from "./conversation-access.ts";
import { readMessages } from "./message-view.ts";
import { historyPage } from "./page-size.ts";

const DEFAULT_LIMIT = 50;

/** GET /api/client/v1/conversations/{id}/messages, newest last; a page is shorter where contents are large (design, section 10). */
export const listMessages: ClientRoute<never, typeof MessagesQuerySchema, typeof ClientMessageListSchema> = {
  method: "GET",
  url: "/api/client/v1/conversations/:conversationId/messages",
  summary: "Read a conversation backwards, a page at a time",
  query: MessagesQuerySchema,
  value: ClientMessageListSchema,
  async handle({ storage: { db }, largeAnswers }, { member, params, query, room }) {
    const { conversationKey } = await openConversation(
      db,
      member,
      readConversationId(member, params.conversationId ?? ""),
    );
    const { beforeSeq, limit = DEFAULT_LIMIT } = query;
    const page = await historyPage(db, conversationKey, { beforeSeq, limit, maxBytes: PAGE_BYTES });
    if (page === null) return { items: [] };
    await room(page.bytes);
    return { items: await largeAnswers.read(page.bytes, () => readMessages(db, conversationKey, page)) };
  },
};
