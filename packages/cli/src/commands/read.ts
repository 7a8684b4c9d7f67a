import type { Command } from "../command.ts";
import { type HistoryMessage, historyMessage, memberApi } from "../member-api.ts";
import { memberLogin, withMember } from "../member-settings.ts";
import { print, printable, printJson } from "../terminal.ts";

/** `portico read`: shows the latest messages of a conversation, as a member sees them. */
export const read: Command = {
  name: "read",
  summary: "Read a conversation as a member sees it",
  usage: "portico read group:ID|bot:APP_ID [OPTIONS]",
  examples: [
    "portico read group:g_demo",
    'portico read bot:app_demo_bot --tenant t_demo --user alice --password "$PASSWORD"',
  ],
  asMember: true,
  advice: {
    "400001": "Check tenant, username and password.",
    "400008": "Check the conversation's id, and that the member belongs to it.",
  },
  configure: (command) =>
    withMember(command.argument("<CONVERSATION>").option("--json", "print the answer's value as JSON")).action(
      async (conversationId, values) => {
        const api = await memberApi(await memberLogin(values));
        const history = await api.listMessages({ params: { conversationId } });
        if (values.json) return printJson(history);
        print(...history.items.map(historyMessage).map(lineOf));
      },
    ),
};

/** `name: text`; continuation lines are indented, so that none can imitate someone else's message. */
function lineOf(message: HistoryMessage): string {
  const name = printable(message.senderName).replaceAll("\n", " ");
  return `${name}: ${printable(contentOf(message)).replaceAll("\n", "\n    ")}`;
}

function contentOf({ msgType, recalled, text, fileName, cardTitle }: HistoryMessage): string {
  if (recalled) return "[recalled]";
  if (msgType === "text" && text !== undefined) return text;
  const name = fileName ?? cardTitle;
  return name === undefined ? `[${msgType}]` : `[${msgType}] ${name}`;
}
