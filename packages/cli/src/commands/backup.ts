import type { BackupReport } from "@portico/server";
import { abortable } from "../abortable.ts";
import { backupLines } from "../backup-lines.ts";
import type { Command } from "../command.ts";
import { withOperatorWords } from "../operator-words.ts";
import { serverModule } from "../server-module.ts";
import { complain, print, printJson } from "../terminal.ts";

/** `portico backup FILE`: writes everything that an embedded service stores to one file. */
export const backup: Command = {
  name: "backup",
  summary: "Write the service's database, files and master key to one file",
  usage: "portico backup FILE [--json]",
  notes: `For a service without PostgreSQL, which may be running: all that it acknowledged before is in FILE, which must not exist yet.
Set PORTICO_BACKUP_PASSPHRASE, or PORTICO_BACKUP_PASSPHRASE_FILE to a file with it, to have the master key in it too,
sealed; it has 12 characters or more. Without the key nobody can use the secrets in the database. Run it as the service's user and with its configuration.`,
  examples: ["PORTICO_BACKUP_PASSPHRASE_FILE=/etc/portico/passphrase portico backup /backup/portico-$(date +%F).tar"],
  configure: (command) =>
    command
      .argument("<FILE>")
      .option("--json", "print {schema, createdAt, hasKey, hasFiles, files, bytes, faulty: [blobKey]}")
      .action(async (file, { json = false }) => {
        const { backUp, backupPassphrase } = await serverModule("backup");
        const report: BackupReport = await withOperatorWords(() =>
          abortable((signal) =>
            backUp(file, process.env, { passphrase: backupPassphrase(process.env), progress: complain, signal }),
          ),
        );
        if (json) printJson(report);
        else print(...backupLines(`${file}: `, report));
        if (!report.hasKey) {
          complain(
            "The master key is NOT in it, since PORTICO_BACKUP_PASSPHRASE is not set: keep data/master.key, or the value of",
            "PORTICO_MASTER_KEY, somewhere else, or the secrets in this backup are lost with this machine.",
          );
        }
        if (!report.hasFiles) complain("Files are not in it: they are in S3, which has backups of its own.");
      }),
};
