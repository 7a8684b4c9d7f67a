import type { SentMessage } from "@portico/protocol";
import type { Contender } from "./contenders/contender.ts";
import { openDatabases } from "./contenders/databases.ts";
import { startFloor } from "./contenders/floor.ts";
import { type InsertRates, Pgbench } from "./contenders/pgbench.ts";
import { startDistributed, startEmbedded, startEmbeddedKeyed } from "./contenders/service.ts";
import type { MessageKind } from "./load/message-kinds.ts";
import { SignedCaller } from "./load/signed-caller.ts";
import { newSender, type RequestSigner, SEND_PATH, type Sender, sendBody, sendSigner } from "./load/signed-requests.ts";
import { moveToGeneratorCores } from "./machine.ts";
import { type Entrant, fullLoad, type Phase, pacedLoad, warmUp } from "./phase.ts";
import type { Run } from "./run.ts";

/** The figures of one contender in one round. */
export interface Round {
  full: Phase;
  half: Phase;
}

/** The figures of one contender in all rounds. */
export interface Showing {
  name: string;
  rounds: Round[];
  peakMemoryBytes: number | null;
  acknowledged: number;
  /** Messages in the conversation at the end; null for the floor, which stores none. */
  kept: number | null;
}

export interface SignedSendsResult {
  kind: MessageKind;
  /** All contenders, the floor first. */
  showings: Showing[];
  /** The same inserts by pgbench, after each round; none when it could not take part. */
  inserts: InsertRates[];
  /** Contenders that could not take part, with the reason. */
  skipped: { name: string; reason: string }[];
  notes: string[];
}

/**
 * Measures signed durable sends of one kind of message: to the floor, the embedded service and, where possible, the
 * distributed one, in turns.
 *
 * @throws when a call does not succeed or an acknowledged message is missing.
 */
export async function compareSignedSends(kind: MessageKind, run: Run): Promise<SignedSendsResult> {
  const { memory, options, placement, opened } = run;
  const sender = newSender();
  const core = placement.serverCore;
  const start = async (contender: Promise<Contender>) => opened.adopt(await contender, (started) => started.stop());
  const startService = async (service: Promise<Contender>) => memory.watch(await start(service));

  const databases = await openDatabases(process.env);
  if (!("missing" in databases)) opened.defer(() => databases.stop());
  const contenders = [await start(startFloor(core, sender.appSecret)), await startService(startEmbedded(core, sender))];
  // The cost of the key does not depend on the kind of message.
  if (kind === "text") contenders.push(await startService(startEmbeddedKeyed(core, sender)));
  if (!("missing" in databases)) contenders.push(await startService(startDistributed(core, sender, databases)));
  const skipped = "missing" in databases ? [{ name: "distributed", reason: databases.missing }] : [];
  const pgbench = kind === "text" && !("missing" in databases) ? await Pgbench.find() : null;
  if (pgbench !== null && "missing" in pgbench) skipped.push({ name: "pgbench", reason: pgbench.missing });
  const notes = "missing" in databases ? [] : [...databases.description, "PostgreSQL and Redis run on any core"];

  opened.use(moveToGeneratorCores(placement));
  const { connections } = options;
  const entrants = contenders.map((contender): Entrant => ({ contender, connections, acknowledged: 0, fastest: 0 }));
  const inserts: InsertRates[] = [];
  const rounds = await race(entrants, sendSigner(sender, kind), run, async () => {
    if (pgbench === null || "missing" in pgbench || "missing" in databases) return;
    inserts.push(await pgbench.measure(databases, connections, options.seconds));
  });
  const showings = entrants.map(async (entrant, index) => ({
    name: entrant.contender.name,
    rounds: rounds.map((round) => round[index] ?? raise("a contender missed its turn")),
    peakMemoryBytes: entrant.contender.peakMemoryBytes(),
    acknowledged: entrant.acknowledged,
    kept: entrant.contender.keepsMessages ? await countMessages(entrant, sender) : null,
  }));
  return { kind, showings: await Promise.all(showings), inserts, skipped, notes };
}

/** Runs all rounds, each with every entrant in turn and then with `last`. */
async function race(
  entrants: Entrant[],
  signer: RequestSigner,
  { options: { rounds, seconds }, progress }: Run,
  last: () => Promise<void>,
): Promise<Round[][]> {
  for (const entrant of entrants) {
    progress(`warming up: ${entrant.contender.name}`);
    await warmUp(entrant, signer);
  }
  const results: Round[][] = [];
  for (let number = 1; number <= rounds; number++) {
    const turns: Round[] = [];
    for (const entrant of entrants) {
      const full = await fullLoad(entrant, signer, seconds);
      progress(`round ${number} of ${rounds}: ${entrant.contender.name}, ${Math.round(full.perSecond)} calls/s`);
      turns.push({ full, half: await pacedLoad(entrant, signer, full.perSecond / 2, seconds) });
    }
    results.push(turns);
    await last();
  }
  return results;
}

/**
 * Sends once more: its `msgSeq`, which has no gaps, gives the number of messages before it.
 *
 * @throws when that is not the number of acknowledged messages.
 */
async function countMessages({ contender, acknowledged }: Entrant, sender: Sender): Promise<number> {
  using caller = new SignedCaller(contender.port, sender);
  const { value } = await caller.call<SentMessage>("POST", SEND_PATH, sendBody(sender.groupId, "text", 0, false));
  if (value.msgSeq !== acknowledged + 1) {
    throw new Error(`${contender.name} acknowledged ${acknowledged} sends, but the next one is ${value.msgSeq}`);
  }
  return value.msgSeq - 1;
}

function raise(message: string): never {
  throw new Error(message);
}
