import type { Context } from "../context.ts";
import { clientApi } from "../messenger/client-route.ts";
import { acceptSession } from "./accept-session.ts";
import { chooseStatus } from "./choose-status.ts";
import { closeSession } from "./close-session.ts";
import { listApps } from "./list-apps.ts";
import { listMessages } from "./list-messages.ts";
import { listSessions } from "./list-sessions.ts";
import { markRead } from "./mark-read.ts";
import { postMessage } from "./post-message.ts";
import { transferSession } from "./transfer-session.ts";

/** The agents' API (docs/contract/customer-service.md#the-desk). They upload files with the members' client API. */
export function deskRoutes(ctx: Context) {
  return clientApi(ctx, (add) => {
    add(listApps);
    add(chooseStatus);
    add(listSessions);
    add(acceptSession);
    add(closeSession);
    add(transferSession);
    add(listMessages);
    add(postMessage);
    add(markRead);
  });
}
