import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startChild } from "../contenders/child.ts";
import type { Contender } from "../contenders/contender.ts";
import { openDatabases } from "../contenders/databases.ts";
import { MEMBERS, startDistributed, startEmbedded } from "../contenders/service.ts";
import { runFullLoad } from "../load/full-load.ts";
import { signInMember } from "../load/sign-in.ts";
import { newSender, RequestSigner, type Requests, type Sender } from "../load/signed-requests.ts";
import { moveToGeneratorCores } from "../machine.ts";
import { measure, type Phase } from "../phase.ts";
import type { Run } from "../run.ts";
import { getOf, POSTS, READS, readPath, repeated, requestOf, type Work } from "./member-calls.ts";

/** A service's figures of one round. `floor` is the bare server with the service's own answers. */
export interface MemberRound {
  sends: Phase;
  works: Record<Work, Phase>;
  floor: Record<(typeof READS)[number], Phase>;
}

export interface MembersResult {
  services: { name: string; rounds: MemberRound[] }[];
  skipped: { name: string; reason: string }[];
  notes: string[];
}

const WARM_UP_SECONDS = 2;
/** More than a phase can use. */
const READS_PER_SECOND = 60_000;
const SIGNED_PER_SECOND = 12_000;

/** Measures members' posts beside signed sends to the same group, and their reads beside a bare server with the same answers. */
export async function compareMembers(run: Run): Promise<MembersResult> {
  const { memory, placement, opened, progress } = run;
  const sender = newSender();
  const databases = await openDatabases(process.env);
  if (!("missing" in databases)) opened.defer(() => databases.stop());
  const start = async (contender: Promise<Contender>) =>
    opened.adopt(memory.watch(await contender), (started) => started.stop());
  const services = [await start(startEmbedded(placement.serverCore, sender))];
  if (!("missing" in databases)) services.push(await start(startDistributed(placement.serverCore, sender, databases)));
  opened.use(moveToGeneratorCores(placement));
  const entrants = [];
  for (const service of services) entrants.push(await enter(service, sender, run));
  const results = entrants.map(({ service: { name } }) => ({ name, rounds: [] as MemberRound[] }));
  for (let number = 1; number <= run.options.rounds; number++) {
    for (const [index, entrant] of entrants.entries()) {
      progress(`round ${number} of ${run.options.rounds}: ${entrant.service.name}`);
      results[index]?.rounds.push(await takeTurn(entrant, sender, run));
    }
  }
  const skipped = "missing" in databases ? [{ name: "distributed", reason: databases.missing }] : [];
  const notes = "missing" in databases ? [] : [...databases.description, "PostgreSQL and Redis run on any core"];
  return { services: results, skipped, notes };
}

/** A service and its floor, with what is asked of them. */
interface Entrant {
  service: Contender;
  floor: { pid: number; port: number };
  token: string;
  signer: RequestSigner;
}

/** Fills the conversation by loads that also let the code be compiled, and starts the floor with the service's answers. */
async function enter(service: Contender, sender: Sender, run: Run): Promise<Entrant> {
  run.progress(`warming up: ${service.name}`);
  const [account] = MEMBERS;
  if (account === undefined) throw new Error("the bench has members");
  const token = await signInMember(service.port, account);
  const signer = new RequestSigner(sender, "text");
  const load = (requests: Requests) => loadOn(service, requests, run, WARM_UP_SECONDS);
  await load(signer.sign(SIGNED_PER_SECOND * WARM_UP_SECONDS, false));
  for (const work of [...POSTS, ...READS]) {
    await load(repeated(requestOf(work, sender, token), READS_PER_SECOND * WARM_UP_SECONDS));
  }
  const paths = READS.map((read) => readPath(read, sender));
  const answers = await Promise.all(paths.map(async (path) => [path, await answerAt(service.port, path, token)]));
  const child = await startChild({
    name: "read-floor",
    script: new URL("answer-server.ts", import.meta.url),
    core: run.placement.serverCore,
    prepare: async (dir) => {
      const file = join(dir, "answers.json");
      await writeFile(file, JSON.stringify(Object.fromEntries(answers)));
      return { FLOOR_ANSWERS: file };
    },
    ready: /listening on port (\d+)/,
  });
  run.opened.defer(() => child.stop());
  for (const path of paths) await loadOn(child, repeated(getOf(path, token), READS_PER_SECOND), run, 1);
  return { service, floor: child, token, signer };
}

async function takeTurn({ service, floor, token, signer }: Entrant, sender: Sender, run: Run): Promise<MemberRound> {
  const { seconds } = run.options;
  const enough = READS_PER_SECOND * seconds;
  const sends = await loadOn(service, signer.sign(SIGNED_PER_SECOND * seconds, false), run, seconds);
  const works: [Work, Phase][] = [];
  const floors: [string, Phase][] = [];
  for (const work of [...POSTS, ...READS]) {
    works.push([work, await loadOn(service, repeated(requestOf(work, sender, token), enough), run, seconds)]);
  }
  for (const read of READS) {
    const request = getOf(readPath(read, sender), token);
    floors.push([read, await loadOn(floor, repeated(request, enough), run, seconds)]);
  }
  return {
    sends,
    works: Object.fromEntries(works) as MemberRound["works"],
    floor: Object.fromEntries(floors) as MemberRound["floor"],
  };
}

function loadOn(
  server: { pid: number; port: number },
  requests: Requests,
  { options }: Run,
  seconds: number,
): Promise<Phase> {
  return measure(server, options.connections, (connections) => runFullLoad(connections, requests, seconds));
}

async function answerAt(port: number, path: string, token: string): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  return await answer.json();
}
