import { randomUUID } from "node:crypto";
import { compactJson } from "@portico/protocol";

/** Numbers that a double may not represent exactly: many digits, or an exponent. Also matches digits within strings. */
const NUMBER_AT_RISK = /[\d.]{16}|\d[eE][+-]?\d/;

/** Whether parsing and serializing the JSON text may change a number in it. Rarely true, and cheap to check. */
export function mayLoseNumbers(json: string): boolean {
  return NUMBER_AT_RISK.test(json);
}

/** A text or a number. Matches texts so that digits in them are skipped. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses a JSON text, changes the value, and serialises it compactly, with all numbers in their original notation: for
 * `change`, numbers that a double cannot represent are opaque texts.
 *
 * @param json a valid JSON text.
 */
export function changeJson(json: string, change: (value: unknown) => unknown): string {
  const mark = randomUUID();
  const numbers: string[] = [];
  const marked = json.replace(TEXT_OR_NUMBER, (token) => {
    if (token.startsWith('"') || !NUMBER_AT_RISK.test(token)) return token;
    return `"${mark}${numbers.push(token) - 1}"`;
  });
  const written = compactJson(change(JSON.parse(marked)));
  return written.replace(new RegExp(`"${mark}(\\d+)"`, "g"), (_, index: string) => numbers[Number(index)] ?? "");
}

/** A JSON text in compact form, with all numbers in their original notation; see {@link changeJson}. */
export function respell(json: string): string {
  return changeJson(json, (value) => value);
}
