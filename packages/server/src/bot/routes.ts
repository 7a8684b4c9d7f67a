import type { Context } from "../context.ts";
import { openApi } from "../gate/open-route.ts";
import { listApps } from "./list-apps.ts";
import { listInstallations } from "./list-installations.ts";
import { sendMessage } from "./send-message.ts";

/** The bot part of the open API (spec.md, "Bot V2"). */
export function botRoutes(ctx: Context) {
  return openApi(ctx, (add) => {
    add(sendMessage);
    add(listInstallations);
    add(listApps);
  });
}
