import type { Command } from "../command.ts";
import {
  CUSTOMER_ADVICE,
  customerApi,
  printValue,
  sessionIdOf,
  sessionRows,
  withCustomerOptions,
} from "../customer.ts";

/** `portico customer assign`: assigns a session to an agent. */
export const customerAssign: Command = {
  name: "customer assign",
  summary: "Give a session to an agent, or to whoever is free",
  usage: "portico customer assign SESSION_ID [OPTIONS]",
  examples: ["portico customer assign 42", "portico customer assign 42 --agent anna"],
  advice: CUSTOMER_ADVICE,
  configure: (command) =>
    withCustomerOptions(
      command
        .argument("<SESSION_ID>")
        .option("--agent <ACCOUNT>", "the agent, be they online or not; else, whoever is free"),
    ).action(async (id, values) => {
      const sessionId = sessionIdOf(id);
      const session = await (await customerApi(values)).assignAgent({ sessionId, agentId: values.agent });
      printValue(values.json, session, [...sessionRows(session), ["agent before", session.previousAgentId]]);
    }),
};
