import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FaultProxy } from "../../../packages/server/test/support/fault-proxy.ts";
import { mountSmallDisk, type SmallDisk } from "../../../packages/server/test/support/small-disk.ts";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { startPostgres } from "../../../scripts/test-services/postgres.ts";
import { preparePostgresBinaries } from "../../../scripts/test-services/postgres-binaries.ts";
import { findRedisServer, startRedis } from "../../../scripts/test-services/redis.ts";
import type { Service } from "../../../scripts/test-services/service.ts";
import type { Engine } from "../attack/scenario.ts";
import { receiversEnv } from "../webhook/receivers-env.ts";
import { EventReceiver } from "./event-receiver.ts";
import type { Random } from "./random.ts";
import { type Ending, ServiceProcess } from "./service-process.ts";
import { WORLD } from "./world.ts";

/** A database server and the proxy in front of it. */
export interface Database {
  service: Service;
  proxy: FaultProxy;
}

/** A service with everything that it depends on. */
export interface Site {
  engine: Engine;
  processes: readonly ServiceProcess[];
  /** Null for an embedded service. */
  databases: { postgres: Database; redis: Database } | null;
  /** The disk of an embedded service; the reason as text when a small one cannot be mounted. */
  disk: SmallDisk | string;
  receiver: EventReceiver;
}

/** Room for the database of a run of several minutes. */
const DISK_MIB = 1_024;
const START_WITHIN_MS = 60_000;
/** Short, so that a run ends soon after its last fault; many, so that no fault exhausts them. */
const RETRY_DELAYS = ["1s", "2s", ...Array.from({ length: 18 }, () => "4s")].join(",");

/**
 * Opens a site; its parts are closed with `opened`.
 *
 * @param logs the directory to which the processes write their logs; null for none.
 * @param onEnd called each time a process ends.
 * @throws when a database cannot be started.
 */
export async function openSite(
  engine: Engine,
  { count, logs }: { count: number; logs: string | null },
  random: Random,
  opened: AsyncDisposableStack,
  onEnd: (ending: Ending, output: string) => void,
): Promise<Site> {
  const disk = engine === "embedded" ? mountSmallDisk(DISK_MIB) : "needs an embedded service";
  if (typeof disk !== "string") opened.defer(() => disk.dispose());
  const dir = await mkdtemp(join(typeof disk === "string" ? tmpdir() : disk.directory, "portico-chaos-"));
  opened.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }));
  const receiver = opened.adopt(await EventReceiver.open(random.fork("receiver")), (open) => open.close());
  const databases = engine === "embedded" ? null : await openDatabases(opened);
  const provision = join(dir, "provision.json");
  await writeFile(provision, JSON.stringify(WORLD), { mode: 0o600 });
  const env: Record<string, string> = {
    ...(await receiversEnv(opened)),
    PORTICO_DATA_DIR: join(dir, "data"),
    PORTICO_PROVISION: provision,
    PORTICO_LOG_LEVEL: "warn",
    PORTICO_LIMITS_MEMBER_MESSAGES_PER_MINUTE: "1000000",
    PORTICO_WEBHOOK_RETRY_DELAYS: RETRY_DELAYS,
    PORTICO_WEBHOOK_READ_TIMEOUT: "2s",
    PORTICO_WEBHOOK_CIRCUIT_OPEN_FOR: "2s",
    ...(databases && {
      PORTICO_DATABASE_URL: databases.postgres.proxy.url,
      PORTICO_REDIS_URL: databases.redis.proxy.url,
      PORTICO_MASTER_KEY: randomBytes(32).toString("hex"),
    }),
  };
  const processes: ServiceProcess[] = [];
  for (let number = 0; number < (engine === "embedded" ? 1 : count); number++) {
    const started = opened.adopt(
      new ServiceProcess(await findFreePort(), env, onEnd, logs && join(logs, `process-${number + 1}.log`)),
      (open) => open.stop(),
    );
    if (!(await started.isReadyWithin(START_WITHIN_MS)))
      throw new Error(`the service does not start:\n${started.lastWords}`);
    processes.push(started);
  }
  return { engine, processes, databases, disk, receiver };
}

async function openDatabases(opened: AsyncDisposableStack): Promise<{ postgres: Database; redis: Database }> {
  const program = await findRedisServer(process.env.PATH ?? "");
  if (program === undefined) throw new Error("there is no redis-server on PATH");
  const binaries = opened.adopt(await preparePostgresBinaries(), (prepared) => prepared.remove());
  const behindProxy = async (service: Service): Promise<Database> => {
    opened.defer(() => service.stop());
    return { service, proxy: opened.adopt(await FaultProxy.before(service.url), (open) => open.close()) };
  };
  return {
    postgres: await behindProxy(await startPostgres(binaries)),
    redis: await behindProxy(await startRedis(program)),
  };
}
