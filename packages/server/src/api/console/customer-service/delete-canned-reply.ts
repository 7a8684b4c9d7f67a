import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { deleteReply } from "../../../domain/customer-service/canned-replies.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";
import { accepted, editingBy } from "./reply-editing.ts";

/** DELETE apps/{appId}/canned-replies/{replyId}. */
export const deleteCannedReply: ConsoleRoute<typeof CONSOLE_ENDPOINTS.deleteCannedReply> = {
  endpoint: CONSOLE_ENDPOINTS.deleteCannedReply,
  async handle(ctx, call) {
    checkCustomerApp(call.app, "cannedReplies");
    const editing = editingBy(ctx, call);
    accepted(await ctx.storage.write((tx) => deleteReply(tx, editing, call.params.replyId)));
    return null;
  },
};
