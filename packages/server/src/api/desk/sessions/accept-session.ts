import { ApiError } from "@portico/protocol";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import type { ClientRoute } from "../../common/member-route.ts";
import type { DeskWorkParts } from "../parts.ts";
import { changeSession } from "./change-session.ts";

/**
 * POST .../accept: takes a session from the queue. Of concurrent calls, one succeeds. The agent may exceed the maximum
 * of sessions in this way, and need not be ONLINE.
 */
export const acceptSession: ClientRoute<typeof DESK_ENDPOINTS.acceptSession, DeskWorkParts> = {
  endpoint: DESK_ENDPOINTS.acceptSession,
  handle: (ctx, call) =>
    changeSession(ctx, call, async ({ desk, agent, session }) => {
      if (session.status !== "QUEUED") throw new ApiError("ASSIGNMENT_FAILED");
      return await desk.assign(session, agent.userId);
    }),
};
