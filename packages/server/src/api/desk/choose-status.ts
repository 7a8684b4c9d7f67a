import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { changeStatus } from "../../domain/customer-service/agent-presence.ts";
import { countActiveSessions, toAgentState } from "../../domain/customer-service/agent-store.ts";
import { atDesk } from "../../domain/customer-service/at-desk.ts";
import type { ClientRoute } from "../common/member-route.ts";
import { agentAt } from "./desk-access.ts";
import type { DeskWorkParts } from "./parts.ts";

/** PUT /api/desk/v1/apps/{appId}/status: sets the agent's chosen status; it does not count as a heartbeat. */
export const chooseStatus: ClientRoute<typeof DESK_ENDPOINTS.chooseStatus, DeskWorkParts> = {
  endpoint: DESK_ENDPOINTS.chooseStatus,
  async handle(ctx, { member, params, body }) {
    const { appId } = await agentAt(ctx, ctx.storage.db, member, params.appId);
    return await atDesk(ctx, appId, async (desk, tx) => {
      await desk.lock();
      const now = ctx.clock.now();
      const { agent } = await agentAt(ctx, tx, member, appId);
      const chosen = await changeStatus(
        desk,
        tx,
        { appId, userId: member.userId },
        { agent, status: body.status, now },
      );
      const activeSessions = await countActiveSessions(tx, appId, member.userId);
      return { ...toAgentState(chosen, now), maxSessions: chosen.maxSessions, activeSessions };
    });
  },
};
