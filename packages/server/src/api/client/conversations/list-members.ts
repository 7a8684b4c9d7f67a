import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { openConversation, parseConversationId } from "../../../domain/conversations/conversation-access.ts";
import { findParticipants } from "../../../domain/conversations/conversation-members.ts";
import type { ClientRoute } from "../../common/member-route.ts";

const DEFAULT_LIMIT = 20;

/** GET conversations/{id}/members: whom a message there may mention, for completion while it is written. */
export const listMembers: ClientRoute<typeof CLIENT_ENDPOINTS.listMembers> = {
  endpoint: CLIENT_ENDPOINTS.listMembers,
  async handle({ storage }, { member, params, query }) {
    const named = parseConversationId(member, params.conversationId);
    await openConversation(storage.db, member, named);
    const { prefix = "", keyword = "", limit = DEFAULT_LIMIT } = query;
    const { kind, id } = named;
    return {
      items: await findParticipants(storage.lists, { kind, id, userId: member.userId }, { prefix, keyword, limit }),
    };
  },
};
