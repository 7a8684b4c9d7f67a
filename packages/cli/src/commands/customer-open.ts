import { parseArgs } from "node:util";
import { type Command, onlyArgument } from "../command.ts";
import {
  CUSTOMER_ADVICE,
  CUSTOMER_OPTIONS,
  CUSTOMER_OPTIONS_HELP,
  customerApi,
  printValue,
  sessionRows,
} from "../customer.ts";

/** `portico customer open`: opens a session for a visitor. */
export const customerOpen: Command = {
  name: "customer open",
  summary: "Open a session for a visitor, or show the one that is open",
  usage: "portico customer open VISITOR_ID [OPTIONS]",
  help: `  --agent ACCOUNT   give it to this agent; else, to whoever is free, or it waits in the queue
  --source TEXT     where the visitor comes from
  --subject TEXT    what it is about
${CUSTOMER_OPTIONS_HELP}`,
  advice: CUSTOMER_ADVICE,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...CUSTOMER_OPTIONS,
        agent: { type: "string" },
        source: { type: "string" },
        subject: { type: "string" },
      },
    });
    const visitorId = onlyArgument(positionals, "VISITOR_ID");
    const { agent: agentId, source, subject } = values;
    const session = await (await customerApi(values)).createSession({ visitorId, agentId, source, subject });
    printValue(values.json, session, [...sessionRows(session), ["new", session.isExisting ? "no" : "yes"]]);
  },
};
