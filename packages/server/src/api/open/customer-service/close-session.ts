import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeskParts } from "../../../domain/customer-service/at-desk.ts";
import { deskLane } from "../../../domain/customer-service/at-desk.ts";
import { requiredSessionId } from "../../../domain/customer-service/session-id.ts";
import { findSession } from "../../../domain/customer-service/session-store.ts";
import { toSession } from "../../../domain/customer-service/session-view.ts";
import { brokenRule } from "../../../platform/errors/refusal.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import { deskOf } from "./open-desk.ts";

/** POST /api/open/v1/session/close. A closed session does not change. */
export const closeSession: OpenRoute<typeof OPEN_ENDPOINTS.closeSession, DeskParts> = {
  endpoint: OPEN_ENDPOINTS.closeSession,
  lane: ({ app }) => deskLane(app.appId),
  async handle(ctx, tx, call) {
    const { appId } = call.app;
    const sessionId = requiredSessionId(call.body.sessionId);
    const desk = deskOf(ctx, tx, call);
    await desk.lock();
    const session = sessionId === null ? null : await findSession(tx, appId, sessionId);
    if (session === null) throw brokenRule("session-not-closed", { pointer: "/sessionId" });
    const alreadyClosed = session.status === "CLOSED";
    const closed = alreadyClosed ? session : await desk.close(session, appId, call.body.reason || null);
    return { ...(await toSession(tx, closed)), alreadyClosed };
  },
};
