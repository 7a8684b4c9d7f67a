import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { deleteReply } from "../../../domain/customer-service/canned-replies.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { DeskReadParts } from "../parts.ts";
import { accepted, editingBy } from "./reply-editing.ts";

/** DELETE apps/{appId}/canned-replies/{replyId}; answers with what it was. */
export const deleteCannedReply: ClientRoute<typeof DESK_ENDPOINTS.deleteCannedReply, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.deleteCannedReply,
  async handle(ctx, call) {
    const editing = await editingBy(ctx, call);
    return accepted(await ctx.storage.write((tx) => deleteReply(tx, editing, call.params.replyId)));
  },
};
