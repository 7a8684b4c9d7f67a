import { ApiError } from "@portico/protocol";
import { DeskSessionSchema } from "@portico/protocol/schemas";
import type { ClientRoute } from "../../common/member-route.ts";
import { changeSession } from "./change-session.ts";

/**
 * POST .../accept: takes a session out of the queue. Of all who accept it one wins. An agent may so have more than
 * they would be given, and need not be ONLINE.
 */
export const acceptSession: ClientRoute<never, never, typeof DeskSessionSchema> = {
  method: "POST",
  url: "/api/desk/v1/apps/:appId/sessions/:sessionId/accept",
  summary: "Take a session out of the queue",
  value: DeskSessionSchema,
  handle: (ctx, call) =>
    changeSession(ctx, call, async ({ desk, agent, session }) => {
      if (session.status !== "QUEUED") throw new ApiError("ASSIGNMENT_FAILED");
      return await desk.assign(session, agent.userId);
    }),
};
