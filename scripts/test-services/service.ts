import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { guardAgainstOrphans } from "./orphan-guard.ts";
import type { User } from "./unprivileged-user.ts";

/** A running server that tests may restart and stop. */
export interface Service {
  url: string;
  /** Restarts the server on the same port and directory; resolves once it answers. */
  restart(): Promise<void>;
  /** Stops the server and removes its directory. */
  stop(): Promise<void>;
}

/** The parameters of a server. */
export interface ServicePlan {
  /** Its name in messages. */
  name: string;
  url: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  user?: User;
  /** Working directory; the service owns it and removes it at the end. */
  dir: string;
  stopSignal: NodeJS.Signals;
  /** Rejects while the server does not answer. */
  ping(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 20;
const LOG_LINES_MAX = 20;
const LOG_CHARACTERS_MAX = 16_384;

/** Starts a server and waits until it answers. When it does not, the error contains its last log lines. */
export async function startService(plan: ServicePlan): Promise<Service> {
  let server: ServerProcess;
  try {
    server = await launch(plan);
  } catch (error) {
    await removeDir(plan.dir);
    throw error;
  }
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();

  // A stop may come during a restart.
  function inTurn(work: () => Promise<void>): Promise<void> {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  }

  return {
    url: plan.url,
    restart: () =>
      inTurn(async () => {
        if (stopped) throw new Error(`${plan.name} is stopped`);
        await halt(server, plan.stopSignal);
        server = await launch(plan);
      }),
    stop: () =>
      inTurn(async () => {
        stopped = true;
        await halt(server, plan.stopSignal);
        await removeDir(plan.dir);
      }),
  };
}

interface ServerProcess {
  child: ChildProcess;
  ended: Promise<void>;
  /** Why the process ended; undefined while it runs. */
  endReason(): string | undefined;
  lastLogLines(): string;
}

async function launch(plan: ServicePlan): Promise<ServerProcess> {
  const server = spawnServer(plan);
  try {
    await waitUntilAnswering(plan, server);
  } catch (error) {
    await halt(server, "SIGKILL");
    throw error;
  }
  return server;
}

function spawnServer(plan: ServicePlan): ServerProcess {
  const child = spawn(plan.command, plan.args, {
    cwd: plan.dir,
    env: plan.env,
    // A separate process group: Ctrl-C then reaches the server only through stop(), after the tests that use it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...plan.user,
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-LOG_CHARACTERS_MAX);
    });
  }
  let reason: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      reason ??= error.message;
      resolve();
    });
    child.once("close", (code, signal) => {
      reason ??= `it ended with ${signal ?? `status ${code}`}`;
      resolve();
    });
  });
  if (child.pid !== undefined) child.once("exit", guardAgainstOrphans(plan.dir, child.pid));
  return {
    child,
    ended,
    endReason: () => reason,
    lastLogLines: () => log.trimEnd().split("\n").slice(-LOG_LINES_MAX).join("\n"),
  };
}

async function waitUntilAnswering(plan: ServicePlan, server: ServerProcess): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const endReason = server.endReason();
    if (endReason !== undefined) {
      throw new Error(`${plan.name} did not start: ${endReason}\n${server.lastLogLines()}`);
    }
    try {
      await plan.ping();
      return;
    } catch (cause) {
      if (performance.now() > deadline) {
        const message = `${plan.name} did not answer within ${START_TIMEOUT_MS / 1000} s`;
        throw new Error(`${message}\n${server.lastLogLines()}`, { cause });
      }
    }
    await wait(POLL_INTERVAL_MS);
  }
}

async function halt(server: ServerProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.endReason() !== undefined) return;
  server.child.kill(signal);
  const killer = setTimeout(() => server.child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await server.ended;
  clearTimeout(killer);
}

function removeDir(dir: string): Promise<void> {
  return rm(dir, { recursive: true, force: true, maxRetries: 3 });
}
