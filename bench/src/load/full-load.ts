import type { Connection } from "./connection.ts";
import type { Requests } from "./signed-requests.ts";
import { type Outcome, Tally } from "./tally.ts";

/**
 * The maximum load: every connection sends its next request as soon as it has an answer, until the time is over or the
 * requests are used up.
 *
 * @throws when a call is refused or a connection breaks.
 */
export async function runFullLoad(connections: Connection[], requests: Requests, seconds: number): Promise<Outcome> {
  const tally = new Tally(requests.count);
  const endMs = tally.startedMs + seconds * 1_000;
  let next = 0;
  const keepBusy = async (connection: Connection) => {
    for (;;) {
      const sentMs = performance.now();
      if (next === requests.count || sentMs >= endMs) return;
      const refusal = await connection.exchange(requests.at(next++));
      tally.note(sentMs, refusal);
    }
  };
  await Promise.all(connections.map(keepBusy));
  return tally.close();
}
