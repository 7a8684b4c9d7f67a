import { COMMAND_EXITS } from "@portico/protocol";
import type { Command } from "../command.ts";
import { withOperatorWords } from "../operator-words.ts";
import { serverModule } from "../server-module.ts";
import { print, printJson } from "../terminal.ts";

/** `portico migrate`: brings the database to the schema of this version. */
export const migrate: Command = {
  name: "migrate",
  summary: "Bring the database to this version's schema, or say whether that is due",
  usage: "portico migrate [--check] [--json]",
  notes: `A start does the same. With --check nothing is written: it exits 0 when there is nothing to do, and 3 when it would migrate. A
database that a newer version has migrated is refused. Without PostgreSQL the service must be stopped, except for --check.`,
  examples: ["portico migrate --check", "portico migrate"],
  configure: (command) =>
    command
      .option("--check", "only say whether there is something to do")
      .option("--json", "print {from or null, to}")
      .action(async ({ check = false, json = false }) => {
        const server = await serverModule("migrate");
        const report = await withOperatorWords(() =>
          check ? server.checkMigration(process.env) : server.migrateStore(process.env),
        );
        const { from, to } = report;
        const isCurrent = from === to;
        if (json) printJson(report);
        else if (isCurrent) print(`nothing to do: the schema is ${to}`);
        else print(`${check ? "would migrate" : "migrated"} from ${from ?? "nothing"} to ${to}`);
        if (check && !isCurrent) process.exitCode = COMMAND_EXITS.DUE;
      }),
};
