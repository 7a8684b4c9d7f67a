import { once } from "node:events";
import { freePort } from "../../server/test/support/process.ts";
import { createWorkspace, type Outcome, type Workspace } from "./portico.ts";

/** A workspace in which the service runs, with its demo world. */
export interface DemoService extends Workspace {
  /** What alice reads in the demo group, line by line. */
  readGroup(): Promise<string[]>;
}

/** Starts the service as `portico serve` does; the demo world's bot and member are then the commands' defaults. */
export async function startDemoService(): Promise<DemoService> {
  const workspace = await createWorkspace();
  const variables = { PORTICO_PORT: String(await freePort()), PORTICO_LOG_LEVEL: "silent" };
  const service = workspace.start(["serve"], variables);
  const [event] = await Promise.race([once(service.stdout, "data"), once(service, "close")]);
  if (!Buffer.isBuffer(event)) throw new Error("the service did not start");
  return {
    ...workspace,
    async readGroup() {
      const { stdout } = await workspace.portico(["read", "group:g_demo"]);
      return stdout.split("\n").slice(0, -1);
    },
    async [Symbol.asyncDispose]() {
      service.kill("SIGTERM");
      if (service.exitCode === null) await once(service, "close");
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/** The value that a command with `--json` printed. */
export function printedJson({ code, stdout, stderr }: Outcome) {
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
