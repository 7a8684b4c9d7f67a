import { compareWorks, type WorksResult } from "../beside/compare-works.ts";
import type { Entrant } from "../beside/measure-works.ts";
import { type StoredService, startBoth } from "../beside/start-both.ts";
import { settle } from "../contenders/fill-store.ts";
import { worldOf } from "../contenders/service.ts";
import { runFullLoad } from "../load/full-load.ts";
import { runPacedLoad } from "../load/paced-load.ts";
import { newSender, sendSigner } from "../load/signed-requests.ts";
import { measure, type Phase } from "../phase.ts";
import type { Run } from "../run.ts";
import { consoleWorks } from "./console-works.ts";
import { fillConsole } from "./fill-console.ts";

/** Signed sends while developers look at lists, in a second. */
export const SENDS_PER_SECOND = 200;
/** Connections of developers during these sends, each of which asks again as soon as it is answered. */
export const LOOKING = 4;
/** More than a phase can use. */
const READS_PER_SECOND = 30_000;

/** Signed sends of one service while a list is read, round by round; `beside` is null for those with the service to themselves. */
export interface SendsBeside {
  service: string;
  beside: string | null;
  rounds: Phase[];
}

export interface ConsoleResult extends WorksResult {
  sends: SendsBeside[];
}

/**
 * Measures the lists of the console beside a bare server with the same answers, and signed sends while lists are read, on
 * stores with thousands of what is listed.
 */
export async function compareConsole(run: Run): Promise<ConsoleResult> {
  const sender = newSender();
  const both = await startBoth({ world: worldOf(sender), env: {} }, run);
  const prepare = async ({ service, store }: StoredService) => {
    run.progress(`filling: ${service.name}`);
    const now = Date.now();
    await fillConsole(store, sender, now);
    await settle(store);
    return consoleWorks(sender, now);
  };
  const sends: SendsBeside[] = [];
  const result = await compareWorks(both, sendSigner(sender, "text"), prepare, run, async (entrant) => {
    const service = entrant.service.name;
    for (const [beside, phase] of await sendBeside(entrant, run)) {
      const known = sends.find((figures) => figures.service === service && figures.beside === beside);
      if (known === undefined) sends.push({ service, beside, rounds: [phase] });
      else known.rounds.push(phase);
    }
  });
  return { ...result, sends };
}

/** Sends to a service that has nothing else to do, and then while each of the lists is read. */
async function sendBeside({ service, signer, works }: Entrant, { options }: Run): Promise<[string | null, Phase][]> {
  const { connections, seconds } = options;
  const send = () => {
    const requests = signer.sign(SENDS_PER_SECOND * seconds, false);
    return measure(service, connections, (open) => runPacedLoad(open, requests, SENDS_PER_SECOND));
  };
  const phases: [string | null, Phase][] = [[null, await send()]];
  for (const { name, requests } of works.reads) {
    const some = requests(READS_PER_SECOND * seconds);
    const reads = measure(service, LOOKING, (open) => runFullLoad(open, some, seconds), works.succeeds);
    const [phase] = await Promise.all([send(), reads]);
    phases.push([name, phase]);
  }
  return phases;
}
