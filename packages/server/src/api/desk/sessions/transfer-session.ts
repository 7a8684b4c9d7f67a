import { ApiError } from "@portico/protocol";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { findAgent } from "../../../domain/customer-service/agent-store.ts";
import { isBlank } from "../../../domain/customer-service/message-content.ts";
import { storeNote } from "../../../domain/customer-service/store-note.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { checkOwn } from "../desk-access.ts";
import type { DeskWorkParts } from "../parts.ts";
import { changeSession } from "./change-session.ts";

/**
 * POST .../transfer: assigns a session to another agent, online or not; by the session's agent, or by any agent while
 * it is QUEUED. The agents are told of the note first, so that it is there when the session comes.
 */
export const transferSession: ClientRoute<typeof DESK_ENDPOINTS.transferSession, DeskWorkParts> = {
  endpoint: DESK_ENDPOINTS.transferSession,
  stores: true,
  handle: (ctx, call) =>
    changeSession(ctx, call, async ({ desk, tx, appId, agent, session }) => {
      if (session.status === "CLOSED") throw new ApiError("ASSIGNMENT_FAILED");
      checkOwn(session, agent);
      const other = await findAgent(tx, appId, call.body.agentId);
      if (other === null || other.disabled) throw new ApiError("ASSIGNMENT_FAILED");
      // Whose it is already is given nothing, and no note either.
      if (session.status === "ACTIVE" && session.agentUserId === other.userId) return session;
      const { sessionId, visitorId } = session;
      const text = call.body.note ?? "";
      if (!isBlank(text)) {
        const note = { appId, visitorId, sessionId, agentUserId: agent.userId, clientNoteId: null, text };
        await storeNote(tx, desk, { ...note, now: ctx.clock.now() });
      }
      return await desk.assign(session, other.userId);
    }),
};
