import { assertCard, type Card, type CardFinding, InvalidCardError } from "@portico/sdk";
import { FailureError } from "./command.ts";
import { inputName } from "./input.ts";
import { readJson } from "./json-input.ts";

/**
 * Reads a card from a file, or from standard input.
 *
 * @throws FailureError listing every rule that it breaks.
 */
export async function readCard(file: string): Promise<Card> {
  const card = await readJson(file);
  try {
    assertCard(card);
    return card;
  } catch (error) {
    if (!(error instanceof InvalidCardError)) throw error;
    const lines = error.findings.map((finding) => findingLine(file, finding));
    throw new FailureError(["the card would be refused", ...lines].join("\n"));
  }
}

/** A line about a broken rule: where, what the service would answer, and a suggestion. */
export function findingLine(file: string, { pointer, message, suggestion }: CardFinding): string {
  return `${inputName(file)}: ${pointer || "(the whole card)"}: ${message} — ${suggestion}`;
}
