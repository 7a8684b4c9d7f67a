import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { findFreePort } from "./free-port.ts";
import { POSTGRES_ENV, type PostgresBinaries } from "./postgres-binaries.ts";
import { type Service, startService } from "./service.ts";
import { createTempDir } from "./unprivileged-user.ts";

const run = promisify(execFile);

const PING_TIMEOUT_MS = 2_000;

// Durability stays on: tests restart a private server and expect to find committed data.
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "300",
  shared_buffers: "128MB",
  fsync: "on",
  synchronous_commit: "on",
  timezone: "UTC",
  log_timezone: "UTC",
};

/** For a server that runs until all tests have ended: nothing is forced to the disk. */
export const FORGETFUL = { fsync: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: "0" };

/**
 * Starts a PostgreSQL server with an empty cluster on a free port of 127.0.0.1; `settings` override its defaults, and
 * `base` says where its files are, if not where temporary ones usually are. When it fails, the error contains its last
 * log lines.
 */
export async function startPostgres(
  binaries: PostgresBinaries,
  settings: Record<string, string> = {},
  base: string | null = null,
): Promise<Service> {
  const dir = await createTempDir("portico-test-postgres-", binaries.user, base);
  const data = join(dir, "data");
  const password = randomBytes(12).toString("hex");
  try {
    await createCluster(binaries, dir, data, password);
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
  // Fast shutdown: closes clients' connections instead of waiting for them.
  return startServer(binaries, { dir, password, settings, stopSignal: "SIGINT" });
}

/** A primary and a replica that confirms each commit; both have the same databases and accounts. */
export interface PostgresPair {
  /** Ends as in a crash: without a checkpoint, and without a word to its clients. */
  primary: Service;
  replica: Service;
}

/** Starts a primary whose commits wait for the disk of its replica, and the replica. */
export async function startPostgresPair(binaries: PostgresBinaries): Promise<PostgresPair> {
  const [dir, replicaDir] = [
    await createTempDir("portico-test-primary-", binaries.user),
    await createTempDir("portico-test-replica-", binaries.user),
  ];
  const password = randomBytes(12).toString("hex");
  await createCluster(binaries, dir, join(dir, "data"), password);
  // A copy from before the first start: it needs no backup, and follows from the beginning.
  await run("cp", ["-a", join(dir, "data"), replicaDir]);
  await writeFile(join(replicaDir, "data", "standby.signal"), "");
  const crash = { password, stopSignal: "SIGQUIT" } as const;
  const primary = await startServer(binaries, { ...crash, dir, settings: { synchronous_standby_names: "*" } });
  const from = `host=127.0.0.1 port=${new URL(primary.url).port} user=postgres password=${password}`;
  const settings = { primary_conninfo: from, wal_retrieve_retry_interval: "100ms" };
  return { primary, replica: await startServer(binaries, { ...crash, dir: replicaDir, settings }) };
}

interface ServerPlan {
  /** The directory with the cluster in `data`. */
  dir: string;
  password: string;
  settings: Record<string, string>;
  stopSignal: NodeJS.Signals;
}

async function startServer(
  binaries: PostgresBinaries,
  { dir, password, settings, stopSignal }: ServerPlan,
): Promise<Service> {
  const port = await findFreePort();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return startService({
    name: "PostgreSQL",
    url,
    command: binaries.postgres,
    args: ["-D", join(dir, "data"), "-p", String(port), ...options],
    env: POSTGRES_ENV,
    user: binaries.user,
    dir,
    stopSignal,
    ping: () => ping(url),
  });
}

async function createCluster(binaries: PostgresBinaries, dir: string, data: string, password: string): Promise<void> {
  const passwordFile = join(dir, "password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (binaries.user) await chown(passwordFile, binaries.user.uid, binaries.user.gid);
  const args = ["-D", data, "--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  // This cluster need not survive a crash of the machine.
  args.push("--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions");
  // The usual 4,096 cost the server and the service some milliseconds at each of the tests' thousands of connections.
  args.push("-c", "scram_iterations=1");
  await run(binaries.initdb, args, { ...binaries.user, cwd: dir, env: POSTGRES_ENV });
  await rm(passwordFile);
}

async function ping(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PING_TIMEOUT_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
  } finally {
    await client.end();
  }
}
