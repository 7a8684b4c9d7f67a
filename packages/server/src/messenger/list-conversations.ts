import type { Conversation } from "@portico/protocol";
import { ConversationListSchema } from "@portico/protocol/schemas";
import { listBotsOf } from "../bot/installation-store.ts";
import { directKey, groupKey } from "../conversations/conversation-key.ts";
import { readLastSeqs } from "../conversations/message-store.ts";
import { listGroupsOf } from "../directory/group-store.ts";
import type { ClientRoute } from "./client-route.ts";
import { readLastMessages } from "./message-view.ts";

/** GET /api/client/v1/conversations: groups first, then bots (design, section 10). */
export const listConversations: ClientRoute<never, never, typeof ConversationListSchema> = {
  method: "GET",
  url: "/api/client/v1/conversations",
  summary: "List the member's conversations",
  value: ConversationListSchema,
  async handle(ctx, { member }) {
    const { db } = ctx.storage;
    const groups = (await listGroupsOf(db, member.userId)).map(({ groupId, name }) => ({
      key: groupKey(groupId),
      conversationId: `group:${groupId}`,
      chatType: "group" as const,
      name,
    }));
    const bots = (await listBotsOf(db, member.userId)).map(({ appId, name }) => ({
      key: directKey(appId, member.userId),
      conversationId: `bot:${appId}`,
      chatType: "user" as const,
      name,
    }));
    const conversations = [...groups, ...bots];
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
