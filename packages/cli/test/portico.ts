import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { builtOf } from "../../server/test/support/process.ts";
import { type Outcome, runHosted } from "./hosted-commands.ts";

/** The command, as a long run of tests has built it: it starts in a third of the time that its sources take. */
const PROGRAM = builtOf(fileURLToPath(new URL("../src/main.ts", import.meta.url)));

/** A directory to run `portico` in. */
export interface Workspace extends AsyncDisposable {
  read(file: string): Promise<string>;
  write(file: string, content: string | Buffer): Promise<string>;
  /** Starts `portico` in this directory, with additional environment variables. */
  start(args: string[], variables?: Record<string, string>): ChildProcessWithoutNullStreams;
  /** Runs `portico` to its end in this directory, in a process that it shares with the commands before and after it. */
  portico(args: string[], input?: string | Buffer): Promise<Outcome>;
  /** The same in a process of its own: for what only a process shows, and for commands at the same time. */
  porticoAlone(args: string[], input?: string | Buffer): Promise<Outcome>;
  /** Runs `portico` at a terminal, and types text once `shown` has appeared. Returns all output. */
  atTerminal(args: string[], shown: string, typed: string): Promise<{ output: string; asked: boolean }>;
}

export async function createWorkspace(): Promise<Workspace> {
  const directory = await mkdtemp(join(tmpdir(), "portico-cli-"));
  // The saved login of the person who runs the tests must not be used.
  const configDirectory = join(directory, "config");
  const environment = { ...process.env, XDG_CONFIG_HOME: configDirectory };
  const start = (args: string[], variables = {}) =>
    spawn(process.execPath, [PROGRAM, ...args], { cwd: directory, env: { ...environment, ...variables } });
  return {
    start,
    read: (file) => readFile(join(directory, file), "utf8"),
    async write(file, content) {
      const path = join(directory, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    portico: (args, input = "") => runHosted({ directory, configDirectory, args, input }),
    async porticoAlone(args, input = "") {
      const child = start(args);
      child.stdin.on("error", () => {}).end(input);
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      return { code: child.exitCode, stdout, stderr };
    },
    async atTerminal(args, shown, typed) {
      const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(" ");
      const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: directory, env: environment });
      let output = "";
      let asked = false;
      child.stdout.on("data", (chunk) => {
        output += chunk;
        if (asked || !output.includes(shown)) return;
        asked = true;
        child.stdin.write(typed);
      });
      await once(child, "close");
      return { output, asked };
    },
    async [Symbol.asyncDispose]() {
      // What a killed browser has left of itself may still be writing.
      await rm(directory, { recursive: true, maxRetries: 10 });
    },
  };
}

/** Options that identify a credential completely. */
export function credentialArgs(credential: {
  baseUrl: string;
  appId: string;
  credentialId: string;
  appSecret: string;
}) {
  const { baseUrl, appId, credentialId, appSecret } = credential;
  return ["--base-url", baseUrl, "--app-id", appId, "--credential-id", credentialId, "--app-secret", appSecret];
}
