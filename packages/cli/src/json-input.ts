import { findInexactNumber } from "@portico/protocol";
import { UsageError } from "./command.ts";
import { inputName, readText } from "./input.ts";
import { findJsonFault, type JsonFault } from "./json-fault.ts";

/** A JSON value with the text that it was read from. */
export interface ReadJson {
  value: unknown;
  text: string;
  fault: null;
}

/** Reads JSON from a file given on the command line, or from standard input; reports where it is invalid. */
export async function tryReadJson(file: string): Promise<ReadJson | { fault: JsonFault }> {
  const text = await readText(file);
  const fault = findJsonFault(text);
  return fault === null ? { value: JSON.parse(text), text, fault } : { fault };
}

/**
 * Reads JSON whose value is to be sent on, from a file given on the command line, or from standard input.
 *
 * @throws UsageError with the position of a syntax error, or of a number that would change when it is sent.
 */
export async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  const fault = findJsonFault(text);
  if (fault !== null) throw new UsageError(faultLine(file, fault));
  const inexact = findInexactNumber(text);
  if (inexact === null) return JSON.parse(text);
  const { line, column, source } = inexact;
  const advice = "it has more digits than a number can keep; write it as a string";
  throw new UsageError(`${inputName(file)}:${line}:${column}: ${source} would be sent as ${Number(source)}: ${advice}`);
}

/** A line that says where an input is not JSON. */
export function faultLine(file: string, { line, column, message }: JsonFault): string {
  return `${inputName(file)}:${line}:${column}: not JSON: ${message}`;
}
