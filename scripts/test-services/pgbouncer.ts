import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { findFreePort } from "./free-port.ts";
import { type Service, startService } from "./service.ts";
import { createTempDir, findUnprivilegedUser } from "./unprivileged-user.ts";

const PING_TIMEOUT_MS = 2_000;

/**
 * Starts PgBouncer in front of the PostgreSQL server at `postgresUrl`, on a free port of 127.0.0.1. It lends each of its
 * few connections to a server for a transaction at a time. Its URL has no database; whoever connects is the user of
 * `postgresUrl`.
 */
export async function startPgBouncer(program: string, postgresUrl: string): Promise<Service> {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const listenPort = await findFreePort();
  const user = await findUnprivilegedUser();
  const dir = await createTempDir("portico-test-pgbouncer-", user);
  const settings = join(dir, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${listenPort}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 4",
    "max_client_conn = 500",
  ];
  await writeFile(settings, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  if (user) await chown(settings, user.uid, user.gid);
  const url = `postgres://${username}@127.0.0.1:${listenPort}/`;
  return startService({
    name: "PgBouncer",
    url,
    command: program,
    args: [settings],
    env: {},
    ...(user && { user }),
    dir,
    stopSignal: "SIGINT",
    ping: () => ping(url),
  });
}

async function ping(url: string): Promise<void> {
  const client = new Client({
    connectionString: new URL("postgres", url).href,
    connectionTimeoutMillis: PING_TIMEOUT_MS,
    query_timeout: PING_TIMEOUT_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await client.end();
  }
}
