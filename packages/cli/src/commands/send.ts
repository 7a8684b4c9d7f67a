import { parseArgs } from "node:util";
import { LIMITS } from "@portico/protocol";
import type { SendMessageRequest } from "@portico/sdk";
import { botClient } from "../bot-client.ts";
import { type Command, onlyArgument, UsageError } from "../command.ts";
import { CREDENTIAL_HELP, CREDENTIAL_OPTIONS, credentials } from "../settings.ts";
import { print } from "../terminal.ts";

const RECEIVE_ID_TYPES = { group: "group_id", user: "user_id" } as const;

/** `portico send`: sends a text message as a bot. */
export const send: Command = {
  name: "send",
  summary: "Send a text message as a bot",
  usage: "portico send --to group:ID|user:ID [OPTIONS] TEXT|-",
  help: `  --to group:ID|user:ID    the conversation; the bot must be installed in it
  --mention ACCOUNT        mention a member, by username or user id; may be repeated
  --client-message-id ID   idempotency key: the same one never sends twice
  --json                   print the answer's value as JSON
TEXT - is read from standard input, without its last line feed.

${CREDENTIAL_HELP}`,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...CREDENTIAL_OPTIONS,
        to: { type: "string" },
        mention: { type: "string", multiple: true },
        "client-message-id": { type: "string" },
        json: { type: "boolean" },
      },
    });
    const receiver = receiverOf(values.to);
    const argument = onlyArgument(positionals, "TEXT", "; put quotes around the text");
    const client = botClient(await credentials(values));
    const text = argument === "-" ? await readStandardInput() : argument;
    const sent = await client.bot.sendMessage({
      ...receiver,
      msgType: "text",
      content: { text, mentions: values.mention },
      clientMessageId: values["client-message-id"],
    });
    if (values.json) return print(JSON.stringify(sent));
    const duplicate = sent.duplicate ? "  (duplicate: this client message id was sent before)" : "";
    print(`messageId ${sent.messageId}  msgSeq ${sent.msgSeq}${duplicate}`);
  },
};

function receiverOf(to: string | undefined): Pick<SendMessageRequest, "receiveIdType" | "receiveId"> {
  if (to === undefined) throw new UsageError("--to is missing");
  const match = /^(group|user):(.+)$/s.exec(to);
  if (match === null) throw new UsageError("--to must be group:ID or user:ID");
  const [, kind, receiveId = ""] = match;
  return { receiveIdType: RECEIVE_ID_TYPES[kind === "group" ? "group" : "user"], receiveId };
}

/** Standard input as text, bounded by what the service takes in one request. */
async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += chunk.length;
    if (size > LIMITS.ordinaryBodyBytes) throw new UsageError(`the text is over ${LIMITS.ordinaryBodyBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, "");
  } catch {
    throw new UsageError("standard input is not UTF-8 text");
  }
}
