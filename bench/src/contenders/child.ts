import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startSettings } from "../../../scripts/test-run/start-settings.ts";
import { guardAgainstOrphans } from "../../../scripts/test-services/orphan-guard.ts";
import { peakMemoryBytesOf } from "../process-usage.ts";

/** A server or client to run in its own process. */
export interface ChildPlan {
  name: string;
  script: URL;
  /** The checkout whose `npm start` tells the settings of Node; this one, if it is not given. */
  checkout?: URL;
  /** The processor core that it is bound to; null for any. */
  core: number | null;
  /** Called with the directory created for it; returns environment variables in addition to this process's. */
  prepare(dir: string): Promise<Record<string, string>>;
  /** Matches its output once it is up; group 1 is the port that a server listens on or a client sends to. */
  ready: RegExp;
}

export interface Child {
  name: string;
  pid: number;
  port: number;
  /** Its peak memory, until now or until it was stopped; null when the system does not report it. */
  peakMemoryBytes(): number | null;
  /** Ends the process, by force if necessary, and removes its directory. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 12_000;
const OUTPUT_CHARACTERS_MAX = 16_384;

/**
 * Starts it and waits until it is up. If this process dies, the child is ended and its directory removed all the same.
 *
 * @throws when it does not come up; the error contains its output.
 */
export async function startChild(plan: ChildPlan): Promise<Child> {
  await using undo = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), `portico-bench-${plan.name}-`));
  undo.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }));
  const settings = startSettings(plan.checkout);
  const env = { ...ownEnvironment(), ...settings.env, ...(await plan.prepare(dir)) };
  const command = [process.execPath, ...settings.flags, fileURLToPath(plan.script)];
  if (plan.core !== null) command.unshift("taskset", "--cpu-list", String(plan.core));
  const [program = "", ...args] = command;

  const child = spawn(program, args, { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
    });
  }
  await once(child, "spawn");
  const { pid } = child;
  if (pid === undefined) throw new Error(`${plan.name} has no process id`);
  undo.defer(guardAgainstOrphans(dir, pid));
  let peak: number | null = null;
  const peakMemoryBytes = () => {
    peak = peakMemoryBytesOf(pid) ?? peak;
    return peak;
  };
  undo.defer(async () => {
    peakMemoryBytes();
    child.kill("SIGTERM");
    const killer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(killer);
  });

  const port = await new Promise<number>((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`${plan.name} ${reason}\n${output}`));
    };
    const timer = setTimeout(() => fail("did not come up in time"), START_TIMEOUT_MS);
    void ended.then(() => fail("ended"));
    child.stdout.on("data", () => {
      const found = plan.ready.exec(output)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(Number(found));
    });
  });
  const running = undo.move();
  return { name: plan.name, pid, port, peakMemoryBytes, stop: () => running.disposeAsync() };
}

/** This process's environment without variables that would configure the service. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PORTICO_")));
}
