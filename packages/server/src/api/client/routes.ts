import type { FastifyInstance } from "fastify";
import { clientApi } from "../common/member-route.ts";
import { signInPages } from "../common/oidc/sign-in-pages.ts";
import { changePassword } from "./account/change-password.ts";
import { endAllSessions } from "./account/end-all-sessions.ts";
import { endOtherSessions } from "./account/end-other-sessions.ts";
import { endSession } from "./account/end-session.ts";
import { listSessions } from "./account/list-sessions.ts";
import { installBot } from "./bots/install-bot.ts";
import { listBots } from "./bots/list-bots.ts";
import { uninstallBot } from "./bots/uninstall-bot.ts";
import { actOnCard } from "./cards/act-on-card.ts";
import { listConversations } from "./conversations/list-conversations.ts";
import { listMembers } from "./conversations/list-members.ts";
import { markRead } from "./conversations/mark-read.ts";
import { listChanges } from "./messages/list-changes.ts";
import { listMessages } from "./messages/list-messages.ts";
import { postMessage } from "./messages/post-message.ts";
import { uploadFile } from "./messages/upload-file.ts";
import { createMiniappCode } from "./mini-programs/create-miniapp-code.ts";
import type { ClientContext } from "./parts.ts";
import { confirmQr } from "./sign-in/confirm-qr.ts";
import { getSignInMethods } from "./sign-in/get-sign-in-methods.ts";
import { login } from "./sign-in/login.ts";
import { logout } from "./sign-in/logout.ts";
import { memberSignInPages } from "./sign-in/oidc-pages.ts";
import { refresh } from "./sign-in/refresh.ts";
import { scanQr } from "./sign-in/scan-qr.ts";

/** The members' client API. */
export function messengerRoutes(ctx: ClientContext) {
  return async (server: FastifyInstance) => {
    await server.register(
      clientApi(ctx, (add) => {
        add(getSignInMethods);
        add(login);
        add(refresh);
        add(logout);
        add(changePassword());
        add(endAllSessions);
        add(listSessions);
        add(endSession);
        add(endOtherSessions);
        add(listConversations);
        add(markRead());
        add(listMembers);
        add(listMessages);
        add(listChanges);
        add(postMessage);
        add(actOnCard);
        add(uploadFile);
        add(listBots);
        add(installBot);
        add(uninstallBot);
        add(createMiniappCode);
        add(scanQr);
        add(confirmQr);
      }),
    );
    await server.register(signInPages(ctx, memberSignInPages(ctx)));
  };
}
