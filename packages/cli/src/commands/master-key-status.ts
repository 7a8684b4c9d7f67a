import { COMMAND_EXITS } from "@portico/protocol";
import type { MasterKeyReport } from "@portico/server";
import type { Command } from "../command.ts";
import { withOperatorWords } from "../operator-words.ts";
import { serverModule } from "../server-module.ts";
import { columns, complain, isoTime, print, printJson } from "../terminal.ts";

/** `portico master-key status`: how far a rotation of the master key is. */
export const masterKeyStatus: Command = {
  name: "master-key status",
  summary: "Say how far a rotation of the master key is",
  usage: "portico master-key status [--json]",
  notes: `Exits 0 when only one key is needed, and 3 while a rotation is going on. Keys are shown by ids, which say nothing of them. It writes
nothing and may run beside the service, with its configuration.`,
  examples: ["portico master-key status", "until portico master-key status --json; do sleep 60; done"],
  configure: (command) =>
    command
      .option(
        "--json",
        "print {state, sealing, first, from: [id], left: {kind: count} or null, unreadable, beganAt, resealedAt, settlesAt, doneAt, waitingFor: [host:pid]}",
      )
      .action(async ({ json = false }) => {
        const server = await serverModule("master-key status");
        const report: MasterKeyReport = await withOperatorWords(() => server.masterKeyStatus(process.env));
        if (json) printJson(report);
        else print(...linesOf(report));
        if (report.unreadable > 0)
          complain(`${report.unreadable} secrets open with no key: \`portico check-store\` names them.`);
        if (report.state !== "none" && report.state !== "done") process.exitCode = COMMAND_EXITS.DUE;
      }),
};

function linesOf({ sealing, from, left, waitingFor, ...report }: MasterKeyReport): string[] {
  const rows: [string, string][] = [["key", sealing]];
  if (report.first !== sealing) rows.push(["next key", report.first]);
  if (from.length > 0) rows.push([report.state === "done" ? "earlier keys" : "needed as well", from.join(" ")]);
  for (const [kind, count] of Object.entries(left ?? {})) rows.push([`${kind} left`, String(count)]);
  if (waitingFor.length > 0) rows.push(["waiting for", waitingFor.join(" ")]);
  return [...columns(rows), wordsOf(report)];
}

function wordsOf({ state, settlesAt, doneAt }: Pick<MasterKeyReport, "state" | "settlesAt" | "doneAt">): string {
  switch (state) {
    case "none":
      return "the master key has never been rotated";
    case "waiting":
      return "the next key seals as soon as every running process has it in front of the others";
    case "resealing":
      return "secrets are being sealed anew: all keys are needed";
    case "settling":
      return `nothing that is stored needs the earlier keys; until ${isoTime(settlesAt ?? 0)} tickets that were given out do`;
    case "done":
      return `done since ${isoTime(doneAt ?? 0)}: the earlier keys may be taken away`;
  }
}
