import type { Command } from "../command.ts";
import { CUSTOMER_ADVICE, customerApi, printValue, sessionIdOf, withCustomerOptions } from "../customer.ts";
import { readText, STANDARD_INPUT } from "../input.ts";

/** `portico customer send`: sends a message from or to a visitor. */
export const customerSend: Command = {
  name: "customer send",
  summary: "Send a text for a visitor, or to one for an agent",
  usage: "portico customer send VISITOR_ID TEXT [OPTIONS]",
  notes: `For TEXT, - is standard input, without its last line feed.`,
  examples: [
    'portico customer send vis_1 "Where is my order?"',
    'portico customer send vis_1 --agent anna "It is on its way"',
  ],
  advice: CUSTOMER_ADVICE,
  tooMany: "; put quotes around the text",
  configure: (command) =>
    withCustomerOptions(
      command
        .argument("<VISITOR_ID>")
        .argument("<TEXT>")
        .option("--agent <ACCOUNT>", "it is what this agent says to the visitor; else, what the visitor says")
        .option(
          "--session <ID>",
          "only into this session; else, into the open one, and a new one if none is",
          (text: string) => sessionIdOf(text, "--session"),
        )
        .option("--third-msg-id <ID>", "idempotency key: the same one never sends twice"),
    ).action(async (visitorId, text, values) => {
      const customer = await customerApi(values);
      const content = text === STANDARD_INPUT ? (await readText(text)).replace(/\r?\n$/, "") : text;
      const said = { visitorId, content, sessionId: values.session, thirdMsgId: values.thirdMsgId };
      const { agent } = values;
      const sent = await (agent === undefined
        ? customer.sendMessage(said)
        : customer.sendAgentMessage({ ...said, agentId: agent }));
      printValue(values.json, sent, [
        ["message", sent.messageId],
        ["session", sent.sessionId],
        ["seq", sent.seq],
        ["duplicate", sent.isDuplicate ? "yes: this id was sent before" : null],
      ]);
    }),
};
