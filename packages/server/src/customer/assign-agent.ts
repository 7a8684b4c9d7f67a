import { ApiError } from "@portico/protocol";
import { AssignAgentBodySchema, AssignedSessionSchema } from "@portico/protocol/schemas";
import type { OpenRoute } from "../gate/open-route.ts";
import type { Db } from "../storage/schema.ts";
import { findAgent } from "./agent-store.ts";
import { Contests } from "./contests.ts";
import { type Desk, deskLane } from "./desk.ts";
import { deskOf } from "./open-desk.ts";
import { requiredSessionId, sessionIdOf } from "./session-id.ts";
import { findSession, type SessionRow, toSession } from "./session-store.ts";

/** About what a call takes to arrive. */
const GATHER_MS = 25;

/**
 * POST /api/open/v1/agent/assign: gives a session to an agent, there or not, or to whoever is free (design, section 8).
 *
 * Of calls for one session at the same time one wins: a call is refused when the session has changed between its arrival
 * and its turn.
 */
export function assignAgent(): OpenRoute<
  typeof AssignAgentBodySchema,
  never,
  typeof AssignedSessionSchema,
  SessionRow | null
> {
  const contests = new Contests<SessionRow | null>(GATHER_MS);
  const contestOf = (appId: string, sessionId: unknown) => `${appId} ${sessionIdOf(sessionId)}`;
  return {
    method: "POST",
    url: "/api/open/v1/agent/assign",
    summary: "Give a session to an agent",
    scope: "customer.session.manage",
    body: AssignAgentBodySchema,
    value: AssignedSessionSchema,
    arrive({ app, body }, ctx) {
      const sessionId = sessionIdOf(body.sessionId);
      const look = async () => (sessionId === null ? null : await findSession(ctx.storage.db, app.appId, sessionId));
      return contests.enter(contestOf(app.appId, body.sessionId), look);
    },
    leave: ({ app, body }) => contests.leave(contestOf(app.appId, body.sessionId)),
    lane: ({ app }) => deskLane(app.appId),
    async handle(ctx, tx, call) {
      const { app, body, seen } = call;
      requiredSessionId(body.sessionId);
      if (seen === null) throw assignmentFailed();
      const desk = deskOf(ctx, tx, call);
      await desk.hold();
      const session = await findSession(tx, app.appId, seen.sessionId);
      if (session === null || session.status === "CLOSED" || session.version !== seen.version) throw assignmentFailed();
      const assigned = await give(tx, desk, session, body.agentId || null);
      if (assigned === null) throw assignmentFailed();
      return { ...(await toSession(tx, assigned)), previousAgentId: session.agentId };
    },
  };
}

/** Null when the application has no such agent, or nobody is free. */
async function give(tx: Db, desk: Desk, session: SessionRow, agentId: string | null): Promise<SessionRow | null> {
  if (agentId === null) return await desk.assignToAnyone(session);
  const agent = await findAgent(tx, session.appId, agentId);
  return agent === null ? null : await desk.assign(session, agent.userId);
}

function assignmentFailed(): ApiError {
  return new ApiError("ASSIGNMENT_FAILED");
}
