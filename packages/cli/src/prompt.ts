import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { FailureError } from "./command.ts";

/** Asks the user at the terminal for a line. */
export function ask(question: string): Promise<string> {
  return askFor(question, process.stderr);
}

/** Asks for a line without echoing it. */
export function askSecretly(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return askFor("", nowhere, question).finally(() => process.stderr.write("\n"));
}

/** @param beforehand written after echoing has been switched off, because a program that reads it may type at once. */
async function askFor(question: string, output: NodeJS.WritableStream, beforehand = ""): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  process.stderr.write(beforehand);
  const closed = new Promise<never>((_resolve, reject) => {
    lines.once("close", () => reject(new FailureError("nothing was entered")));
  });
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}
