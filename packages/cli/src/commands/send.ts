import { parseArgs } from "node:util";
import type { SendMessageRequest } from "@portico/sdk";
import { botClient } from "../bot-client.ts";
import { type Command, messageIdOf, UsageError } from "../command.ts";
import { CONTENT_HELP, CONTENT_OPTIONS, draftOf, messageOf } from "../outgoing-message.ts";
import { sentLine } from "../sent-line.ts";
import { CREDENTIAL_HELP, CREDENTIAL_OPTIONS, credentials } from "../settings.ts";
import { print, printableJson } from "../terminal.ts";

const RECEIVE_ID_TYPES = { group: "group_id", user: "user_id" } as const;

/** `portico send`: sends a message as a bot. */
export const send: Command = {
  name: "send",
  summary: "Send a text, card, picture, file or post as a bot",
  usage: "portico send --to group:ID|user:ID [OPTIONS] WHAT",
  help: `  --to group:ID|user:ID    the conversation; the bot must be installed in it
  --reply-to MESSAGE_ID    answer this message, which was delivered to the bot in that conversation
  --mention ACCOUNT        mention a member, by username or user id; may be repeated
  --client-message-id ID   idempotency key: the same one never sends twice
  --json                   print the answer's value as JSON

${CONTENT_HELP}

${CREDENTIAL_HELP}`,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...CREDENTIAL_OPTIONS,
        ...CONTENT_OPTIONS,
        to: { type: "string" },
        "reply-to": { type: "string" },
        mention: { type: "string", multiple: true },
        "client-message-id": { type: "string" },
        json: { type: "boolean" },
      },
    });
    const receiver = receiverOf(values.to);
    const parent = values["reply-to"] === undefined ? null : messageIdOf(values["reply-to"], "--reply-to");
    const draft = draftOf(values, positionals);
    const { bot } = botClient(await credentials(values));
    const message = await messageOf(bot, draft, values.mention);
    const request = { ...receiver, ...message, clientMessageId: values["client-message-id"] };
    const sent = await (parent === null ? bot.sendMessage(request) : bot.reply({ ...request, messageId: parent }));
    print(values.json ? printableJson(JSON.stringify(sent)) : sentLine(sent));
  },
};

function receiverOf(to: string | undefined): Pick<SendMessageRequest, "receiveIdType" | "receiveId"> {
  if (to === undefined) throw new UsageError("--to is missing");
  const match = /^(group|user):(.+)$/s.exec(to);
  if (match === null) throw new UsageError("--to must be group:ID or user:ID");
  const [, kind, receiveId = ""] = match;
  return { receiveIdType: RECEIVE_ID_TYPES[kind === "group" ? "group" : "user"], receiveId };
}
