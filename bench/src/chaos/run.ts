import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../attack/scenario.ts";
import { Follower } from "./followers.ts";
import { Ledger } from "./ledger.ts";
import { allLoads } from "./loads/index.ts";
import { type LoadCounts, type LoadParts, runLoad } from "./loads/load.ts";
import type { ChaosOptions } from "./options.ts";
import { type PlannedFault, planFaults } from "./plan.ts";
import { Random } from "./random.ts";
import type { Ending } from "./service-process.ts";
import { consoleAt, forgetTokens } from "./sign-in.ts";
import { openSite, type Site } from "./site.ts";
import { type Found, verify } from "./verify.ts";
import { RECOVERY_MS, Weather } from "./weather.ts";
import { BOT, BOT_EVENT, DESK, DESK_EVENT } from "./world.ts";

/** The faults of one kind in a run. */
export interface FaultTally {
  name: string;
  times: number;
  /** The longest time from the end of the fault to the recovery, in milliseconds. */
  worstRecoveryMs: number;
}

/** The result of a run. */
export interface ChaosResult {
  engine: Engine;
  seconds: number;
  faults: FaultTally[];
  /** Faults that this machine cannot make, with the reason. */
  skipped: string[];
  loads: ({ name: string } & LoadCounts)[];
  acknowledged: number;
  found: Found;
  violations: string[];
  violationCount: number;
}

/** The time for unfinished work after the end of the load. */
const FINISH_WITHIN_MS = 60_000;

/**
 * Runs a service under load and faults, and verifies the result.
 *
 * @throws when the service or a database cannot be started.
 */
export async function runChaos(
  engine: Engine,
  { seconds, seed, processes, faults, logs }: ChaosOptions,
  progress: (line: string) => void,
): Promise<ChaosResult> {
  await using opened = new AsyncDisposableStack();
  const random = new Random(seed).fork(engine);
  const openedAt = performance.now();
  const ledger = new Ledger((what) => {
    progress(`BROKEN at ${((performance.now() - openedAt) / 1_000).toFixed(1)} s: ${what}`);
  });
  const weather = new Weather();
  forgetTokens();
  const onEnd = (ending: Ending, output: string) => {
    if (weather.endings.includes(ending)) return;
    ledger.violate(`a process ended by itself with ${ending}:\n${output}`);
  };
  const site = await openSite(engine, { count: processes, logs }, random, opened, onEnd);
  await subscribe(site);
  const followers = site.processes.map((each) => opened.use(new Follower(each, ledger)));

  const missing = faults.filter((fault) => fault.engines.includes(engine) && fault.missing(site) !== null);
  const possible = faults.filter((fault) => fault.engines.includes(engine) && fault.missing(site) === null);
  const plan = planFaults(possible, seconds, random.fork("plan"));
  const stop = new AbortController();
  const giveUp = new AbortController();
  const parts: LoadParts = { site, ledger, weather, random, until: stop.signal, giveUp: giveUp.signal };
  const loads = allLoads().map((load) => ({ load, counts: { succeeded: 0, failed: 0 } }));
  const startedAt = performance.now();
  const running = Promise.all(loads.map(({ load, counts }) => runLoad(load, parts, counts)));
  const tallies = await makeFaults(plan, startedAt, { site, ledger, weather, progress });
  await sleep(Math.max(0, startedAt + seconds * 1_000 - performance.now()));
  stop.abort();
  const timer = setTimeout(() => giveUp.abort(), FINISH_WITHIN_MS);
  await running;
  clearTimeout(timer);
  progress("comparing what is stored and delivered with what was acknowledged");
  const found = await verify(site, ledger, followers);
  return {
    engine,
    seconds,
    faults: tallies,
    skipped: missing.map((fault) => `${fault.name}: ${fault.missing(site)}`),
    loads: loads.map(({ load, counts }) => ({ name: load.name, ...counts })),
    acknowledged: ledger.acknowledged,
    found,
    violations: ledger.violations,
    violationCount: ledger.violationCount,
  };
}

/** Subscribes the receiver to the events of the bot and of the desk. */
async function subscribe({ processes, receiver }: Site): Promise<void> {
  const api = await consoleAt(processes[0]?.url ?? "");
  for (const [{ appId }, eventType] of [
    [BOT, BOT_EVENT],
    [DESK, DESK_EVENT],
  ] as const) {
    await api.subscribe({ params: { appId, eventType }, body: { callbackUrl: receiver.url } });
  }
}

interface FaultParts {
  site: Site;
  ledger: Ledger;
  weather: Weather;
  progress: (line: string) => void;
}

/** Makes the faults one after another, and waits for the recovery from each. */
async function makeFaults(plan: PlannedFault[], startedAt: number, parts: FaultParts): Promise<FaultTally[]> {
  const { site, ledger, weather, progress } = parts;
  const tallies = new Map<string, FaultTally>();
  for (const { fault, atMs, forMs, random } of plan) {
    // A slow recovery delays the faults after it.
    await sleep(Math.max(0, startedAt + atMs - performance.now()));
    const atSecond = ((performance.now() - startedAt) / 1_000).toFixed(1);
    weather.disturb(fault.endings);
    const end = await fault.begin(site, random);
    await sleep(forMs);
    await end();
    const endedAt = performance.now();
    const areReady = await Promise.all(site.processes.map((each) => each.isReadyWithin(RECOVERY_MS)));
    const recoveryMs = Math.round(performance.now() - endedAt);
    if (areReady.includes(false))
      ledger.violate(`${fault.name} at ${atSecond} s: not ready ${RECOVERY_MS / 1_000} s later`);
    weather.settle(endedAt);
    progress(`${atSecond} s: ${fault.name} for ${(forMs / 1_000).toFixed(1)} s, ready again after ${recoveryMs} ms`);
    const { times = 0, worstRecoveryMs = 0 } = tallies.get(fault.name) ?? {};
    const worst = Math.max(worstRecoveryMs, recoveryMs);
    tallies.set(fault.name, { name: fault.name, times: times + 1, worstRecoveryMs: worst });
  }
  return [...tallies.values()];
}
