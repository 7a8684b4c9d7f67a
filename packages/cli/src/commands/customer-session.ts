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

/** `portico customer session`: how a session stands. */
export const customerSession: Command = {
  name: "customer session",
  summary: "Show a session",
  usage: "portico customer session SESSION_ID [OPTIONS]",
  help: CUSTOMER_OPTIONS_HELP,
  advice: CUSTOMER_ADVICE,
  async run(args) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: CUSTOMER_OPTIONS });
    const sessionId = sessionIdOf(onlyArgument(positionals, "SESSION_ID"));
    const session = await (await customerApi(values)).getSession(sessionId);
    printValue(values.json, session, sessionRows(session));
  },
};
