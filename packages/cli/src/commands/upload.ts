import { parseArgs } from "node:util";
import { botClient } from "../bot-client.ts";
import { type Command, onlyArgument } from "../command.ts";
import { CREDENTIAL_HELP, CREDENTIAL_OPTIONS, credentials } from "../settings.ts";
import { columns, print, printable, printableJson } from "../terminal.ts";
import { uploadInput } from "../upload-input.ts";

/** `portico upload`: uploads a file as a bot, for its fileKey. */
export const upload: Command = {
  name: "upload",
  summary: "Upload a file as a bot, to be sent or shown in a card",
  usage: "portico upload FILE [OPTIONS]",
  help: `  --name NAME   the file's name (default: the last part of its path)
  --type MIME   its type (default: what the extension stands for)
  --json        print the answer's value as JSON
A file may have 20 MiB. Its fileKey can be sent by the same app until the time shown, and no longer.

${CREDENTIAL_HELP}`,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...CREDENTIAL_OPTIONS,
        name: { type: "string" },
        type: { type: "string" },
        json: { type: "boolean" },
      },
    });
    const file = onlyArgument(positionals, "FILE");
    const { bot } = botClient(await credentials(values));
    const uploaded = await uploadInput(bot, file, { fileName: values.name, mimeType: values.type });
    if (values.json) return print(printableJson(JSON.stringify(uploaded)));
    const { fileKey, fileName, size, mimeType, expiresAt } = uploaded;
    const rows = [
      ["fileKey", fileKey],
      ["name", fileName],
      ["size", `${size} bytes`],
      ["type", mimeType],
      ["until", new Date(expiresAt).toISOString()],
    ] as const;
    print(...columns(rows).map(printable));
  },
};
