import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { sessionIdOf } from "../../../domain/customer-service/session-id.ts";
import { findSession } from "../../../domain/customer-service/session-store.ts";
import { toSession } from "../../../domain/customer-service/session-view.ts";
import { brokenRule } from "../../../platform/errors/refusal.ts";
import type { OpenRoute } from "../gate/open-route.ts";

/** GET /api/open/v1/session/info. */
export const getSession: OpenRoute<typeof OPEN_ENDPOINTS.getSession> = {
  endpoint: OPEN_ENDPOINTS.getSession,
  async handle(_ctx, db, { app, query }) {
    const sessionId = sessionIdOf(query.sessionId);
    const session = sessionId === null ? null : await findSession(db, app.appId, sessionId);
    if (session === null) throw brokenRule("session-unknown");
    return await toSession(db, session);
  },
};
