import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { actOnCard } from "./act-on-card.ts";
import { clientApi } from "./client-route.ts";
import { confirmQr } from "./confirm-qr.ts";
import { createMiniappCode } from "./create-miniapp-code.ts";
import { installBot } from "./install-bot.ts";
import { listBots } from "./list-bots.ts";
import { listChanges } from "./list-changes.ts";
import { listConversations } from "./list-conversations.ts";
import { listMessages } from "./list-messages.ts";
import { login } from "./login.ts";
import { postMessage } from "./post-message.ts";
import { scanQr } from "./scan-qr.ts";
import { uninstallBot } from "./uninstall-bot.ts";
import { uploadFile } from "./upload-file.ts";

/** The members' client API. */
export function messengerRoutes(ctx: Context) {
  return async (server: FastifyInstance) => {
    await server.register(
      clientApi(ctx, (add) => {
        add(login);
        add(listConversations);
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
  };
}
