import { VisitorInfoQuerySchema, VisitorInfoSchema } from "@portico/protocol/schemas";
import { knownVisitor } from "../../../domain/customer-service/known.ts";
import { findOpenSession } from "../../../domain/customer-service/session-store.ts";
import { toVisitor } from "../../../domain/customer-service/visitor-store.ts";
import type { OpenRoute } from "../gate/open-route.ts";

/** GET /api/open/v1/visitor/info. */
export const readVisitor: OpenRoute<never, typeof VisitorInfoQuerySchema, typeof VisitorInfoSchema> = {
  method: "GET",
  url: "/api/open/v1/visitor/info",
  summary: "Read a visitor",
  scope: "customer.visitor.manage",
  query: VisitorInfoQuerySchema,
  value: VisitorInfoSchema,
  holdsJsonText: true,
  async handle(_ctx, db, { app, query, now }) {
    const visitor = await knownVisitor(db, app.appId, query.visitorId);
    const session = await findOpenSession(db, visitor.visitorId);
    return { ...toVisitor(visitor, now), currentSessionId: session?.sessionId ?? null };
  },
};
