import type { Child } from "../contenders/child.ts";
import { openDatabases } from "../contenders/databases.ts";
import type { Store } from "../contenders/fill-store.ts";
import { distributedOn, type ServiceSetup, startService, TALKATIVE_MEMBERS } from "../contenders/service.ts";
import type { Run } from "../run.ts";

/** A service with the place of its data. */
export interface StoredService {
  service: Child;
  store: Store;
}

/** The services that take part in a comparison. */
export interface BothServices {
  services: StoredService[];
  /** Services that could not take part, with the reason. */
  skipped: { name: string; reason: string }[];
  notes: string[];
}

/** Starts the embedded service and, where possible, the distributed one, each as one process. */
export async function startBoth(setup: Pick<ServiceSetup, "world" | "env">, run: Run): Promise<BothServices> {
  const databases = await openDatabases(process.env);
  if ("missing" in databases) {
    const services = [await start("embedded", {}, null, setup, run)];
    return { services, skipped: [{ name: "distributed", reason: databases.missing }], notes: [] };
  }
  run.opened.defer(() => databases.stop());
  const { postgresUrl, description } = databases;
  const services = [
    await start("embedded", {}, null, setup, run),
    await start("distributed", distributedOn(databases), postgresUrl, setup, run),
  ];
  return { services, skipped: [], notes: [...description, "PostgreSQL and Redis run on any core"] };
}

async function start(
  name: string,
  env: Record<string, string>,
  postgresUrl: string | null,
  setup: Pick<ServiceSetup, "world" | "env">,
  { memory, opened, placement }: Run,
): Promise<StoredService> {
  let dataDir = "";
  const prepare = async (whole: Record<string, string>) => {
    dataDir = whole.PORTICO_DATA_DIR ?? "";
  };
  const whole = { ...setup, env: { ...TALKATIVE_MEMBERS, ...setup.env, ...env }, prepare };
  const service = memory.watch(await startService(name, placement.serverCore, whole));
  opened.defer(() => service.stop());
  return { service, store: { dataDir, postgresUrl } };
}
