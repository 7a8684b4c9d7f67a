import type { Context } from "../context.ts";
import { clientApi } from "./client-route.ts";
import { listConversations } from "./list-conversations.ts";
import { listMessages } from "./list-messages.ts";
import { login } from "./login.ts";
import { postMessage } from "./post-message.ts";

/** The members' client API (design, section 10). */
export function messengerRoutes(ctx: Context) {
  return clientApi(ctx, (add) => {
    add(login);
    add(listConversations);
    add(listMessages);
    add(postMessage);
  });
}
