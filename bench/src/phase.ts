import type { Contender } from "./contenders/contender.ts";
import { isSuccess } from "./load/answer.ts";
import { type Connection, openConnections } from "./load/connection.ts";
import { runFullLoad } from "./load/full-load.ts";
import { runPacedLoad } from "./load/paced-load.ts";
import type { RequestSigner } from "./load/signed-requests.ts";
import type { Outcome } from "./load/tally.ts";
import { cpuSecondsOf } from "./process-usage.ts";
import { WARM_UP_SECONDS } from "./warm-up.ts";

/** The figures of one phase: one contender under one load. */
export interface Phase {
  answered: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Share of one core used by the server's process; null when the system does not report it. */
  serverCpu: number | null;
  /** Processor time of the server's process per call. */
  serverCpuMsPerCall: number | null;
  /** Share of one core used by the load generator. */
  generatorCpu: number;
}

/** A contender and its state during the phases. */
export interface Entrant {
  contender: Contender;
  /** The connections to it during a phase. */
  connections: number;
  /** Calls acknowledged so far. */
  acknowledged: number;
  /** The highest rate so far, in calls per second; decides how many requests to sign for a phase. */
  fastest: number;
}

/** A warm-up is made of parts, so that not all of its requests are in memory at once. */
const WARM_UP_PART = { seconds: 2.5, requests: 60_000 };
/** The factor of requests signed in addition to those that the fastest phase so far would use. */
const SPARE = 1.3;

/** Lets the server's code be compiled, and measures its speed. */
export async function warmUp(entrant: Entrant, signer: RequestSigner): Promise<void> {
  const { seconds, requests } = WARM_UP_PART;
  for (let warmed = 0; warmed < WARM_UP_SECONDS; ) {
    const signed = signer.sign(requests, entrant.contender.keyed);
    const phase = await measureEntrant(entrant, (connections) => runFullLoad(connections, signed, seconds));
    entrant.fastest = Math.max(entrant.fastest, phase.perSecond);
    warmed += phase.answered / phase.perSecond;
  }
}

/** The maximum load, for `seconds` or until the requests signed in advance are used up. */
export async function fullLoad(entrant: Entrant, signer: RequestSigner, seconds: number): Promise<Phase> {
  const requests = signer.sign(Math.ceil(entrant.fastest * seconds * SPARE), entrant.contender.keyed);
  const phase = await measureEntrant(entrant, (connections) => runFullLoad(connections, requests, seconds));
  entrant.fastest = Math.max(entrant.fastest, phase.perSecond);
  return phase;
}

/** A load of `perSecond` calls, for `seconds` or until the requests signed in advance are used up. */
export async function pacedLoad(
  entrant: Entrant,
  signer: RequestSigner,
  perSecond: number,
  seconds: number,
): Promise<Phase> {
  const requests = signer.sign(Math.ceil(perSecond * seconds), entrant.contender.keyed);
  return await measureEntrant(entrant, (connections) => runPacedLoad(connections, requests, perSecond));
}

async function measureEntrant(entrant: Entrant, load: (connections: Connection[]) => Promise<Outcome>): Promise<Phase> {
  const phase = await measure(entrant.contender, entrant.connections, load);
  entrant.acknowledged += phase.answered;
  return phase;
}

/** Measures a load on new connections to a server; `succeeds` tells its successes. */
export async function measure(
  { pid, port }: { pid: number; port: number },
  count: number,
  load: (connections: Connection[]) => Promise<Outcome>,
  succeeds = isSuccess,
): Promise<Phase> {
  const connections = await openConnections(port, count, succeeds);
  const serverBefore = cpuSecondsOf(pid);
  const generatorBefore = process.cpuUsage();
  const { answered, elapsedMs, p50Ms, p99Ms } = await load(connections);
  const generator = process.cpuUsage(generatorBefore);
  const serverAfter = cpuSecondsOf(pid);
  for (const connection of connections) connection.close();

  const serverMs = serverBefore === null || serverAfter === null ? null : (serverAfter - serverBefore) * 1_000;
  return {
    answered,
    perSecond: (answered / elapsedMs) * 1_000,
    p50Ms,
    p99Ms,
    serverCpu: serverMs && serverMs / elapsedMs,
    serverCpuMsPerCall: serverMs && serverMs / answered,
    generatorCpu: (generator.user + generator.system) / 1_000 / elapsedMs,
  };
}
