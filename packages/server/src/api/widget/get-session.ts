import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { listNewestSessions } from "../../domain/customer-service/session-store.ts";
import { toSession } from "../../domain/customer-service/session-view.ts";
import { toVisitor } from "../../domain/customer-service/visitor-store.ts";
import type { WidgetRoute } from "./widget-route.ts";

/** GET /api/widget/v1/session: the visitor, and their open session or else the newest one. */
export const getSession: WidgetRoute<typeof WIDGET_ENDPOINTS.getSession> = {
  endpoint: WIDGET_ENDPOINTS.getSession,
  async handle({ storage, clock }, { visitor }) {
    const [newest] = await listNewestSessions(storage.db, visitor.visitorId, 1);
    const { extra: _, ...shown } = toVisitor(visitor, clock.now());
    return { visitor: shown, session: newest === undefined ? null : await toSession(storage.db, newest) };
  },
};
