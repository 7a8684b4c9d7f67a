import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import type { ClientRoute } from "../../common/member-route.ts";
import { checkOwn } from "../desk-access.ts";
import type { DeskWorkParts } from "../parts.ts";
import { changeSession } from "./change-session.ts";

/** POST .../close: by the session's agent, or by any agent while it is QUEUED. A closed session does not change. */
export const closeSession: ClientRoute<typeof DESK_ENDPOINTS.closeSession, DeskWorkParts> = {
  endpoint: DESK_ENDPOINTS.closeSession,
  handle: (ctx, call) =>
    changeSession(ctx, call, async ({ desk, agent, session }) => {
      checkOwn(session, agent);
      return await desk.close(session, agent.agentId, call.body.reason || null);
    }),
};
