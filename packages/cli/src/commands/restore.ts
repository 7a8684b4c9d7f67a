import { abortable } from "../abortable.ts";
import { backupLines } from "../backup-lines.ts";
import type { Command } from "../command.ts";
import { withOperatorWords } from "../operator-words.ts";
import { serverModule } from "../server-module.ts";
import { complain, print, printJson } from "../terminal.ts";

/** `portico restore FILE`: fills an empty data directory from a backup. */
export const restore: Command = {
  name: "restore",
  summary: "Fill an empty data directory from a backup",
  usage: "portico restore FILE [--json]",
  notes: `FILE is what \`portico backup\` wrote. All of it is checked first; a directory with anything in it is refused, and stays as it is.
If the master key is in FILE, PORTICO_BACKUP_PASSPHRASE (or PORTICO_BACKUP_PASSPHRASE_FILE) must be what it was sealed with.`,
  examples: ["PORTICO_DATA_DIR=/var/lib/portico portico restore /backup/portico-2026-11-23.tar"],
  configure: (command) =>
    command
      .argument("<FILE>")
      .option("--json", "print {schema, createdAt, hasKey, hasFiles, files, bytes, faulty: [blobKey]}")
      .action(async (file, { json = false }) => {
        const { restore: restoreFrom, backupPassphrase } = await serverModule("restore");
        const report = await withOperatorWords(() =>
          abortable((signal) =>
            restoreFrom(file, process.env, { passphrase: backupPassphrase(process.env), progress: complain, signal }),
          ),
        );
        if (json) printJson(report);
        else print(...backupLines("restored ", report));
        if (!report.hasKey) {
          complain(
            "The master key was not in it: put master.key into the data directory, or set PORTICO_MASTER_KEY, first.",
          );
        }
        complain("Start the service to use it; `portico check-store` looks at all of it once more.");
      }),
};
