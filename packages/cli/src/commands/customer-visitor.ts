import type { Command } from "../command.ts";
import { CUSTOMER_ADVICE, customerApi, printValue, timeOrNull, withCustomerOptions } from "../customer.ts";
import { isoTime } from "../terminal.ts";

/** `portico customer visitor`: shows a visitor. */
export const customerVisitor: Command = {
  name: "customer visitor",
  summary: "Show what is known of a visitor",
  usage: "portico customer visitor VISITOR_ID [OPTIONS]",
  examples: ["portico customer visitor vis_1"],
  advice: CUSTOMER_ADVICE,
  configure: (command) =>
    withCustomerOptions(command.argument("<VISITOR_ID>")).action(async (visitorId, values) => {
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
    }),
};
