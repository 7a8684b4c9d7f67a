import { parseArgs } from "node:util";
import { type Command, UsageError } from "../command.ts";
import {
  CUSTOMER_ADVICE,
  CUSTOMER_OPTIONS,
  CUSTOMER_OPTIONS_HELP,
  customerApi,
  printValue,
  sessionIdOf,
} from "../customer.ts";
import { readText, STANDARD_INPUT } from "../input.ts";

/** `portico customer send`: says something for a visitor, or to one. */
export const customerSend: Command = {
  name: "customer send",
  summary: "Send a text for a visitor, or to one for an agent",
  usage: "portico customer send VISITOR_ID TEXT [OPTIONS]",
  help: `  --agent ACCOUNT     it is what this agent says to the visitor; else, what the visitor says
  --session ID        only into this session; else, into the open one, and a new one if none is
  --third-msg-id ID   idempotency key: the same one never sends twice
${CUSTOMER_OPTIONS_HELP}
For TEXT, - is standard input, without its last line feed.`,
  advice: CUSTOMER_ADVICE,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...CUSTOMER_OPTIONS,
        agent: { type: "string" },
        session: { type: "string" },
        "third-msg-id": { type: "string" },
      },
    });
    const [visitorId, text, ...more] = positionals;
    if (visitorId === undefined) throw new UsageError("VISITOR_ID is missing");
    if (text === undefined) throw new UsageError("TEXT is missing");
    if (more.length > 0) throw new UsageError(`${more.length} arguments too many; put quotes around the text`);
    const sessionId = values.session === undefined ? undefined : sessionIdOf(values.session, "--session");
    const customer = await customerApi(values);
    const content = text === STANDARD_INPUT ? (await readText(text)).replace(/\r?\n$/, "") : text;
    const said = { visitorId, content, sessionId, thirdMsgId: values["third-msg-id"] };
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
  },
};
