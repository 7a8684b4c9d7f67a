import { fault } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { lockApp } from "../../../domain/applications/locked-app.ts";
import {
  countAgents,
  DEFAULT_MAX_SESSIONS,
  findAgentByUserId,
  insertAgent,
} from "../../../domain/customer-service/agent-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireActiveMember } from "../../common/console/require-member.ts";
import type { DeskLiveParts } from "../parts.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** The most agents per application. */
const MAX_AGENTS = 1_000;

/** POST apps/{appId}/agents: makes a member an agent. Repeating it changes nothing. */
export const addAgent: ConsoleRoute<typeof CONSOLE_ENDPOINTS.addAgent, DeskLiveParts> = {
  endpoint: CONSOLE_ENDPOINTS.addAgent,
  async handle(ctx, { app, tenantId, body, audit }) {
    const { appId } = app;
    checkCustomerApp(app, "agents");
    const { agent, userId } = await ctx.storage.write(async (tx) => {
      // The lock prevents concurrent additions while the agents are counted.
      await lockApp(tx, appId);
      const { userId, username, name } = await requireActiveMember(tx, tenantId, body.username);
      const known = await findAgentByUserId(tx, appId, userId);
      const agent = { agentId: username, name, maxSessions: known?.maxSessions ?? DEFAULT_MAX_SESSIONS };
      if (!(await insertAgent(tx, appId, userId))) return { agent, userId };
      if ((await countAgents(tx, appId)) > MAX_AGENTS)
        throw new ConsoleError(fault("AGENTS_TOO_MANY", { max: MAX_AGENTS }));
      await audit(tx, {
        action: "agent.add",
        target: `agent:${userId}`,
        appId,
        tenantId,
        before: null,
        after: agent,
      });
      return { agent, userId };
    });
    ctx.deskLive.agentsChanged(appId, [userId]);
    return agent;
  },
};
