import { setTimeout as sleep } from "node:timers/promises";
import type { SentMessage } from "@portico/protocol";
import type { Child } from "../contenders/child.ts";
import { openDatabases } from "../contenders/databases.ts";
import { distributedOn, startService, worldOf } from "../contenders/service.ts";
import { type Quantiles, quantilesOf } from "../load/latencies.ts";
import { SignedCaller } from "../load/signed-caller.ts";
import { newSender, SEND_PATH, type Sender, sendBody } from "../load/signed-requests.ts";
import { moveToGeneratorCores } from "../machine.ts";
import { cpuSecondsOf, memoryBytesOf } from "../process-usage.ts";
import type { Run } from "../run.ts";
import { Audience } from "./audience.ts";
import { fillCrowd, IN_LARGE_GROUP, STREAMS } from "./crowd.ts";

/** The figures of one process with its streams. */
export interface CrowdFigures {
  name: string;
  /** Memory of the process before the first stream and with all of them idle; null when the system does not report it. */
  emptyBytes: number | null;
  idleBytes: number | null;
  /** Streams opened in a second. */
  openedPerSecond: number;
  /** Share of one core that the idle streams take. */
  idleCpu: number;
  /** The time from a message's call until the last member of the large group has it. */
  fanOut: Quantiles;
}

export interface StreamsResult {
  processes: CrowdFigures[];
  skipped: { name: string; reason: string }[];
  notes: string[];
}

/** Longer than a round of heartbeats, so that each stream has been checked. */
const IDLE_MS = 40_000;
const SETTLE_MS = 3_000;
const MESSAGES = 10;
/** Three quarters of the connections may be streams. */
const ENV = { PORTICO_LIMITS_CONNECTIONS: String(Math.ceil(STREAMS / 3) * 4 + 100) };

/** Measures what {@link STREAMS} streams of members cost one process, and how fast a large group's message reaches all. */
export async function compareStreams(run: Run): Promise<StreamsResult> {
  const { opened } = run;
  const sender = newSender();
  const embedded = await measure("embedded", null, sender, run);
  const databases = await openDatabases(process.env);
  if ("missing" in databases) {
    return { processes: [embedded], skipped: [{ name: "distributed", reason: databases.missing }], notes: [] };
  }
  opened.defer(() => databases.stop());
  const env = distributedOn(databases);
  const distributed = await measure("distributed", { env, postgresUrl: databases.postgresUrl }, sender, run);
  return { processes: [embedded, distributed], skipped: [], notes: databases.description };
}

async function measure(
  name: string,
  distributed: { env: Record<string, string>; postgresUrl: string } | null,
  sender: Sender,
  { memory, placement, progress }: Run,
): Promise<CrowdFigures> {
  await using opened = new AsyncDisposableStack();
  let dataDir = "";
  const prepare = async (whole: Record<string, string>) => {
    dataDir = whole.PORTICO_DATA_DIR ?? "";
  };
  const setup = { world: worldOf(sender), env: { ...ENV, ...distributed?.env }, prepare };
  const service = opened.adopt(memory.watch(await startService(name, placement.serverCore, setup)), (started) =>
    started.stop(),
  );
  opened.use(moveToGeneratorCores(placement));
  await fillCrowd({ dataDir, postgresUrl: distributed?.postgresUrl ?? null }, sender);
  await sleep(SETTLE_MS);
  const emptyBytes = memoryBytesOf(service.pid);
  progress(`${name}: opening ${STREAMS} streams`);
  const audience = opened.adopt(new Audience(), (open) => open.close());
  const startedMs = performance.now();
  await audience.open(service.port, STREAMS);
  const openedPerSecond = STREAMS / ((performance.now() - startedMs) / 1_000);
  const idle = await rest(service);
  if (audience.size !== STREAMS) throw new Error(`${name}: only ${audience.size} streams are still open`);
  progress(`${name}: ${MESSAGES} messages to a group of ${IN_LARGE_GROUP}`);
  const fanOut = quantilesOf(await tellAll(service, sender, audience));
  return { name, emptyBytes, openedPerSecond, ...idle, fanOut };
}

/** Leaves the streams alone. */
async function rest({ pid }: Child) {
  const before = cpuSecondsOf(pid) ?? Number.NaN;
  await sleep(IDLE_MS);
  const idleCpu = ((cpuSecondsOf(pid) ?? Number.NaN) - before) / (IDLE_MS / 1_000);
  return { idleBytes: memoryBytesOf(pid), idleCpu };
}

/** Sends messages one after another; returns how long each took to reach the last member. */
async function tellAll({ port }: Child, sender: Sender, audience: Audience): Promise<number[]> {
  using caller = new SignedCaller(port, sender);
  const tookMs: number[] = [];
  for (let number = 0; number < MESSAGES; number++) {
    const last = audience.next(IN_LARGE_GROUP);
    const startedMs = performance.now();
    await caller.call<SentMessage>("POST", SEND_PATH, sendBody(sender.groupId, "text", number, false));
    tookMs.push((await last) - startedMs);
  }
  return tookMs;
}
