import { writeFile } from "node:fs/promises";
import { findCardProblems } from "@portico/protocol/cards";
import { convertCard, holdsCard } from "@portico/protocol/cards/convert";
import { findingLine } from "../card-input.ts";
import { type Command, FailureError } from "../command.ts";
import { changeLine } from "../conversion.ts";
import { codeOf, inputName } from "../input.ts";
import { readJson } from "../json-input.ts";
import { complain, print, printable, printableJson } from "../terminal.ts";

/** `portico card convert`: makes a card of this service from one of Feishu. */
export const cardConvert: Command = {
  name: "card convert",
  summary: "Make a card for this service from a card of Feishu",
  usage: "portico card convert FILE [--out FILE] [--json]",
  notes: `FILE - is standard input: a card of schema 2.0 or of the older form, also within the body of a call. The converted card goes
to standard output, what was changed and what remains to be done to standard error. Exits 1 if the card would be refused all
the same; pictures with keys of Feishu have to be uploaded.`,
  examples: ["portico card convert feishu.json --out card.json", "portico card convert - < feishu.json > card.json"],
  configure: (command) =>
    command
      .argument("<FILE>")
      .option("--out <FILE>", "write the card to this file")
      .option(
        "--json",
        "print {card, changes: [{kind, from, to, count}], findings: [{pointer, rule, message, suggestion}]}",
      )
      .action(async (file, values) => {
        const given = await readJson(file);
        if (!holdsCard(given))
          throw new FailureError(`${inputName(file)} holds no card: neither "elements" nor "body"`);
        const { card, changes } = convertCard(given) ?? { card: given, changes: [] };
        const findings = findCardProblems(card);
        if (values.out !== undefined) await write(values.out, card);
        if (values.json) print(printableJson(JSON.stringify({ card, changes, findings })));
        else if (values.out === undefined) print(printableJson(JSON.stringify(card, null, 2)));
        if (!values.json)
          complain(...(changes.length === 0 ? ["nothing to convert"] : changes.map(changeLine)).map(printable));
        if (findings.length === 0) return;
        const refused = findings.map((finding) => findingLine(values.out ?? file, finding));
        throw new FailureError(["the converted card would be refused", ...refused].join("\n"));
      }),
};

async function write(file: string, card: unknown): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(card, null, 2)}\n`);
  } catch (error) {
    throw new FailureError(`cannot write ${file}: ${codeOf(error)}`);
  }
}
