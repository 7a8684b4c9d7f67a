import { execFile } from "node:child_process";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Databases } from "../contenders/databases.ts";
import { distributedOn, startService } from "../contenders/service.ts";
import { Connection, openConnections } from "../load/connection.ts";
import { newSender, sendSigner } from "../load/signed-requests.ts";
import { cpuSecondsOf, memoryBytesOf } from "../process-usage.ts";
import type { Effort } from "./attacker.ts";
import { type ProbeFigures, probe } from "./probe-load.ts";
import { startAttacker } from "./run-attacker.ts";
import type { Engine, Probe, Scenario, Site } from "./scenario.ts";
import { attackedWorld } from "./world.ts";

const run = promisify(execFile);

/** The well-behaved sender: sends per second, and connections. */
const SENDS_PER_SECOND = 200;
const SENDER_CONNECTIONS = 8;
const WARM_UP_SECONDS = 2;
/** Time for the attack to get going before the measurement begins. */
const UNDER_WAY_MS = 1_000;
const MEMORY_EVERY_MS = 50;

/** The measurements of one well-behaved caller, without and during the attack. */
export interface Fared {
  name: string;
  calm: ProbeFigures;
  attacked: ProbeFigures;
}

/** The effect of an attack on a service. */
export interface AttackResult {
  scenario: string;
  engine: Engine;
  callers: Fared[];
  /** The service's peak memory during the attack; null when the system does not report it. */
  peakMemoryBytes: number | null;
  effort: Effort;
  /** The service's processor time per second of the attack; null when the system does not report it. */
  serviceCores: number | null;
}

/** How each attack is measured. */
export interface AttackSetup {
  /** Duration of one phase. */
  seconds: number;
  /** Whether the attacker needs a real-time priority, because the other processes have one. */
  realTime: boolean;
}

/** Starts a service, measures its well-behaved callers without and then during the attack, and stops the service. */
export async function measureAttack(
  scenario: Scenario,
  databases: Databases | null,
  { seconds, realTime }: AttackSetup,
  progress: (line: string) => void,
): Promise<AttackResult> {
  await using opened = new AsyncDisposableStack();
  const engine = databases === null ? "embedded" : "distributed";
  const site = await startSite(scenario, databases, opened);
  await scenario.prepare?.(site, progress);
  const probes = await Promise.all(probesOf(scenario, seconds, opened).map((one) => ready(one, site)));
  const phase = (length: number) => Promise.all(probes.map(({ call, perSecond }) => probe(call, perSecond, length)));

  progress(`${scenario.name}, ${engine}: calm`);
  await phase(WARM_UP_SECONDS);
  const calm = await phase(seconds);
  progress(`${scenario.name}, ${engine}: under attack`);
  const attack = startAttacker(scenario, site, realTime);
  await sleep(UNDER_WAY_MS);
  const memory = watchMemory(site.pid);
  const cpuBefore = cpuSecondsOf(site.pid);
  const attackedMs = performance.now();
  const attacked = await phase(seconds);
  const elapsedSeconds = (performance.now() - attackedMs) / 1_000;
  const cpuAfter = cpuSecondsOf(site.pid);
  const serviceCores = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / elapsedSeconds;
  const peakMemoryBytes = memory.stop();
  const effort = await attack.end();
  const callers = probes.map(({ name }, index) => {
    const [before, beside] = [calm[index], attacked[index]];
    if (before === undefined || beside === undefined) throw new Error(`${name} was not measured`);
    return { name, calm: before, attacked: beside };
  });
  return { scenario: scenario.name, engine, callers, peakMemoryBytes, effort, serviceCores };
}

async function startSite(scenario: Scenario, databases: Databases | null, opened: AsyncDisposableStack): Promise<Site> {
  const sender = newSender();
  let dataDir = "";
  const service = await startService(scenario.name, null, {
    world: attackedWorld(sender, scenario.world),
    env: { ...(databases && distributedOn(databases)), ...scenario.env },
    prepare: async (env) => {
      if (scenario.smallDiskMib !== undefined) {
        env.PORTICO_DATA_DIR = await mountSmallDisk(scenario.smallDiskMib, opened);
      }
      dataDir = env.PORTICO_DATA_DIR ?? "";
    },
  });
  opened.defer(() => service.stop());
  const { port, pid } = service;
  const { postgresUrl = null, redisUrl = null } = databases ?? {};
  return { engine: databases === null ? "embedded" : "distributed", port, pid, dataDir, postgresUrl, redisUrl, sender };
}

function probesOf({ withoutSends, probes = [] }: Scenario, seconds: number, opened: AsyncDisposableStack): Probe[] {
  return withoutSends ? [...probes] : [sends(seconds, opened), ...probes];
}

/** Mounts a file system in memory; returns its directory. */
async function mountSmallDisk(mib: number, opened: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "portico-bench-disk-"));
  opened.defer(() => rmdir(directory));
  await run("mount", ["-t", "tmpfs", "-o", `size=${mib}m`, "tmpfs", directory]);
  opened.defer(async () => {
    await run("umount", [directory]);
  });
  return directory;
}

async function ready(probe: Probe, site: Site) {
  return { name: probe.name, perSecond: probe.perSecond, call: await probe.open(site) };
}

/** Sends of texts to the group, signed in advance. */
function sends(seconds: number, opened: AsyncDisposableStack): Probe {
  return {
    name: "send",
    perSecond: SENDS_PER_SECOND,
    async open({ port, sender }) {
      const connections = opened.adopt(await openConnections(port, SENDER_CONNECTIONS), closeAll);
      const requests = sendSigner(sender, "text").sign(SENDS_PER_SECOND * (2 * seconds + WARM_UP_SECONDS), false);
      const idle = new Idle(connections);
      let next = 0;
      return async () => {
        let connection = await idle.take();
        try {
          connection = connection.isBroken ? await Connection.open(port) : connection;
          const refusal = await connection.exchange(requests.at(next++));
          if (refusal !== null) throw new Error(refusal);
        } finally {
          idle.giveBack(connection);
        }
      };
    },
  };
}

function closeAll(connections: Connection[]): void {
  for (const connection of connections) connection.close();
}

/** A pool of free connections, first come, first served. */
class Idle {
  readonly #free: Connection[];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(connections: Connection[]) {
    this.#free = [...connections];
  }

  async take(): Promise<Connection> {
    return this.#free.pop() ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
  }

  giveBack(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(connection);
    else next(connection);
  }
}

function watchMemory(pid: number) {
  let peak: number | null = null;
  const timer = setInterval(() => {
    const bytes = memoryBytesOf(pid);
    if (bytes !== null) peak = Math.max(peak ?? 0, bytes);
  }, MEMORY_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}
