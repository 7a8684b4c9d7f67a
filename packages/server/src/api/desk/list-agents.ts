import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { listDeskAgents, toAgentState } from "../../domain/customer-service/agent-store.ts";
import type { ClientRoute } from "../common/member-route.ts";
import { agentAt } from "./desk-access.ts";
import type { DeskReadParts } from "./parts.ts";

/** The approximate size of an agent. */
const AGENT_BYTES = 256;

/** GET apps/{appId}/agents: the agents with enabled accounts, by account, the caller included. */
export const listAgents: ClientRoute<typeof DESK_ENDPOINTS.listAgents, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.listAgents,
  async handle(ctx, { member, params, room }) {
    const { db } = ctx.storage;
    const { appId } = await agentAt(ctx, db, member, params.appId);
    const agents = await listDeskAgents(db, appId);
    await room(agents.length * AGENT_BYTES);
    const now = ctx.clock.now();
    const items = agents.map((agent) => {
      const { maxSessions, activeSessions } = agent;
      return { ...toAgentState(agent, now), maxSessions, activeSessions };
    });
    return { items };
  },
};
