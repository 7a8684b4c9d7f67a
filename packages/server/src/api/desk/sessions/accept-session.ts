import { ApiError } from "@portico/protocol";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import type { ClientRoute } from "../../common/member-route.ts";
import { changeSession } from "./change-session.ts";

/**
 * POST .../accept: takes a session out of the queue. Of all who accept it one wins. An agent may so have more than
 * they would be given, and need not be ONLINE.
 */
export const acceptSession: ClientRoute<typeof DESK_ENDPOINTS.acceptSession> = {
  endpoint: DESK_ENDPOINTS.acceptSession,
  handle: (ctx, call) =>
    changeSession(ctx, call, async ({ desk, agent, session }) => {
      if (session.status !== "QUEUED") throw new ApiError("ASSIGNMENT_FAILED");
      return await desk.assign(session, agent.userId);
    }),
};
