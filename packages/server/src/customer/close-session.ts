import { ClosedSessionSchema, CloseSessionBodySchema } from "@portico/protocol/schemas";
import type { OpenRoute } from "../gate/open-route.ts";
import { brokenRule } from "../http/refusal.ts";
import { deskLane } from "./desk.ts";
import { deskOf } from "./open-desk.ts";
import { requiredSessionId } from "./session-id.ts";
import { findSession, toSession } from "./session-store.ts";

/** POST /api/open/v1/session/close. A session that is closed stays as it is. */
export const closeSession: OpenRoute<typeof CloseSessionBodySchema, never, typeof ClosedSessionSchema> = {
  method: "POST",
  url: "/api/open/v1/session/close",
  summary: "Close a session",
  scope: "customer.session.manage",
  body: CloseSessionBodySchema,
  value: ClosedSessionSchema,
  lane: ({ app }) => deskLane(app.appId),
  async handle(ctx, tx, call) {
    const { appId } = call.app;
    const sessionId = requiredSessionId(call.body.sessionId);
    const desk = deskOf(ctx, tx, call);
    await desk.hold();
    const session = sessionId === null ? null : await findSession(tx, appId, sessionId);
    if (session === null) throw brokenRule("session-not-closed", { pointer: "/sessionId" });
    const alreadyClosed = session.status === "CLOSED";
    const closed = alreadyClosed ? session : await desk.close(session, appId, call.body.reason || null);
    return { ...(await toSession(tx, closed)), alreadyClosed };
  },
};
