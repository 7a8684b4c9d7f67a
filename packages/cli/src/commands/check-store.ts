import { type Command, FailureError } from "../command.ts";
import { withOperatorWords } from "../operator-words.ts";
import { serverModule } from "../server-module.ts";
import { columns, complain, print, printJson } from "../terminal.ts";

/** `portico check-store`: whether what the service stores holds together. */
export const checkStore: Command = {
  name: "check-store",
  summary: "Check that database, files and master key hold together",
  usage: "portico check-store [--no-contents] [--audit-end POSITION:HASH] [--json]",
  notes: `Looks at the database itself, the numbers of all messages, what is searched, the chain of the audit log, the content of every
file, and the master key. It writes nothing and may run beside the service, with its configuration. Exits 1 if something is wrong.
After a copy or a restore, it says what is missing. Note auditEnd elsewhere: given to a later check, it proves that the audit
log was not written anew since.`,
  examples: ["portico check-store", "portico check-store --no-contents --json"],
  configure: (command) =>
    command
      .option("--no-contents", "only look for the contents of files, without reading them")
      .option("--audit-end <POSITION:HASH>", "where the audit log ended at an earlier check")
      .option(
        "--json",
        "print {conversations, messages, visitors, auditEntries, auditEnd, files, bytes, findings: [{kind, of, problem}], findingCount}",
      )
      .action(async ({ contents, auditEnd = null, json = false }) => {
        const server = await serverModule("check-store");
        const report = await withOperatorWords(() =>
          server.checkStore(process.env, { contents, auditEnd, progress: complain }),
        );
        const { findings, findingCount, ...counts } = report;
        if (json) printJson(report);
        else print(...columns(Object.entries(counts).map(([name, count]) => [name, String(count)] as const)));
        if (findingCount === 0) return complain("all of it holds together");
        const lines = findings.map(({ kind, of, problem }) => `${kind} ${of}: ${problem}`);
        const more = findingCount > findings.length ? [`and ${findingCount - findings.length} more`] : [];
        throw new FailureError([`${findingCount} things do not hold together`, ...lines, ...more].join("\n"));
      }),
};
