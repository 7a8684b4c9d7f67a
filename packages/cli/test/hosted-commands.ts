import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const HOST = fileURLToPath(new URL("./command-host.ts", import.meta.url));

/** The result of running `portico`. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What to run, and where. */
export interface HostedCommand {
  directory: string;
  /** Where it finds what it has saved for its user. */
  configDirectory: string;
  args: string[];
  input: string | Buffer;
}

let host: ChildProcess | null = null;
let turn: Promise<unknown> = Promise.resolve();

/** Runs a command in the process that all tests of this process share for it, after those that were given before. */
export function runHosted(command: HostedCommand): Promise<Outcome> {
  const outcome = turn.then(() => ask(command));
  turn = outcome.catch(() => {});
  return outcome;
}

async function ask(command: HostedCommand): Promise<Outcome> {
  host ??= fork(HOST, { execArgv: [], serialization: "advanced" });
  const ended = new AbortController();
  const asked = host;
  const note = () => ended.abort(new Error(`the process for commands ended during: ${command.args.join(" ")}`));
  asked.once("exit", note).ref();
  asked.channel?.ref();
  try {
    asked.send(command);
    const [outcome] = await once(asked, "message", { signal: ended.signal });
    return outcome;
  } catch (error) {
    host = null;
    asked.kill("SIGKILL");
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    asked.off("exit", note).unref();
    // Between commands it keeps nobody waiting for its end: it ends when this process does.
    asked.channel?.unref();
  }
}
