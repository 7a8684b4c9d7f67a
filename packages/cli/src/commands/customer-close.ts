import type { Command } from "../command.ts";
import {
  CUSTOMER_ADVICE,
  customerApi,
  printValue,
  sessionIdOf,
  sessionRows,
  withCustomerOptions,
} from "../customer.ts";

/** `portico customer close`: closes a session. */
export const customerClose: Command = {
  name: "customer close",
  summary: "Close a session, for good",
  usage: "portico customer close SESSION_ID [OPTIONS]",
  examples: ['portico customer close 42 --reason "Solved by phone"'],
  advice: CUSTOMER_ADVICE,
  configure: (command) =>
    withCustomerOptions(command.argument("<SESSION_ID>").option("--reason <TEXT>", "why")).action(
      async (id, values) => {
        const sessionId = sessionIdOf(id);
        const session = await (await customerApi(values)).closeSession({ sessionId, reason: values.reason });
        const remark = session.alreadyClosed ? "it was closed already" : null;
        printValue(values.json, session, [...sessionRows(session), ["note", remark]]);
      },
    ),
};
