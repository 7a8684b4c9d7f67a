import { once } from "node:events";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import type { Outcome } from "./hosted-commands.ts";
import { createWorkspace, type Workspace } from "./portico.ts";

/** A workspace in which the service runs with its demo data. */
export interface DemoService extends Workspace {
  baseUrl: string;
  /** What alice sees in the demo group, line by line. */
  readGroup(): Promise<string[]>;
}

/**
 * Starts the service as `portico serve` does; the commands then default to the demo's bot, member and developer.
 *
 * @param environment variables for the service; receives its directory.
 */
export async function startDemoService(
  environment: (workspace: Workspace) => Promise<Record<string, string>> = async () => ({}),
): Promise<DemoService> {
  const workspace = await createWorkspace();
  const variables = { PORTICO_PORT: String(await findFreePort()), PORTICO_LOG_LEVEL: "silent" };
  const service = workspace.start(["serve"], { ...variables, ...(await environment(workspace)) });
  const [event] = await Promise.race([once(service.stdout, "data"), once(service, "close")]);
  if (!Buffer.isBuffer(event)) throw new Error("the service did not start");
  return {
    ...workspace,
    baseUrl: `http://127.0.0.1:${variables.PORTICO_PORT}`,
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

/** The value printed by a command with `--json`. */
export function printedJson({ code, stdout, stderr }: Outcome) {
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
