import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { requireVisitor } from "../../../domain/customer-service/require.ts";
import { findOpenSession } from "../../../domain/customer-service/session-store.ts";
import { toVisitor } from "../../../domain/customer-service/visitor-store.ts";
import type { OpenRoute } from "../gate/open-route.ts";

/** GET /api/open/v1/visitor/info. */
export const getVisitor: OpenRoute<typeof OPEN_ENDPOINTS.getVisitor> = {
  endpoint: OPEN_ENDPOINTS.getVisitor,
  holdsJsonText: true,
  async handle(_ctx, db, { app, query, now }) {
    const visitor = await requireVisitor(db, app.appId, query.visitorId);
    const session = await findOpenSession(db, visitor.visitorId);
    return { ...toVisitor(visitor, now), currentSessionId: session?.sessionId ?? null };
  },
};
