import { type CardFinding, findCardProblems } from "@portico/protocol/cards";
import { findingLine } from "../card-input.ts";
import { type Command, FailureError } from "../command.ts";
import { inputName } from "../input.ts";
import type { JsonFault } from "../json-fault.ts";
import { faultLine, tryReadJson } from "../json-input.ts";
import { print, printable, printableJson } from "../terminal.ts";

/** The problems of one file: it is not JSON, or its card breaks rules. */
interface Report {
  file: string;
  notJson: JsonFault | null;
  findings: CardFinding[];
}

/** `portico card check`: finds all problems of cards. Sends nothing. */
export const cardCheck: Command = {
  name: "card check",
  summary: "Find all that is wrong with cards, without sending them",
  usage: "portico card check FILE... [--json]",
  notes: `FILE - is standard input. Each finding is shown with its place, what the service would answer, and what to do about it.
Exits 1 if there are any. Whether the fileKeys of pictures are valid, only the service knows.`,
  examples: ["portico card check cards/*.json", "portico card check - --json < card.json"],
  configure: (command) =>
    command
      .argument("<FILE...>")
      .option(
        "--json",
        "print [{file, notJson: {line, column, message} or null, findings: [{pointer, rule, message, suggestion}]}]",
      )
      .action(async (files, values) => {
        const reports: Report[] = [];
        for (const file of files) reports.push(await reportOn(file));
        if (values.json) print(printableJson(JSON.stringify(reports)));
        else print(...reports.flatMap(linesOf).map(printable));
        const refused = reports.filter(({ notJson, findings }) => notJson !== null || findings.length > 0).length;
        if (refused > 0) throw new FailureError(`${refused} of ${reports.length} would be refused`);
      }),
};

async function reportOn(file: string): Promise<Report> {
  const read = await tryReadJson(file);
  if (read.fault !== null) return { file, notJson: read.fault, findings: [] };
  return { file, notJson: null, findings: findCardProblems(read.value, read.text) };
}

function linesOf({ file, notJson, findings }: Report): string[] {
  if (notJson !== null) return [faultLine(file, notJson)];
  if (findings.length === 0) return [`${inputName(file)}: ok`];
  return findings.map((finding) => findingLine(file, finding));
}
