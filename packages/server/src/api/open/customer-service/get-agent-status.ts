import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { countActiveSessions, findAgent, toAgentState } from "../../../domain/customer-service/agent-store.ts";
import type { OpenRoute } from "../gate/open-route.ts";

/** GET /api/open/v1/agent/status: an agent's status; the account may be unknown. */
export const getAgentStatus: OpenRoute<typeof OPEN_ENDPOINTS.getAgentStatus> = {
  endpoint: OPEN_ENDPOINTS.getAgentStatus,
  async handle(_ctx, db, { app, query, now }) {
    const agent = await findAgent(db, app.appId, query.agentId);
    if (agent === null) return { exists: false, online: false, agentName: null, status: null, activeSessions: 0 };
    const { online, agentName, status } = toAgentState(agent, now);
    const activeSessions = await countActiveSessions(db, app.appId, agent.userId);
    return { exists: true, online, agentName, status, activeSessions };
  },
};
