import { botClient } from "../bot-client.ts";
import type { Command } from "../command.ts";
import { credentials, withCredentials } from "../settings.ts";
import { columns, print, printable, printableJson } from "../terminal.ts";
import { uploadInput } from "../upload-input.ts";

/** `portico upload`: uploads a file as a bot and prints its fileKey. */
export const upload: Command = {
  name: "upload",
  summary: "Upload a file as a bot, to be sent or shown in a card",
  usage: "portico upload FILE [OPTIONS]",
  notes: `A file may have 20 MiB. Its fileKey can be sent by the same app until the time shown, and no longer.`,
  examples: ["portico upload report.pdf", "portico upload 4711.bin --name photo.png --type image/png"],
  configure: (command) =>
    withCredentials(
      command
        .argument("<FILE>")
        .option("--name <NAME>", "the file's name (default: the last part of its path)")
        .option("--type <MIME>", "its type (default: what the extension stands for)")
        .option("--json", "print the answer's value as JSON"),
    ).action(async (file, values) => {
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
    }),
};
