import { ApiError } from "@portico/protocol";
import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeskParts } from "../../domain/customer-service/at-desk.ts";
import { atDesk } from "../../domain/customer-service/at-desk.ts";
import { findSession, listNewestSessions, type SessionRow } from "../../domain/customer-service/session-store.ts";
import { toSession } from "../../domain/customer-service/session-view.ts";
import type { VisitorRow } from "../../domain/customer-service/visitor-store.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { WidgetRoute } from "./widget-route.ts";

/** POST /api/widget/v1/rating: the visitor rates a session, once. */
export const rateSession: WidgetRoute<typeof WIDGET_ENDPOINTS.rateSession, DeskParts> = {
  endpoint: WIDGET_ENDPOINTS.rateSession,
  handle(ctx, { visitor, body }) {
    const comment = body.comment?.trim() || null;
    return atDesk(ctx, visitor.appId, async (desk, tx) => {
      const session = await sessionToRate(tx, visitor, body.sessionId ?? null);
      if (!(await desk.rate(session, body.rating, comment))) throw new ApiError("SESSION_ALREADY_RATED");
      const rated = await findSession(tx, visitor.appId, session.sessionId);
      if (rated === null) throw new Error("what was just rated is not there");
      return await toSession(tx, rated);
    });
  },
};

/** @throws ApiError 400300 when the visitor has no such session; 400008 when a later one has been closed. */
async function sessionToRate(tx: Db, { appId, visitorId }: VisitorRow, sessionId: number | null): Promise<SessionRow> {
  const [newest, second] = await listNewestSessions(tx, visitorId, 2);
  if (newest === undefined) throw new ApiError("SESSION_NOT_FOUND");
  if (sessionId === null || sessionId === newest.sessionId) return newest;
  if (sessionId === second?.sessionId && newest.status !== "CLOSED") return second;
  const older = await findSession(tx, appId, sessionId);
  if (older?.visitorId === visitorId) throw new ApiError("SESSION_NOT_RATABLE");
  throw new ApiError("SESSION_NOT_FOUND");
}
