import type { CustomerMessage } from "@portico/sdk";
import { type Command, wholeNumber } from "../command.ts";
import { CUSTOMER_ADVICE, customerApi, sessionIdOf, withCustomerOptions } from "../customer.ts";
import { textOf } from "../json.ts";
import { numberFor } from "../option-kinds.ts";
import { print, printable, printableJson } from "../terminal.ts";

/** `portico customer messages`: lists the messages of a visitor and the agents. */
export const customerMessages: Command = {
  name: "customer messages",
  summary: "List a visitor's messages",
  usage: "portico customer messages VISITOR_ID [OPTIONS]",
  examples: ["portico customer messages vis_1 --page 2", "portico customer messages vis_1 --after 17 --json"],
  advice: CUSTOMER_ADVICE,
  configure: (command) =>
    withCustomerOptions(
      command
        .argument("<VISITOR_ID>")
        .option("--session <ID>", "only those of this session", (text: string) => sessionIdOf(text, "--session"))
        .option("--after <SEQ>", "only those after this one", placeOf)
        .option("--page <N>", "a page of the list, oldest first (default 1)", numberFor("--page")),
    ).action(async (visitorId, values) => {
      const { session: sessionId, after: afterSeq, page = 1 } = values;
      const customer = await customerApi(values);
      const list = await customer.listMessages({ visitorId, sessionId, afterSeq, page, pageSize: PAGE_SIZE });
      if (values.json) return print(printableJson(JSON.stringify(list)));
      if (list.total === 0) return print("no messages");
      const pages = Math.ceil(list.total / PAGE_SIZE);
      print(...list.records.map(lineOf), "", `page ${page} of ${pages}; ${list.total} in all`);
    }),
};

const PAGE_SIZE = 20;

function placeOf(text: string): number {
  return text === "0" ? 0 : wholeNumber(text, "--after", "a whole number from 0 on");
}

/** `seq name: text`; continuation lines are indented, so that none can imitate another message. */
function lineOf({ seq, senderType, agentId, msgType, content }: CustomerMessage): string {
  const name = printable(agentId ?? senderType.toLowerCase()).replaceAll("\n", " ");
  const text = typeof content === "string" ? content : `[${msgType}] ${textOf(content, "fileName") ?? ""}`.trimEnd();
  return `${seq}  ${name}: ${printable(text).replaceAll("\n", "\n    ")}`;
}
