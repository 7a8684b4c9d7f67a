import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { dismissAgent } from "../../../domain/customer-service/agent-presence.ts";
import { findAgentByUserId } from "../../../domain/customer-service/agent-store.ts";
import type { DeskParts } from "../../../domain/customer-service/at-desk.ts";
import { atDesk } from "../../../domain/customer-service/at-desk.ts";
import { findMemberByUsername } from "../../../domain/directory/member-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** DELETE apps/{appId}/agents/{username}: the agent's sessions go back to the head of the queue. */
export const removeAgent: ConsoleRoute<typeof CONSOLE_ENDPOINTS.removeAgent, DeskParts> = {
  endpoint: CONSOLE_ENDPOINTS.removeAgent,
  async handle(ctx, { app, tenantId, params, audit }) {
    const { appId } = app;
    checkCustomerApp(app, "agents");
    const userId = await atDesk(ctx, appId, async (desk, tx) => {
      await desk.lock();
      const member = await findMemberByUsername(tx, tenantId, params.username);
      const agent = member && (await findAgentByUserId(tx, appId, member.userId));
      if (agent === null) throw new ConsoleError("APP_AGENT_NOT_FOUND");
      await dismissAgent(desk, tx, { appId, agent, now: ctx.clock.now() });
      await audit(tx, {
        action: "agent.remove",
        target: `agent:${agent.userId}`,
        appId,
        tenantId,
        before: { agentId: agent.agentId, name: agent.agentName, maxSessions: agent.maxSessions },
        after: null,
      });
      return agent.userId;
    });
    ctx.deskLive.agentsChanged(appId, [userId]);
    return null;
  },
};
