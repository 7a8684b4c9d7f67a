import { WidgetSessionSchema } from "@portico/protocol/schemas";
import { listNewestSessions, toSession } from "../../domain/customer-service/session-store.ts";
import { toVisitor } from "../../domain/customer-service/visitor-store.ts";
import type { WidgetRoute } from "./widget-route.ts";

/** GET /api/widget/v1/session: who the visitor is, and their open session, else their newest. */
export const readSession: WidgetRoute<never, never, typeof WidgetSessionSchema> = {
  method: "GET",
  url: "/api/widget/v1/session",
  summary: "Read who the visitor is, and their newest session",
  value: WidgetSessionSchema,
  async handle({ storage, clock }, { visitor }) {
    const [newest] = await listNewestSessions(storage.db, visitor.visitorId, 1);
    const { extra: _, ...shown } = toVisitor(visitor, clock.now());
    return { visitor: shown, session: newest === undefined ? null : await toSession(storage.db, newest) };
  },
};
