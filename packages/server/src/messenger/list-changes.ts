import { ChangeListSchema, ChangesQuerySchema } from "@portico/protocol/schemas";
import type { ClientRoute } from "./client-route.ts";
import { openConversation, readConversationId } from "./conversation-access.ts";
import { readChanges } from "./message-view.ts";

const DEFAULT_LIMIT = 50;

/** GET /api/client/v1/conversations/{id}/changes, in the order they happened (design, section 10). */
export const listChanges: ClientRoute<never, typeof ChangesQuerySchema, typeof ChangeListSchema> = {
  method: "GET",
  url: "/api/client/v1/conversations/:conversationId/changes",
  summary: "Read what happened in a conversation since a place in it",
  query: ChangesQuerySchema,
  value: ChangeListSchema,
  async handle(ctx, { member, params, query }) {
    const { db } = ctx.storage;
    const named = readConversationId(member, params.conversationId ?? "");
    const { conversationKey } = await openConversation(db, member, named);
    const { afterSeq = 0, limit = DEFAULT_LIMIT } = query;
    return { items: await readChanges(db, conversationKey, { afterSeq, limit }) };
  },
};
