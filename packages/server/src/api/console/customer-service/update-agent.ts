import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { changeMaxSessions } from "../../../domain/customer-service/agent-presence.ts";
import { findAgentByUserId } from "../../../domain/customer-service/agent-store.ts";
import type { DeskParts } from "../../../domain/customer-service/at-desk.ts";
import { atDesk } from "../../../domain/customer-service/at-desk.ts";
import { findMemberByUsername } from "../../../domain/directory/member-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** PATCH apps/{appId}/agents/{username}: sets the maximum of concurrent sessions; an agent who has more keeps them. */
export const updateAgent: ConsoleRoute<typeof CONSOLE_ENDPOINTS.updateAgent, DeskParts> = {
  endpoint: CONSOLE_ENDPOINTS.updateAgent,
  async handle(ctx, { app, tenantId, params, body, audit }) {
    const { appId } = app;
    checkCustomerApp(app, "agents");
    const { maxSessions } = body;
    return await atDesk(ctx, appId, async (desk, tx) => {
      await desk.lock();
      const member = await findMemberByUsername(tx, tenantId, params.username);
      const agent = member && (await findAgentByUserId(tx, appId, member.userId));
      if (agent === null) throw new ConsoleError("APP_AGENT_NOT_FOUND");
      const { userId, agentId, agentName: name } = agent;
      const edited = { agentId, name, maxSessions };
      if (maxSessions === agent.maxSessions) return edited;
      await changeMaxSessions(desk, tx, { appId, userId }, maxSessions);
      await audit(tx, {
        action: "agent.update",
        target: `agent:${userId}`,
        appId,
        tenantId,
        before: { maxSessions: agent.maxSessions },
        after: { maxSessions },
      });
      return edited;
    });
  },
};
