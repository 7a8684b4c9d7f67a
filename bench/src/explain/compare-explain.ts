import type { Contender } from "../contenders/contender.ts";
import { openDatabases } from "../contenders/databases.ts";
import { OWNER, startDistributed, startEmbedded } from "../contenders/service.ts";
import { openConnections } from "../load/connection.ts";
import { type Quantiles, quantilesOf } from "../load/latencies.ts";
import { runPacedLoad } from "../load/paced-load.ts";
import { consoleOf, signInDeveloper } from "../load/sign-in.ts";
import { newSender, type Sender, sendSigner } from "../load/signed-requests.ts";
import type { Run } from "../run.ts";
import { timeExplanation } from "./refused-call.ts";

/** The load during the measurement, in calls per second. */
export const CALLS_PER_SECOND = 2_000;
const REFUSED_EVERY_MS = 100;
const WARM_UP_SECONDS = 1;

/** The time from the answer of a refused call to its explanation, in milliseconds. */
export interface ExplainFigures extends Quantiles {
  name: string;
  explained: number;
  /** The rate that the load reached. */
  perSecond: number;
}

export interface ExplainResult {
  services: ExplainFigures[];
  skipped: { name: string; reason: string }[];
  notes: string[];
}

/**
 * Measures how soon after a refusal for a wrong signature the call's explanation can be read, under load: on the
 * embedded service and, where possible, on the distributed one, at another process than the one that refused the call.
 */
export async function compareExplain(run: Run): Promise<ExplainResult> {
  const { memory, opened } = run;
  const sender = newSender();
  const start = async (contender: Promise<Contender>) =>
    opened.adopt(memory.watch(await contender), (started) => started.stop());
  const embedded = await start(startEmbedded(null, sender));
  const services = [await measure("embedded", embedded.port, embedded.port, sender, run)];
  const databases = await openDatabases(process.env);
  if ("missing" in databases) {
    return { services, skipped: [{ name: "distributed", reason: databases.missing }], notes: [] };
  }
  opened.defer(() => databases.stop());
  const [first, second] = [
    await start(startDistributed(null, sender, databases)),
    await start(startDistributed(null, sender, databases)),
  ];
  services.push(await measure("distributed, other process", first.port, second.port, sender, run));
  return { services, skipped: [], notes: databases.description };
}

async function measure(
  name: string,
  port: number,
  consolePort: number,
  sender: Sender,
  { options: { rounds, seconds, connections }, opened, progress }: Run,
): Promise<ExplainFigures> {
  const owner = consoleOf(consolePort, await signInDeveloper(consolePort, OWNER));
  const open = opened.adopt(await openConnections(port, connections), (all) => {
    for (const connection of all) connection.close();
  });
  const signer = sendSigner(sender, "text");
  const timesMs: number[] = [];
  let perSecond = 0;
  for (let round = 0; round <= rounds; round++) {
    const isWarmUp = round === 0;
    progress(`${name}: ${isWarmUp ? "warming up" : `round ${round} of ${rounds}`}`);
    const requests = signer.sign(CALLS_PER_SECOND * (isWarmUp ? WARM_UP_SECONDS : seconds), false);
    let isOver = false;
    const load = runPacedLoad(open, requests, CALLS_PER_SECOND).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const took = await timeExplanation(port, sender, owner);
      if (!isWarmUp) timesMs.push(took);
      await new Promise((resolve) => setTimeout(resolve, REFUSED_EVERY_MS));
    }
    const { answered, elapsedMs } = await load;
    if (!isWarmUp) perSecond += answered / (elapsedMs / 1_000) / rounds;
  }
  return { name, explained: timesMs.length, perSecond, ...quantilesOf(timesMs) };
}
