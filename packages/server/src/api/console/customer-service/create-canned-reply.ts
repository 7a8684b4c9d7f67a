import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { createReply } from "../../../domain/customer-service/canned-replies.ts";
import { checkNotBlank } from "../../../domain/customer-service/message-content.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";
import { accepted, editingBy } from "./reply-editing.ts";

/** POST apps/{appId}/canned-replies. */
export const createCannedReply: ConsoleRoute<typeof CONSOLE_ENDPOINTS.createCannedReply> = {
  endpoint: CONSOLE_ENDPOINTS.createCannedReply,
  stores: true,
  async handle(ctx, call) {
    checkCustomerApp(call.app, "cannedReplies");
    checkNotBlank("text", call.body.text);
    const editing = editingBy(ctx, call);
    return accepted(await ctx.storage.write((tx) => createReply(tx, editing, call.body)));
  },
};
