import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { FailureError } from "./command.ts";

/** Asks a person at the terminal for a line. */
export function ask(question: string): Promise<string> {
  return askFor(question, process.stderr);
}

/** Asks for a line that is not shown while it is typed. */
export function askSecretly(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return askFor("", nowhere).finally(() => process.stderr.write("\n"));
}

async function askFor(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const closed = Promise.withResolvers<never>();
  lines.once("close", () => closed.reject(new FailureError("nothing was entered")));
  try {
    return await Promise.race([lines.question(question), closed.promise]);
  } finally {
    lines.close();
  }
}
