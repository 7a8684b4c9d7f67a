import type { AgentStatusAnswer } from "@portico/protocol";
import type { Command } from "../command.ts";
import { CUSTOMER_ADVICE, customerApi, printValue, withCustomerOptions } from "../customer.ts";

/** `portico customer agent`: shows whether an agent is online. */
export const customerAgent: Command = {
  name: "customer agent",
  summary: "Show whether an agent is online",
  usage: "portico customer agent ACCOUNT [OPTIONS]",
  examples: ["portico customer agent anna"],
  advice: CUSTOMER_ADVICE,
  configure: (command) =>
    withCustomerOptions(command.argument("<ACCOUNT>")).action(async (agentId, values) => {
      const agent = await (await customerApi(values)).getAgentStatus(agentId);
      printValue(values.json, agent, [
        ["agent", agent.exists ? `${agentId} (${agent.agentName})` : `${agentId} is no agent of this app`],
        ["status", agent.status],
        ["online", agent.exists ? onlineLine(agent) : null],
        ["sessions", agent.exists ? agent.activeSessions : null],
      ]);
    }),
};

/** Whether an agent is online, and if not, why: the status alone does not decide it. */
function onlineLine({ online, status }: AgentStatusAnswer): string {
  if (online) return "yes";
  if (status !== "ONLINE") return `no: they are set to ${status}; agents go online in their desk`;
  return "no: they are set to ONLINE, but their desk has sent no heartbeat for 45 s; is it open?";
}
