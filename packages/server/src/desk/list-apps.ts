import { DeskAppListSchema } from "@portico/protocol/schemas";
import { countActiveSessions, findAgentByUserId, toAgentState } from "../customer/agent-store.ts";
import { countQueued } from "../customer/session-store.ts";
import type { ClientRoute } from "../messenger/client-route.ts";
import { listAgentsApps } from "./agent-apps-store.ts";

/** GET /api/desk/v1/apps: the ACTIVE applications whose visitors the member serves. */
export const listApps: ClientRoute<never, never, typeof DeskAppListSchema> = {
  method: "GET",
  url: "/api/desk/v1/apps",
  summary: "List the applications whose visitors the member serves",
  value: DeskAppListSchema,
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
