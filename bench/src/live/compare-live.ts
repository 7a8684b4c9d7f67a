import type { Contender } from "../contenders/contender.ts";
import { openDatabases } from "../contenders/databases.ts";
import { MEMBERS, startDistributed, startEmbedded } from "../contenders/service.ts";
import { type Quantiles, quantilesOf } from "../load/latencies.ts";
import { SignedCaller } from "../load/signed-caller.ts";
import { newSender, type Sender } from "../load/signed-requests.ts";
import type { Run } from "../run.ts";
import { latenessOf } from "./lateness.ts";
import { LiveStream } from "./live-stream.ts";
import { makeChanges } from "./make-changes.ts";

/** The delays of changes at one stream, in milliseconds after their answers. */
export interface StreamFigures extends Quantiles {
  name: string;
  changes: number;
}

export interface LiveResult {
  streams: StreamFigures[];
  /** Processes that could not take part, with the reason. */
  skipped: { name: string; reason: string }[];
  notes: string[];
}

const WARM_UP_SECONDS = 1;

/**
 * Measures the time from a call's answer to the arrival of its change at members' streams: on the embedded service and,
 * where possible, at two processes of the distributed one, with all calls made to the first.
 *
 * @throws when a call does not succeed, or a stream does not deliver every change once and in order.
 */
export async function compareLive(run: Run): Promise<LiveResult> {
  const { memory, opened } = run;
  const sender = newSender();
  const start = async (contender: Promise<Contender>) =>
    opened.adopt(memory.watch(await contender), (started) => started.stop());

  const embedded = await start(startEmbedded(null, sender));
  const streams = await watch([{ name: "embedded", port: embedded.port }], sender, run);

  const databases = await openDatabases(process.env);
  if ("missing" in databases) {
    return { streams, skipped: [{ name: "distributed", reason: databases.missing }], notes: [] };
  }
  opened.defer(() => databases.stop());
  const first = await start(startDistributed(null, sender, databases));
  const second = await start(startDistributed(null, sender, databases));
  const places = [
    { name: "distributed, same process", port: first.port },
    { name: "distributed, other process", port: second.port },
  ];
  return { streams: [...streams, ...(await watch(places, sender, run))], skipped: [], notes: databases.description };
}

/** Makes changes at the first of `places` while a member's stream is open at each, and measures the delays. */
async function watch(
  places: { name: string; port: number }[],
  sender: Sender,
  { options: { rounds, seconds }, opened, progress }: Run,
): Promise<StreamFigures[]> {
  const caller = opened.use(new SignedCaller(places[0]?.port ?? 0, sender));
  const watched = await Promise.all(
    places.map(async ({ name, port }, index) => {
      const stream = opened.adopt(await LiveStream.open(port, memberAt(index)), (open) => open.close());
      return { name, stream, lateMs: [] as number[] };
    }),
  );
  let lastSeq = 0;
  for (let round = 0; round <= rounds; round++) {
    const warmingUp = round === 0;
    progress(`${places[0]?.name}: ${warmingUp ? "warming up" : `round ${round} of ${rounds}`}`);
    const changes = await makeChanges(caller, sender.groupId, warmingUp ? WARM_UP_SECONDS : seconds);
    for (const { stream, lateMs } of watched) {
      const late = latenessOf(changes, await stream.take(changes.length), lastSeq);
      if (!warmingUp) lateMs.push(...late);
    }
    lastSeq += changes.length;
  }
  return watched.map(({ name, lateMs }) => ({ name, changes: lateMs.length, ...quantilesOf(lateMs) }));
}

function memberAt(index: number) {
  const member = MEMBERS[index];
  if (member === undefined) throw new Error("there are more places than members");
  return member;
}
