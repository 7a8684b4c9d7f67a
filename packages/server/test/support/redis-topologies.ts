import { Redis } from "ioredis";
import { findFreePort } from "../../../../scripts/test-services/free-port.ts";
import { startRedis, startSentinel } from "../../../../scripts/test-services/redis.ts";
import type { Service } from "../../../../scripts/test-services/service.ts";

const SLOTS = 16_384;
const POLL_EVERY_MS = 50;
const WITHIN_MS = 20_000;

/** Starts a Redis Cluster of three masters; returns its address. */
export async function startCluster(program: string, opened: AsyncDisposableStack): Promise<string> {
  const nodes = await Promise.all([0, 1, 2].map(() => startClusterNode(program, opened)));
  const [first] = nodes;
  if (first === undefined) throw new Error("a cluster has nodes");
  for (const [index, { client }] of nodes.entries()) {
    const [from, end] = [index, index + 1].map((part) => Math.round((part * SLOTS) / nodes.length));
    await client.call("CLUSTER", "ADDSLOTSRANGE", String(from), String((end ?? 0) - 1));
    if (index > 0) await client.call("CLUSTER", "MEET", "127.0.0.1", String(first.port), String(first.busPort));
  }
  for (const { client } of nodes) {
    await until(async () =>
      /cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(await client.call("CLUSTER", "INFO"))),
    );
  }
  return `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")}`;
}

async function startClusterNode(program: string, opened: AsyncDisposableStack) {
  const busPort = await findFreePort();
  const options = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--cluster-port", String(busPort)];
  const service = opened.adopt(await startRedis(program, options), (started) => started.stop());
  const client = opened.adopt(new Redis(service.url), (open) => open.disconnect());
  return { port: portOf(service), busPort, client };
}

/** A master with a replica, and the Sentinel that replaces the one with the other. */
export interface Watched {
  /** The address through the Sentinel. */
  address: string;
  master: Service;
}

/** Starts two Redis servers and a Sentinel. */
export async function startWatched(program: string, opened: AsyncDisposableStack): Promise<Watched> {
  const adopt = (service: Service) => opened.adopt(service, (started) => started.stop());
  const master = adopt(await startRedis(program));
  const replica = adopt(await startRedis(program, ["--replicaof", "127.0.0.1", String(portOf(master))]));
  const client = opened.adopt(new Redis(replica.url), (open) => open.disconnect());
  await until(async () => /master_link_status:up/.test(await client.info("replication")));
  const sentinel = adopt(await startSentinel(program, "portico", portOf(master)));
  const watcher = opened.adopt(new Redis(sentinel.url), (open) => open.disconnect());
  await until(async () => /slaves=1/.test(await watcher.info("sentinel")));
  return { address: `redis+sentinel://127.0.0.1:${portOf(sentinel)}/portico`, master };
}

function portOf({ url }: Service): number {
  return Number(new URL(url).port);
}

/** Waits until `isSo`; a rejection counts as no. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    if (await isSo().catch(() => false)) return;
    if (performance.now() > deadline) throw new Error(`it was not so within ${WITHIN_MS} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}
