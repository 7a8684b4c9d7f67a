import type { Context } from "../../common/context.ts";
import { openApi } from "../gate/open-route.ts";
import { openMiniappSession } from "./open-miniapp-session.ts";

/** The mini-program part of the open API (docs/contract/mini-programs.md). */
export function miniappRoutes(ctx: Context) {
  return openApi(ctx, (add) => {
    add(openMiniappSession);
  });
}
