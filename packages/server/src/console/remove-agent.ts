import { deleteAgent } from "../customer/agent-store.ts";
import { findMemberByUsername } from "../directory/member-store.ts";
import { ConsoleError } from "./console-error.ts";
import { type ConsoleRoute, NO_CONTENT } from "./console-route.ts";
import { checkCustomerApp } from "./customer-app.ts";

/** DELETE apps/{appId}/agents/{username}. */
export const removeAgent: ConsoleRoute<never, never, typeof NO_CONTENT> = {
  method: "DELETE",
  url: "/apps/:appId/agents/:username",
  summary: "Have an agent no longer serve an application's visitors",
  access: "owner",
  tenant: true,
  value: NO_CONTENT,
  async handle(ctx, { app, tenantId, params, audit }) {
    const { appId } = app;
    checkCustomerApp(app);
    await ctx.storage.write(async (tx) => {
      const member = await findMemberByUsername(tx, tenantId, params.username ?? "");
      if (member === null || !(await deleteAgent(tx, appId, member.userId))) throw new ConsoleError(404, "客服不存在");
      await audit(tx, {
        action: "agent.remove",
        target: `agent:${member.userId}`,
        appId,
        tenantId,
        before: { agentId: member.username, name: member.name },
        after: null,
      });
    });
    return null;
  },
};
