import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** What a run of `portico` left. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A directory to run `portico` in. */
export interface Workspace extends AsyncDisposable {
  read(file: string): Promise<string>;
  write(file: string, content: string | Buffer): Promise<string>;
  /** Starts `portico` in this directory, with variables added to the environment. */
  start(args: string[], variables?: Record<string, string>): ChildProcessWithoutNullStreams;
  /** Runs `portico` to its end, as a process of its own in this directory. */
  portico(args: string[], input?: string | Buffer): Promise<Outcome>;
}

export async function createWorkspace(): Promise<Workspace> {
  const directory = await mkdtemp(join(tmpdir(), "portico-cli-"));
  const start = (args: string[], variables = {}) =>
    spawn(process.execPath, [MAIN, ...args], { cwd: directory, env: { ...process.env, ...variables } });
  return {
    start,
    read: (file) => readFile(join(directory, file), "utf8"),
    async write(file, content) {
      const path = join(directory, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    async portico(args, input = "") {
      const child = start(args);
      child.stdin.on("error", () => {}).end(input);
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      return { code: child.exitCode, stdout, stderr };
    },
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true });
    },
  };
}

/** Options that name a credential in full. */
export function credentialArgs(credential: {
  baseUrl: string;
  appId: string;
  credentialId: string;
  appSecret: string;
}) {
  const { baseUrl, appId, credentialId, appSecret } = credential;
  return ["--base-url", baseUrl, "--app-id", appId, "--credential-id", credentialId, "--app-secret", appSecret];
}
