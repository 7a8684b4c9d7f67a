import type { SendMessageRequest } from "@portico/sdk";
import { botClient } from "../bot-client.ts";
import { type Command, messageIdOf, UsageError } from "../command.ts";
import { collect } from "../option-kinds.ts";
import { draftOf, messageOf, withContent } from "../outgoing-message.ts";
import { sentLine } from "../sent-line.ts";
import { credentials, withCredentials } from "../settings.ts";
import { print, printableJson } from "../terminal.ts";

const RECEIVE_ID_TYPES = { group: "group_id", user: "user_id" } as const;

/** `portico send`: sends a message as a bot. */
export const send: Command = {
  name: "send",
  summary: "Send a text, card, picture, file or post as a bot",
  usage: "portico send --to group:ID|user:ID [OPTIONS] WHAT",
  examples: [
    'portico send --to group:g_demo "Build 7 passed"',
    "portico send --to user:u_alice --card card.json",
    "git log -1 | portico send --to group:g_demo -",
  ],
  tooMany: "; put quotes around the text",
  configure: (command) =>
    withCredentials(
      withContent(
        command
          .option("--to <group:ID|user:ID>", "the conversation; the bot must be installed in it")
          .option(
            "--reply-to <MESSAGE_ID>",
            "answer this message, which was delivered to the bot in that conversation",
            (text: string) => messageIdOf(text, "--reply-to"),
          )
          .option("--mention <ACCOUNT>", "mention a member, by username or user id; may be repeated", collect)
          .option("--client-message-id <ID>", "idempotency key: the same one never sends twice")
          .option("--json", "print the answer's value as JSON"),
      ),
    ).action(async (text, values) => {
      const receiver = receiverOf(values.to);
      const { replyTo: parent } = values;
      const draft = draftOf(text, values);
      const { bot } = botClient(await credentials(values));
      const message = await messageOf(bot, draft, values.mention);
      const request = { ...receiver, ...message, clientMessageId: values.clientMessageId };
      const sent = await (parent === undefined
        ? bot.sendMessage(request)
        : bot.reply({ ...request, messageId: parent }));
      print(values.json ? printableJson(JSON.stringify(sent)) : sentLine(sent));
    }),
};

function receiverOf(to: string | undefined): Pick<SendMessageRequest, "receiveIdType" | "receiveId"> {
  if (to === undefined) throw new UsageError("--to is missing");
  const match = /^(group|user):(.+)$/s.exec(to);
  if (match === null) throw new UsageError("--to must be group:ID or user:ID");
  const [, kind, receiveId = ""] = match;
  return { receiveIdType: RECEIVE_ID_TYPES[kind === "group" ? "group" : "user"], receiveId };
}
