import type { ProvisionReport } from "@portico/server";
import { type Command, FailureError } from "../command.ts";
import { changeLines, skippedLines } from "../provisioned.ts";
import { serverModule } from "../server-module.ts";
import { columns, complain, print, printJson } from "../terminal.ts";

/** `portico provision FILE`: applies the changes of a provisioning file to the database. */
export const provision: Command = {
  name: "provision",
  summary: "Apply what has changed in a provisioning file",
  usage: "portico provision FILE [--force] [--dry-run] [--json]",
  notes: `FILE is JSON and declares tenants, members, groups, developers and apps. Of what it says that is applied which has changed
since it was last applied, each field and each member of a list by itself; all else stays as people have left it. So an app
that was disabled and a credential that was revoked stay so. Applying FILE again changes nothing.
Configuration is that of \`portico serve\`. Without PostgreSQL the service must be stopped.`,
  examples: ["portico provision world.json --dry-run", "portico provision world.json --force --dry-run"],
  configure: (command) =>
    command
      .argument("<FILE>")
      .option(
        "--force",
        "apply all of FILE, also what has not changed in it, over what people have changed since; revoked credentials come back. Prints what that overwrites",
      )
      .option("--dry-run", "print what would change, and write nothing")
      .option(
        "--json",
        "print {dryRun, entities, applied, unchanged, inherited, skipped, changes where they are printed}",
      )
      .action(async (file, { force = false, dryRun = false, json = false }) => {
        const { provisionFromFile } = await serverModule("provision");
        const report = await provisionFromFile(file, process.env, { force, dryRun }).catch((cause: unknown) => {
          throw new FailureError(cause instanceof Error ? cause.message : String(cause), { cause });
        });
        const isDetailed = force || dryRun;
        if (json) printJson({ dryRun, ...report, changes: isDetailed ? report.changes : undefined });
        else print(...reportLines(report, { dryRun, isDetailed }));
        if (report.inherited > 0) {
          complain(
            "What an earlier version provisioned was left as it is, for nobody knows what people have changed since.",
            `\`portico provision ${file} --force\` applies all of the file; with --dry-run it only says what that would change.`,
          );
        }
      }),
};

function reportLines(
  { entities, applied, unchanged, skipped, changes }: ProvisionReport,
  { dryRun, isDetailed }: { dryRun: boolean; isDetailed: boolean },
): string[] {
  const counts = { [dryRun ? "would apply" : "applied"]: applied, unchanged, skipped: skipped.length };
  const rows = [...Object.entries(entities), ...Object.entries(counts)];
  return [
    ...(isDetailed ? changeLines(changes) : []),
    ...skippedLines(skipped),
    ...columns(rows.map(([name, count]) => [name, String(count)] as const)),
  ];
}
