import type { Conversation } from "@portico/protocol";
import { ConversationListSchema } from "@portico/protocol/schemas";
import { readLastSeqs } from "../conversations/sequence-store.ts";
import type { ClientRoute } from "./client-route.ts";
import { listConversationsOf } from "./conversations-of.ts";
import { readLastMessages } from "./message-view.ts";

/** GET /api/client/v1/conversations: groups first, then bots (design, section 10). */
export const listConversations: ClientRoute<never, never, typeof ConversationListSchema> = {
  method: "GET",
  url: "/api/client/v1/conversations",
  summary: "List the member's conversations",
  value: ConversationListSchema,
  async handle(ctx, { member }) {
    const { db } = ctx.storage;
    const conversations = await listConversationsOf(db, member.userId);
    const keys = conversations.map(({ key }) => key);
    const lastMessages = await readLastMessages(db, keys);
    const lastSeqs = await readLastSeqs(db, keys);
    const items = conversations.map(
      ({ key, ...conversation }): Conversation => ({
        ...conversation,
        lastMessage: lastMessages.get(key) ?? null,
        lastSeq: lastSeqs.get(key) ?? 0,
      }),
    );
    return { items };
  },
};
