import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { listAgentsApps } from "../../domain/customer-service/agent-apps-store.ts";
import { countActiveSessions, findAgentByUserId, toAgentState } from "../../domain/customer-service/agent-store.ts";
import { countQueued } from "../../domain/customer-service/session-view.ts";
import type { ClientRoute } from "../common/member-route.ts";

/** GET /api/desk/v1/apps: the ACTIVE applications that the member is an agent of. */
export const listApps: ClientRoute<typeof DESK_ENDPOINTS.listApps> = {
  endpoint: DESK_ENDPOINTS.listApps,
  async handle({ storage, clock }, { member }) {
    const { db } = storage;
    const items = [];
    for (const { appId, name } of await listAgentsApps(db, member.userId)) {
      const agent = await findAgentByUserId(db, appId, member.userId);
      if (agent === null) continue;
      const { status, online } = toAgentState(agent, clock.now());
      const activeSessions = await countActiveSessions(db, appId, member.userId);
      const queued = await countQueued(db, appId);
      items.push({ appId, name, status, online, maxSessions: agent.maxSessions, activeSessions, queued });
    }
    return { items };
  },
};
