import { readFile } from "node:fs/promises";
import { LIMITS } from "@portico/protocol";
import { UsageError } from "./command.ts";

/** What stands for standard input where a file or a text is asked for. */
export const STANDARD_INPUT = "-";

/** Reads a file named on the command line. */
export async function readInput(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${codeOf(error)}`);
  }
}

/** Reads a file of UTF-8 text named on the command line, or standard input. */
export async function readText(file: string): Promise<string> {
  const isStandardInput = file === STANDARD_INPUT;
  const content = isStandardInput ? await readStandardInput() : await readInput(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new UsageError(`${inputName(file)} is not UTF-8 text`);
  }
}

/** An input, as messages name it. */
export function inputName(file: string): string {
  return file === STANDARD_INPUT ? "standard input" : file;
}

/** What kind of failure an error of the system tells of, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Standard input, bounded by what the service takes in one request. */
async function readStandardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += chunk.length;
    if (size > LIMITS.ordinaryBodyBytes) throw new UsageError(`the text is over ${LIMITS.ordinaryBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
