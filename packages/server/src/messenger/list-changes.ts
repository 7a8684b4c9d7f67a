import { ChangeListSchema, ChangesQuerySchema } from "@portico/protocol/schemas";
import { PAGE_BYTES } from "../http/large-answers.ts";
import type { ClientRoute } from "./client-route.ts";
import { openConversation, readConversationId } from "./conversation-access.ts";
import { readChanges } from "./message-view.ts";
import { changesPage } from "./page-size.ts";

const DEFAULT_LIMIT = 50;

/** GET /api/client/v1/conversations/{id}/changes, in the order they happened; a page is shorter where contents are large (design, section 10). */
export const listChanges: ClientRoute<never, typeof ChangesQuerySchema, typeof ChangeListSchema> = {
  method: "GET",
  url: "/api/client/v1/conversations/:conversationId/changes",
  summary: "Read what happened in a conversation since a place in it",
  query: ChangesQuerySchema,
  value: ChangeListSchema,
  async handle({ storage: { db }, largeAnswers }, { member, params, query, room }) {
    const named = readConversationId(member, params.conversationId ?? "");
    const { conversationKey } = await openConversation(db, member, named);
    const { afterSeq = 0, limit: most = DEFAULT_LIMIT } = query;
    const { limit, bytes } = await changesPage(db, conversationKey, { afterSeq, limit: most, maxBytes: PAGE_BYTES });
    await room(bytes);
    return { items: await largeAnswers.read(bytes, () => readChanges(db, conversationKey, { afterSeq, limit })) };
  },
};
