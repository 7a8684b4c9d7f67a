import type { Child } from "../contenders/child.ts";
import type { Contender } from "../contenders/contender.ts";
import { openDatabases } from "../contenders/databases.ts";
import { settle } from "../contenders/fill-store.ts";
import { distributedOn, startService, worldOf } from "../contenders/service.ts";
import { newSender, type Sender, sendSigner } from "../load/signed-requests.ts";
import { moveToGeneratorCores } from "../machine.ts";
import { type Entrant, fullLoad, type Phase, warmUp } from "../phase.ts";
import type { Run } from "../run.ts";
import { fillMessages, MESSAGES } from "./fill-messages.ts";

/** One engine's phases, on a store that was empty and on one with a million messages, round by round. */
export interface GrownFigures {
  name: string;
  empty: Phase[];
  grown: Phase[];
}

export interface GrownResult {
  engines: GrownFigures[];
  skipped: { name: string; reason: string }[];
  notes: string[];
}

/** The environment of a service, and the database that it keeps its data in; null when embedded. */
interface Home {
  env: Record<string, string>;
  postgresUrl: string | null;
}

/** Compares the sends to a store with {@link MESSAGES} messages with those to an empty one, in turns, on both engines. */
export async function compareGrown(run: Run): Promise<GrownResult> {
  const embedded = { env: {}, postgresUrl: null };
  const engines = [await compareStores("embedded", embedded, embedded, run)];
  const homes = [await openHome(run), await openHome(run)] as const;
  const [empty, grown] = homes;
  if ("missing" in empty) return { engines, skipped: [{ name: "distributed", reason: empty.missing }], notes: [] };
  if ("missing" in grown) return { engines, skipped: [{ name: "distributed", reason: grown.missing }], notes: [] };
  engines.push(await compareStores("distributed", empty, grown, run));
  return { engines, skipped: [], notes: empty.description };
}

/** Databases of their own servers, so that what one store makes PostgreSQL do later does not count for the other. */
async function openHome({ opened }: Run): Promise<(Home & { description: string[] }) | { missing: string }> {
  const databases = await openDatabases(process.env);
  if ("missing" in databases) return databases;
  opened.defer(() => databases.stop());
  const { postgresUrl, description } = databases;
  return { env: distributedOn(databases), postgresUrl, description };
}

async function compareStores(name: string, empty: Home, grown: Home, run: Run): Promise<GrownFigures> {
  await using opened = new AsyncDisposableStack();
  const { options, placement, progress } = run;
  const sender = newSender();
  const contenders = [
    opened.adopt(await start(`${name}, empty`, empty, false, sender, run), stop),
    opened.adopt(await start(`${name}, grown`, grown, true, sender, run), stop),
  ];
  opened.use(moveToGeneratorCores(placement));
  const entrants = contenders.map((contender): Entrant => {
    return { contender, connections: options.connections, acknowledged: 0, fastest: 0 };
  });
  const signer = sendSigner(sender, "text");
  for (const entrant of entrants) await warmUp(entrant, signer);
  const phases: Phase[][] = entrants.map(() => []);
  for (let round = 1; round <= options.rounds; round++) {
    // The order changes, so that neither always comes just after the other.
    const order = round % 2 === 1 ? [0, 1] : [1, 0];
    for (const index of order) {
      const entrant = entrants[index];
      if (entrant === undefined) continue;
      const phase = await fullLoad(entrant, signer, options.seconds);
      phases[index]?.push(phase);
      const rate = Math.round(phase.perSecond);
      progress(`round ${round} of ${options.rounds}: ${entrant.contender.name}, ${rate} calls/s`);
    }
  }
  const [onEmpty = [], onGrown = []] = phases;
  return { name, empty: onEmpty, grown: onGrown };
}

function stop(child: Child): Promise<void> {
  return child.stop();
}

async function start(
  name: string,
  home: Home,
  isGrown: boolean,
  sender: Sender,
  { memory, placement, progress }: Run,
): Promise<Contender> {
  let dataDir = "";
  const prepare = async (whole: Record<string, string>) => {
    dataDir = whole.PORTICO_DATA_DIR ?? "";
  };
  const setup = { world: worldOf(sender), env: home.env, prepare };
  const child = memory.watch(await startService(name, placement.serverCore, setup));
  if (isGrown) {
    progress(`${name}: inserting ${MESSAGES} messages`);
    const store = { dataDir, postgresUrl: home.postgresUrl };
    await fillMessages(store, sender);
    await settle(store);
  }
  return { keepsMessages: true, keyed: true, ...child };
}
