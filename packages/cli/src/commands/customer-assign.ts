import { parseArgs } from "node:util";
import { type Command, onlyArgument } from "../command.ts";
import {
  CUSTOMER_ADVICE,
  CUSTOMER_OPTIONS,
  CUSTOMER_OPTIONS_HELP,
  customerApi,
  printValue,
  sessionIdOf,
  sessionRows,
} from "../customer.ts";

/** `portico customer assign`: gives a session to an agent. */
export const customerAssign: Command = {
  name: "customer assign",
  summary: "Give a session to an agent, or to whoever is free",
  usage: "portico customer assign SESSION_ID [OPTIONS]",
  help: `  --agent ACCOUNT   the agent, be they online or not; else, whoever is free
${CUSTOMER_OPTIONS_HELP}`,
  advice: CUSTOMER_ADVICE,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...CUSTOMER_OPTIONS, agent: { type: "string" } },
    });
    const sessionId = sessionIdOf(onlyArgument(positionals, "SESSION_ID"));
    const session = await (await customerApi(values)).assignAgent({ sessionId, agentId: values.agent });
    printValue(values.json, session, [...sessionRows(session), ["agent before", session.previousAgentId]]);
  },
};
