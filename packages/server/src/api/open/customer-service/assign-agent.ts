import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { findAgent } from "../../../domain/customer-service/agent-store.ts";
import type { DeskParts } from "../../../domain/customer-service/at-desk.ts";
import { deskLane } from "../../../domain/customer-service/at-desk.ts";
import type { Desk } from "../../../domain/customer-service/desk.ts";
import { requiredSessionId, sessionIdOf } from "../../../domain/customer-service/session-id.ts";
import { findSession, type SessionRow } from "../../../domain/customer-service/session-store.ts";
import { toSession } from "../../../domain/customer-service/session-view.ts";
import { SharedSnapshots } from "../../../domain/customer-service/shared-snapshots.ts";
import { brokenRule, type Refusal } from "../../../platform/errors/refusal.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import { deskOf } from "./open-desk.ts";

/** Approximately the spread of arrival times of concurrent calls, in milliseconds. */
const GATHER_MS = 25;

/**
 * POST /api/open/v1/agent/assign: assigns a session to an agent, online or not, or to any free agent. Of concurrent
 * calls for one session, one succeeds: a call is refused when the session has changed between its arrival and its
 * transaction.
 */
export function assignAgent(): OpenRoute<typeof OPEN_ENDPOINTS.assignAgent, DeskParts, SessionRow | null> {
  const snapshots = new SharedSnapshots<SessionRow | null>(GATHER_MS);
  const sessionKey = (appId: string, sessionId: unknown) => `${appId} ${sessionIdOf(sessionId)}`;
  return {
    endpoint: OPEN_ENDPOINTS.assignAgent,
    preload({ app, body }, ctx) {
      const sessionId = sessionIdOf(body.sessionId);
      const read = async () => (sessionId === null ? null : await findSession(ctx.storage.db, app.appId, sessionId));
      return snapshots.enter(sessionKey(app.appId, body.sessionId), read);
    },
    release: ({ app, body }) => snapshots.leave(sessionKey(app.appId, body.sessionId)),
    lane: ({ app }) => deskLane(app.appId),
    async handle(ctx, tx, call) {
      const { app, body, preloaded } = call;
      requiredSessionId(body.sessionId);
      if (preloaded === null) throw assignmentFailed("session-unknown");
      const desk = deskOf(ctx, tx, call);
      await desk.lock();
      const session = await findSession(tx, app.appId, preloaded.sessionId);
      if (session === null) throw assignmentFailed("session-unknown");
      if (session.status === "CLOSED") throw assignmentFailed("session-closed");
      if (session.version !== preloaded.version) throw assignmentFailed("session-changed");
      const agentId = body.agentId || null;
      const assigned = await give(tx, desk, session, agentId);
      if (assigned === null) throw assignmentFailed(agentId === null ? "nobody-free" : "agent-unknown");
      return { ...(await toSession(tx, assigned)), previousAgentId: session.agentId };
    },
  };
}

/** Null when the application has no such agent, or no agent is free. */
async function give(tx: Db, desk: Desk, session: SessionRow, agentId: string | null): Promise<SessionRow | null> {
  if (agentId === null) return await desk.assignToAnyone(session);
  const agent = await findAgent(tx, session.appId, agentId);
  return agent === null ? null : await desk.assign(session, agent.userId);
}

type Failure = "session-unknown" | "session-closed" | "session-changed" | "agent-unknown" | "nobody-free";

function assignmentFailed(problem: Failure): Refusal {
  const pointer = problem.startsWith("session") ? "/sessionId" : "/agentId";
  return brokenRule("assignment-failed", { pointer, facts: { problem } });
}
