import { ApiError } from "@portico/protocol";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { findAgent } from "../../../domain/customer-service/agent-store.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { checkOwn } from "../desk-access.ts";
import type { DeskWorkParts } from "../parts.ts";
import { changeSession } from "./change-session.ts";

/**
 * POST .../transfer: assigns a session to another agent, online or not; by the session's agent, or by any agent while
 * it is QUEUED.
 */
export const transferSession: ClientRoute<typeof DESK_ENDPOINTS.transferSession, DeskWorkParts> = {
  endpoint: DESK_ENDPOINTS.transferSession,
  handle: (ctx, call) =>
    changeSession(ctx, call, async ({ desk, tx, appId, agent, session }) => {
      if (session.status === "CLOSED") throw new ApiError("ASSIGNMENT_FAILED");
      checkOwn(session, agent);
      const other = await findAgent(tx, appId, call.body.agentId);
      if (other === null) throw new ApiError("ASSIGNMENT_FAILED");
      return await desk.assign(session, other.userId);
    }),
};
