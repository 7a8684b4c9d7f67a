import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { updateReply } from "../../../domain/customer-service/canned-replies.ts";
import { checkNotBlank } from "../../../domain/customer-service/message-content.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { DeskReadParts } from "../parts.ts";
import { accepted, editingBy } from "./reply-editing.ts";

/** PATCH apps/{appId}/canned-replies/{replyId}; a change to what it says already is none. */
export const updateCannedReply: ClientRoute<typeof DESK_ENDPOINTS.updateCannedReply, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.updateCannedReply,
  stores: true,
  async handle(ctx, call) {
    if (call.body.text !== undefined) checkNotBlank("text", call.body.text);
    const editing = await editingBy(ctx, call);
    return accepted(await ctx.storage.write((tx) => updateReply(tx, editing, call.params.replyId, call.body)));
  },
};
