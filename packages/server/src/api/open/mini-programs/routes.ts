import { openApi } from "../gate/open-api.ts";
import type { OpenContext } from "../parts.ts";
import { openMiniappSession } from "./open-miniapp-session.ts";

/** The mini-program part of the open API (docs/contract/mini-programs.md). */
export function miniappRoutes(ctx: OpenContext) {
  return openApi(ctx, (add) => {
    add(openMiniappSession);
  });
}
