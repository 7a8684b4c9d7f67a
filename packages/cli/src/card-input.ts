import { type CardFinding, findCardProblems } from "@portico/protocol/cards";
import { RawJson } from "@portico/protocol/raw-json";
import { FailureError, UsageError } from "./command.ts";
import { inputName } from "./input.ts";
import { faultLine, tryReadJson } from "./json-input.ts";

/**
 * Reads a card from a file, or from standard input, to be sent as it is written there.
 *
 * @throws UsageError with the position of a syntax error; FailureError listing every rule that the card breaks.
 */
export async function readCard(file: string): Promise<RawJson> {
  const read = await tryReadJson(file);
  if (read.fault !== null) throw new UsageError(faultLine(file, read.fault));
  const findings = findCardProblems(read.value, read.text);
  if (findings.length === 0) return new RawJson(read.text);
  const lines = findings.map((finding) => findingLine(file, finding));
  throw new FailureError(["the card would be refused", ...lines].join("\n"));
}

/** A line about a broken rule: where, what the service would answer, and a suggestion. */
export function findingLine(file: string, { pointer, message, suggestion }: CardFinding): string {
  return `${inputName(file)}: ${pointer || "(the whole card)"}: ${message} — ${suggestion}`;
}
