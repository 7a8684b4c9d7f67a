import type { Command } from "../command.ts";
import { CUSTOMER_ADVICE, customerApi, printValue, sessionRows, withCustomerOptions } from "../customer.ts";

/** `portico customer open`: opens a session for a visitor. */
export const customerOpen: Command = {
  name: "customer open",
  summary: "Open a session for a visitor, or show the one that is open",
  usage: "portico customer open VISITOR_ID [OPTIONS]",
  examples: ['portico customer open vis_1 --subject "An order that has not arrived"'],
  advice: CUSTOMER_ADVICE,
  configure: (command) =>
    withCustomerOptions(
      command
        .argument("<VISITOR_ID>")
        .option("--agent <ACCOUNT>", "give it to this agent; else, to whoever is free, or it waits in the queue")
        .option("--source <TEXT>", "where the visitor comes from")
        .option("--subject <TEXT>", "what it is about"),
    ).action(async (visitorId, values) => {
      const { agent: agentId, source, subject } = values;
      const session = await (await customerApi(values)).createSession({ visitorId, agentId, source, subject });
      printValue(values.json, session, [...sessionRows(session), ["new", session.isExisting ? "no" : "yes"]]);
    }),
};
