import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { openConversation, parseConversationId } from "../../../domain/conversations/conversation-access.ts";
import { markRead as mark } from "../../../domain/conversations/read-marks.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { LiveParts } from "../../common/parts.ts";

/** PUT conversations/{id}/read: the member has read up to here, which the member's streams are told; a mark never moves back. */
export const markRead: ClientRoute<typeof CLIENT_ENDPOINTS.markRead, LiveParts> = {
  endpoint: CLIENT_ENDPOINTS.markRead,
  async handle({ storage, live }, { member, params, body }) {
    const { conversationId } = params;
    const { conversationKey } = await openConversation(storage.db, member, parseConversationId(member, conversationId));
    const { moved, readSeq } = await mark(storage, member.userId, conversationKey, body.seq);
    if (moved) live.read(member.userId, { conversationId, seq: readSeq });
    return { readSeq };
  },
};
