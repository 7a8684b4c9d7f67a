import { ApiError, type Member } from "@portico/protocol";
import { type DeskAgent, findAgentByUserId } from "../../domain/customer-service/agent-store.ts";
import { sessionIdOf } from "../../domain/customer-service/session-id.ts";
import { findSession, type SessionRow } from "../../domain/customer-service/session-store.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { AgentParts } from "./parts.ts";

/** An agent at the desk of an application. */
export interface AtDesk {
  appId: string;
  agent: DeskAgent;
}

/**
 * The calling agent, at the desk in the path.
 *
 * @throws ApiError 400008 when the member is no agent of the application, 400005 when the application is not ACTIVE.
 */
export async function agentAt({ apps }: AgentParts, db: Db, member: Member, appId: string): Promise<AtDesk> {
  const agent = await findAgentByUserId(db, appId, member.userId);
  if (agent === null) throw new ApiError("NOT_AN_AGENT");
  if ((await apps.find(appId))?.status !== "ACTIVE") throw new ApiError("APP_NOT_ACTIVE");
  return { appId, agent };
}

/**
 * The session in the path.
 *
 * @throws ApiError 400300 when the application has no such session.
 */
export async function sessionAt(db: Db, appId: string, sessionId: string): Promise<SessionRow> {
  const id = sessionIdOf(sessionId);
  const session = id === null ? null : await findSession(db, appId, id);
  if (session === null) throw new ApiError("SESSION_NOT_FOUND");
  return session;
}

/** @throws ApiError 400008 when the session belongs to another agent; any agent may use a queued one. */
export function checkOwn(session: SessionRow, { userId }: Pick<DeskAgent, "userId">): void {
  if (session.status === "ACTIVE" && session.agentUserId !== userId) throw notOwn();
}

/** The error for actions that only the session's agent may do. */
export function notOwn(): ApiError {
  return new ApiError("SESSION_OF_OTHER_AGENT");
}
