import { UsageError } from "./command.ts";
import { inputName, readText } from "./input.ts";
import { findJsonFault, type JsonFault } from "./json-fault.ts";

/** Reads JSON from a file named on the command line, or from standard input; tells where it is none. */
export async function tryReadJson(file: string): Promise<{ value: unknown; fault: null } | { fault: JsonFault }> {
  const text = await readText(file);
  const fault = findJsonFault(text);
  return fault === null ? { value: JSON.parse(text), fault } : { fault };
}

/** {@link tryReadJson} for where nothing else will do. */
export async function readJson(file: string): Promise<unknown> {
  const result = await tryReadJson(file);
  if (result.fault === null) return result.value;
  throw new UsageError(faultLine(file, result.fault));
}

/** A line that tells where an input is not JSON. */
export function faultLine(file: string, { line, column, message }: JsonFault): string {
  return `${inputName(file)}:${line}:${column}: not JSON: ${message}`;
}
