import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { updateReply } from "../../../domain/customer-service/canned-replies.ts";
import { checkNotBlank } from "../../../domain/customer-service/message-content.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";
import { accepted, editingBy } from "./reply-editing.ts";

/** PATCH apps/{appId}/canned-replies/{replyId}. */
export const updateCannedReply: ConsoleRoute<typeof CONSOLE_ENDPOINTS.updateCannedReply> = {
  endpoint: CONSOLE_ENDPOINTS.updateCannedReply,
  stores: true,
  async handle(ctx, call) {
    checkCustomerApp(call.app, "cannedReplies");
    if (call.body.text !== undefined) checkNotBlank("text", call.body.text);
    const editing = editingBy(ctx, call);
    return accepted(await ctx.storage.write((tx) => updateReply(tx, editing, call.params.replyId, call.body)));
  },
};
