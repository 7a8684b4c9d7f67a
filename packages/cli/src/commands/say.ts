import type { Command } from "../command.ts";
import { readText, STANDARD_INPUT } from "../input.ts";
import { MEMBER_ADVICE } from "../member-advice.ts";
import { memberApi } from "../member-api.ts";
import { memberLogin, withMember } from "../member-settings.ts";
import { collect } from "../option-kinds.ts";
import { print, printableJson } from "../terminal.ts";

/** `portico say`: writes a message as a member, so that a bot has something to answer. */
export const say: Command = {
  name: "say",
  summary: "Write a message as a member",
  usage: "portico say group:ID|bot:APP_ID TEXT [--mention ACCOUNT...] [OPTIONS]",
  notes: `TEXT - is standard input. In a group a bot gets only what mentions it: by its appId.`,
  examples: [
    'portico say bot:app_demo_bot "Hello"',
    'portico say group:g_demo "@Demo bot, is it green?" --mention app_demo_bot',
  ],
  tooMany: "; put quotes around the text",
  asMember: true,
  advice: MEMBER_ADVICE,
  configure: (command) =>
    withMember(
      command
        .argument("<CONVERSATION>")
        .argument("<TEXT>")
        .option("--mention <ACCOUNT>", "mention a bot by its appId, or a member by username; may be repeated", collect)
        .option("--client-message-id <ID>", "idempotency key: the same one never writes twice")
        .option("--json", "print the answer's value as JSON"),
    ).action(async (conversationId, argument, values) => {
      const text = argument === STANDARD_INPUT ? (await readText(argument)).replace(/\r?\n$/, "") : argument;
      const { mention: mentions, clientMessageId } = values;
      const api = await memberApi(await memberLogin(values));
      const body = { msgType: "text", content: { text, mentions }, clientMessageId };
      const posted = await api.postMessage({ params: { conversationId }, body });
      const { messageId, msgSeq } = posted;
      print(values.json ? printableJson(JSON.stringify(posted)) : `messageId ${messageId}  msgSeq ${msgSeq}`);
    }),
};
