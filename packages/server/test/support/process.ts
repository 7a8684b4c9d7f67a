import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The service as it is started where no test is. */
export const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
/** Programs that a long run of tests has built of many files, by the source; they start in half the time. */
const BUILT: Record<string, string> = JSON.parse(process.env.PORTICO_TEST_BUILT_SERVICE ?? "{}");
/** Long, because a busy machine may start several at the same time. */
const START_WITHIN_MS = 60_000;

/** A service under test in its own process. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Its output so far, from both streams. */
  output(): string;
  /** Sends a signal; resolves with the exit code, or the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** Resolves when it has ended, with its exit code or signal. */
  ended(): Promise<number | NodeJS.Signals>;
}

interface StartOptions {
  /** Whether it runs from its sources where it is built, too: for what a built one does otherwise. */
  fromSources?: boolean;
  /** Of Node. */
  flags?: readonly string[];
}

/** Starts the service with `env`; resolves once it reports that it is up. `program` replaces the usual main file. */
export async function startProcess(
  env: Record<string, string>,
  program = MAIN,
  { fromSources = false, flags = [] }: StartOptions = {},
): Promise<ServerProcess> {
  // What is to be loaded before the service replaces parts of its sources.
  const { child, output } = launch(env, fromSources || env.NODE_OPTIONS ? program : builtOf(program), flags);
  const deadline = AbortSignal.timeout(START_WITHIN_MS);
  let isClosed = false;
  const close = () => {
    isClosed = true;
  };
  const closed = once(child, "close").then(close, close);
  for (;;) {
    const url = /Portico is up at (\S+)/.exec(output())?.[1];
    if (url !== undefined) {
      const { pid = 0 } = child;
      const end = (signal: NodeJS.Signals) => {
        child.kill(signal);
        return ended(child);
      };
      return { url: url.replace("localhost", "127.0.0.1"), pid, output, end, ended: () => ended(child) };
    }
    if (isClosed || deadline.aborted) {
      child.kill("SIGKILL");
      throw new Error(`the service did not start:\n${output()}`);
    }
    await Promise.race([once(child.stdout ?? child, "data", { signal: deadline }), closed]).catch(() => {});
  }
}

/** Starts the service with `env` and expects it to fail; resolves with its exit code and output. */
export async function startToFail(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const { child, output } = launch(env, builtOf(MAIN));
  const timer = setTimeout(() => child.kill("SIGKILL"), START_WITHIN_MS);
  const [code] = await once(child, "close");
  clearTimeout(timer);
  return { code, output: output() };
}

/** What a long run of tests has built of a program; the program itself where nothing was built. */
export function builtOf(program: string): string {
  return BUILT[program] ?? program;
}

function launch(env: Record<string, string>, program: string, flags: readonly string[] = []) {
  const child = spawn(process.execPath, [...flags, program], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  return { child, output: () => chunks.join("") };
}

async function ended(child: ChildProcess): Promise<number | NodeJS.Signals> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode ?? child.signalCode ?? "SIGKILL";
}
