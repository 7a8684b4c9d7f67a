import { setTimeout as sleep } from "node:timers/promises";
import { openDatabases } from "../contenders/databases.ts";
import { distributedOn, startService, worldOf } from "../contenders/service.ts";
import { type Quantiles, quantilesOf } from "../load/latencies.ts";
import { newSender } from "../load/signed-requests.ts";
import { moveToGeneratorCores } from "../machine.ts";
import { cpuSecondsOf, memoryBytesOf } from "../process-usage.ts";
import type { Run } from "../run.ts";
import { Conversations } from "./conversations.ts";
import { AGENTS, fillOffice, OFFICE_APP, VISITORS } from "./office.ts";

/** The figures of one process with its visitors and agents. */
export interface OfficeFigures {
  name: string;
  /** Memory of the process before the first stream, with all of them idle, and after they have talked. */
  emptyBytes: number | null;
  idleBytes: number | null;
  talkedBytes: number | null;
  /** Share of one core while nobody writes, and while they do. */
  idleCpu: number;
  talkCpu: number;
  /** From the call that sends a message until the other side's stream has it. */
  toAgent: Quantiles;
  toVisitor: Quantiles;
}

export interface DeskResult {
  processes: OfficeFigures[];
  skipped: { name: string; reason: string }[];
  notes: string[];
}

/** Longer than a round of heartbeats, so that each stream has been checked. */
const IDLE_MS = 40_000;
const SETTLE_MS = 3_000;
const TALK_SECONDS = 20;
/** Visitors' messages in a second; as many are answers. */
export const PER_SECOND = 50;

/** Measures what connected visitors and agents cost one process, idle and in conversation. */
export async function compareDesk(run: Run): Promise<DeskResult> {
  const embedded = await measure("embedded", null, run);
  const databases = await openDatabases(process.env);
  if ("missing" in databases) {
    return { processes: [embedded], skipped: [{ name: "distributed", reason: databases.missing }], notes: [] };
  }
  run.opened.defer(() => databases.stop());
  const env = distributedOn(databases);
  const distributed = await measure("distributed", { env, postgresUrl: databases.postgresUrl }, run);
  return { processes: [embedded, distributed], skipped: [], notes: databases.description };
}

async function measure(
  name: string,
  distributed: { env: Record<string, string>; postgresUrl: string } | null,
  { memory, placement, progress }: Run,
): Promise<OfficeFigures> {
  await using opened = new AsyncDisposableStack();
  let dataDir = "";
  const world = worldOf(newSender());
  const setup = {
    world: { ...world, apps: [...world.apps, OFFICE_APP] },
    env: { ...distributed?.env },
    async prepare(whole: Record<string, string>) {
      dataDir = whole.PORTICO_DATA_DIR ?? "";
    },
  };
  const service = opened.adopt(memory.watch(await startService(name, placement.serverCore, setup)), (started) =>
    started.stop(),
  );
  opened.use(moveToGeneratorCores(placement));
  await fillOffice({ dataDir, postgresUrl: distributed?.postgresUrl ?? null });
  await sleep(SETTLE_MS);
  const { pid } = service;
  const emptyBytes = memoryBytesOf(pid);
  progress(`${name}: ${VISITORS} visitors and ${AGENTS} agents connect`);
  const conversations = opened.adopt(new Conversations(service.port), (open) => open.close());
  await conversations.open();
  const idleCpu = await cpuWhile(pid, () => sleep(IDLE_MS));
  const idleBytes = memoryBytesOf(pid);
  if (conversations.size !== VISITORS + AGENTS) throw new Error(`${name}: only ${conversations.size} streams are open`);
  progress(`${name}: ${PER_SECOND} visitors write in a second, and are answered`);
  let ways = { toAgent: [0], toVisitor: [0] };
  const talkCpu = await cpuWhile(pid, async () => {
    ways = await conversations.talk(TALK_SECONDS, PER_SECOND);
  });
  const talkedBytes = memoryBytesOf(pid);
  const [toAgent, toVisitor] = [quantilesOf(ways.toAgent), quantilesOf(ways.toVisitor)];
  return { name, emptyBytes, idleBytes, talkedBytes, idleCpu, talkCpu, toAgent, toVisitor };
}

/** The share of one core that a process takes while something happens. */
async function cpuWhile(pid: number, happen: () => Promise<unknown>): Promise<number> {
  const [before, startedMs] = [cpuSecondsOf(pid) ?? Number.NaN, performance.now()];
  await happen();
  return ((cpuSecondsOf(pid) ?? Number.NaN) - before) / ((performance.now() - startedMs) / 1_000);
}
