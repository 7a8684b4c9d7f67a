import { readFile } from "node:fs/promises";
import { LIMITS } from "@portico/protocol";
import { UsageError } from "./command.ts";

/** Stands for standard input where a file or a text is expected. */
export const STANDARD_INPUT = "-";

/** Reads a file given on the command line. */
export async function readInput(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${codeOf(error)}`);
  }
}

/** Reads UTF-8 text from a file given on the command line, or from standard input. */
export async function readText(file: string): Promise<string> {
  const isStandardInput = file === STANDARD_INPUT;
  const content = isStandardInput ? await readStandardInput() : await readInput(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new UsageError(`${inputName(file)} is not UTF-8 text`);
  }
}

/** The name of an input in messages. */
export function inputName(file: string): string {
  return file === STANDARD_INPUT ? "standard input" : file;
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Reads standard input, up to the size that the service accepts in one request. */
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
