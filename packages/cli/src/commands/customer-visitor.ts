import { parseArgs } from "node:util";
import { type Command, onlyArgument } from "../command.ts";
import {
  CUSTOMER_ADVICE,
  CUSTOMER_OPTIONS,
  CUSTOMER_OPTIONS_HELP,
  customerApi,
  printValue,
  timeOrNull,
} from "../customer.ts";
import { isoTime } from "../terminal.ts";

/** `portico customer visitor`: what is known of a visitor. */
export const customerVisitor: Command = {
  name: "customer visitor",
  summary: "Show what is known of a visitor",
  usage: "portico customer visitor VISITOR_ID [OPTIONS]",
  help: CUSTOMER_OPTIONS_HELP,
  advice: CUSTOMER_ADVICE,
  async run(args) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: CUSTOMER_OPTIONS });
    const visitorId = onlyArgument(positionals, "VISITOR_ID");
    const visitor = await (await customerApi(values)).getVisitor(visitorId);
    printValue(values.json, visitor, [
      ["visitor", visitor.visitorId],
      ["your id", visitor.thirdUserId],
      ["nickname", visitor.nickname || null],
      ["phone", visitor.phone || null],
      ["email", visitor.email || null],
      ["status", visitor.status === 0 ? "disabled" : "enabled"],
      ["online", visitor.online ? "yes" : "no"],
      ["last seen", timeOrNull(visitor.lastSeenAt)],
      ["created", isoTime(visitor.createdAt)],
      ["open session", visitor.currentSessionId],
    ]);
  },
};
