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

/** `portico customer close`: closes a session. */
export const customerClose: Command = {
  name: "customer close",
  summary: "Close a session, for good",
  usage: "portico customer close SESSION_ID [OPTIONS]",
  help: `  --reason TEXT   why
${CUSTOMER_OPTIONS_HELP}`,
  advice: CUSTOMER_ADVICE,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...CUSTOMER_OPTIONS, reason: { type: "string" } },
    });
    const sessionId = sessionIdOf(onlyArgument(positionals, "SESSION_ID"));
    const session = await (await customerApi(values)).closeSession({ sessionId, reason: values.reason });
    const remark = session.alreadyClosed ? "it was closed already" : null;
    printValue(values.json, session, [...sessionRows(session), ["note", remark]]);
  },
};
