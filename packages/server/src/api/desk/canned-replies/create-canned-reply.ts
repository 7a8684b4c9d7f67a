import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { createReply } from "../../../domain/customer-service/canned-replies.ts";
import { checkNotBlank } from "../../../domain/customer-service/message-content.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { DeskReadParts } from "../parts.ts";
import { accepted, editingBy } from "./reply-editing.ts";

/** POST apps/{appId}/canned-replies. */
export const createCannedReply: ClientRoute<typeof DESK_ENDPOINTS.createCannedReply, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.createCannedReply,
  stores: true,
  async handle(ctx, call) {
    checkNotBlank("text", call.body.text);
    const editing = await editingBy(ctx, call);
    return accepted(await ctx.storage.write((tx) => createReply(tx, editing, call.body)));
  },
};
