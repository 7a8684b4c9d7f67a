import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeskHub } from "../../domain/customer-service/desk-hub.ts";
import { endVisitorKey } from "../../domain/customer-service/visitor-keys.ts";
import { lockEnabledVisitor } from "../../domain/customer-service/visitor-store.ts";
import { endVisitorTokens } from "../../domain/customer-service/visitor-tokens.ts";
import type { RouteParts } from "../common/parts.ts";
import type { WidgetRoute } from "./widget-route.ts";

/** To end visitors' streams. */
interface VisitorSignOutParts extends RouteParts {
  deskLive: DeskHub;
}

/**
 * POST /api/widget/v1/auth/logout: ends all tokens and streams of the visitor, also those of an earlier page, which
 * somebody may have kept; other widgets of theirs ask for another token.
 */
export const signOut: WidgetRoute<typeof WIDGET_ENDPOINTS.signOut, VisitorSignOutParts> = {
  endpoint: WIDGET_ENDPOINTS.signOut,
  async handle({ storage, deskLive }, { visitor: { appId, visitorId } }) {
    await storage.write(async (tx) => {
      // A token that is being issued comes before, and is ended, or finds no key any more. A disabled visitor has no
      // tokens, and keeps the key, which tells their widget that they are disabled.
      if (!(await lockEnabledVisitor(tx, visitorId))) return;
      await endVisitorTokens(tx, visitorId);
      await endVisitorKey(tx, visitorId);
    });
    deskLive.visitorSignedOut(appId, visitorId);
    return {};
  },
};
