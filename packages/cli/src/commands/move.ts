import type { MoveReport } from "@portico/server";
import { abortable } from "../abortable.ts";
import type { Command } from "../command.ts";
import { withOperatorWords } from "../operator-words.ts";
import { serverModule } from "../server-module.ts";
import { columns, complain, print, printJson } from "../terminal.ts";

/** The most faulty files that are named. */
const NAMED = 10;

/** `portico move --to URL`: from SQLite to PostgreSQL. */
export const move: Command = {
  name: "move",
  summary: "Move an embedded service's store to PostgreSQL",
  usage: "portico move [--to postgres://…] [--json]",
  notes: `The service must be stopped, and the database at the destination empty. Everything goes over, and both sides are compared by
the content of every table. Interrupted at any moment, the same command continues; until it has ended nothing starts on either
side, and afterwards the service starts on PostgreSQL only. Contents of files stay in the data directory, or are copied and
compared with PORTICO_BLOBS_KIND=s3. Without --to the destination is PORTICO_DATABASE_URL or what PORTICO_DATABASE_URL_FILE
names, which others on this machine cannot read in the list of processes.`,
  examples: [
    "portico move --to postgres://portico@db.internal/portico",
    "PORTICO_DATABASE_URL_FILE=/etc/portico/database-url portico move",
  ],
  configure: (command) =>
    command
      .option("--to <URL>", "an empty database of PostgreSQL")
      .option(
        "--json",
        "print {to, isNew, tables: [{name, rows, hash}], replaced, files: {verified, bytes, faulty} or null}",
      )
      .action(async ({ to = null, json = false }) => {
        const { moveStore } = await serverModule("move");
        const report = await withOperatorWords(() =>
          abortable((signal) => moveStore(process.env, { to, progress: complain, signal })),
        );
        if (json) printJson(report);
        else tell(report);
        complain(
          "Start the service with PORTICO_DATABASE_URL, PORTICO_REDIS_URL and the same master key (PORTICO_MASTER_KEY_FILE may",
          "name data/master.key). The old data directory still has the files, unless they are in S3: keep PORTICO_DATA_DIR.",
        );
      }),
};

function tell({ to, isNew, tables, replaced, files }: MoveReport): void {
  if (!isNew) {
    print(`nothing to do: the store was moved to ${to} before`);
    return;
  }
  const filled = tables.filter(({ rows }) => rows > 0);
  print(...columns(filled.map(({ name, rows, hash }) => [name, `${rows} rows, ${hash.slice(0, 16)}`] as const)));
  const total = filled.reduce((sum, { rows }) => sum + rows, 0);
  print(`moved to ${to}: ${total} rows, the same on both sides`);
  if (replaced > 0) complain(`In ${replaced} texts the character NUL, which PostgreSQL cannot store, is U+FFFD now.`);
  if (files === null) return;
  print(`files: ${files.verified} are in the bucket, ${files.bytes} bytes`);
  if (files.faulty.length === 0) return;
  const more = files.faulty.length > NAMED ? [`  and ${files.faulty.length - NAMED} more`] : [];
  complain(
    `The content of ${files.faulty.length} files was missing or damaged already:`,
    ...files.faulty.slice(0, NAMED).map((key) => `  ${key}`),
    ...more,
  );
}
