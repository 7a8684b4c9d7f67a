import { setImmediate as nextTurn } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { Requests } from "./signed-requests.ts";
import { type Outcome, Tally } from "./tally.ts";

/** Interval at which answers are read; an answer is seen at most this much too late. */
const LONGEST_NAP_MS = 0.1;

/**
 * Sends all of `requests` at an even rate of `perSecond`, without waiting for earlier answers. Latency counts from the
 * time at which a request was due, even if no connection was free then, so that a stall counts for every request it
 * delays.
 *
 * @throws when a call is refused or a connection breaks.
 */
export async function runPacedLoad(connections: Connection[], requests: Requests, perSecond: number): Promise<Outcome> {
  const tally = new Tally(requests.count);
  const gapMs = 1_000 / perSecond;
  const idle = [...connections];
  const failures: unknown[] = [];
  const send = async (connection: Connection, index: number) => {
    const refusal = await connection.exchange(requests.at(index));
    tally.note(tally.startedMs + index * gapMs, refusal);
    idle.push(connection);
  };

  let next = 0;
  while (next < requests.count || idle.length < connections.length) {
    const elapsedMs = performance.now() - tally.startedMs;
    while (next < requests.count && next * gapMs <= elapsedMs) {
      const connection = idle.pop();
      if (connection === undefined) break;
      send(connection, next++).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    const waitMs = idle.length > 0 && next < requests.count ? next * gapMs - elapsedMs : LONGEST_NAP_MS;
    nap(Math.min(LONGEST_NAP_MS, waitMs));
    await nextTurn();
  }
  return tally.close();
}

const never = new Int32Array(new SharedArrayBuffer(4));

/** Gives up the processor core for a time that is too short for timers. */
function nap(ms: number): void {
  if (ms > 0) Atomics.wait(never, 0, 0, ms);
}
