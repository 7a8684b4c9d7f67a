import type { Command } from "../command.ts";
import {
  CUSTOMER_ADVICE,
  customerApi,
  printValue,
  sessionIdOf,
  sessionRows,
  withCustomerOptions,
} from "../customer.ts";

/** `portico customer session`: shows a session. */
export const customerSession: Command = {
  name: "customer session",
  summary: "Show a session",
  usage: "portico customer session SESSION_ID [OPTIONS]",
  examples: ["portico customer session 42"],
  advice: CUSTOMER_ADVICE,
  configure: (command) =>
    withCustomerOptions(command.argument("<SESSION_ID>")).action(async (id, values) => {
      const sessionId = sessionIdOf(id);
      const session = await (await customerApi(values)).getSession(sessionId);
      printValue(values.json, session, sessionRows(session));
    }),
};
