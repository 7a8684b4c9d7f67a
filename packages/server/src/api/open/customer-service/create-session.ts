import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeskParts } from "../../../domain/customer-service/at-desk.ts";
import { deskLane } from "../../../domain/customer-service/at-desk.ts";
import { requireAgent, requireEnabledVisitor } from "../../../domain/customer-service/require.ts";
import { toSession } from "../../../domain/customer-service/session-view.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import { API_SOURCE, deskOf } from "./open-desk.ts";

/** POST /api/open/v1/session/create: returns the visitor's open session, or opens one. */
export const createSession: OpenRoute<typeof OPEN_ENDPOINTS.createSession, DeskParts> = {
  endpoint: OPEN_ENDPOINTS.createSession,
  lane: ({ app }) => deskLane(app.appId),
  async handle(ctx, tx, call) {
    const { appId } = call.app;
    const { visitorId, agentId, source, subject } = call.body;
    const desk = deskOf(ctx, tx, call);
    // Must precede the agent's lookup: an agent removed in between would keep a session that nobody returns to the
    // queue.
    await desk.lock();
    await requireEnabledVisitor(tx, appId, visitorId);
    const agentUserId = agentId ? (await requireAgent(tx, appId, agentId)).userId : null;
    const wanted = { source: source || API_SOURCE, subject: subject ?? "", agentUserId };
    const { session, isExisting } = await desk.open(visitorId, wanted);
    return { ...(await toSession(tx, session)), isExisting };
  },
};
