import { readFile } from "node:fs/promises";
import { type Databases, startDurableDatabases } from "../contenders/databases.ts";
import {
  distributedOn,
  OWNER,
  QUOTA,
  type ServiceSetup,
  startService,
  TALKATIVE_MEMBERS,
  worldOf,
} from "../contenders/service.ts";
import { consoleOf, signInDeveloper } from "../load/sign-in.ts";
import { newSender, sendSigner } from "../load/signed-requests.ts";
import { moveToGeneratorCores } from "../machine.ts";
import { type Entrant, fullLoad, type Phase, warmUp } from "../phase.ts";
import type { Run } from "../run.ts";
import { type DeliveredPosts, measurePosts } from "../webhook/measure-posts.ts";
import { EVENT_TYPE } from "../webhook/message-event.ts";
import { receiversEnv } from "../webhook/receivers-env.ts";
import { APP_ID, WORLD } from "../webhook/world.ts";
import { checkOut } from "./checkout.ts";

/** One version's figures, round by round. */
export interface VersionFigures {
  name: string;
  sends: Phase[];
  posts: DeliveredPosts[];
}

/** Both versions, or the reason why they were not compared. */
export type VersionsResult = { other: VersionFigures; own: VersionFigures; notes: string[] } | { skipped: string };

/** A version to measure, and its databases. */
interface Version {
  name: string;
  /** The directory of its files; null for this checkout. */
  checkout: URL | null;
  databases: Databases;
}

/**
 * Compares the distributed service with that of another commit, in turns: signed sends, and members' posts until the
 * bot's receiver has their events. Both keep their data in a PostgreSQL of their own that syncs its commits.
 */
export async function compareVersions(run: Run): Promise<VersionsResult> {
  const { opened, options, placement, progress } = run;
  progress(`checking out ${options.against} and installing its packages`);
  const checkout = await checkOut(options.against);
  if ("missing" in checkout) return { skipped: checkout.missing };
  opened.defer(() => checkout.remove());
  const sources = [
    { name: options.against, checkout: checkout.directory },
    { name: "this version", checkout: null },
  ];
  const versions: Version[] = [];
  for (const source of sources) {
    const databases = await startDurableDatabases();
    if ("missing" in databases) return { skipped: databases.missing };
    opened.defer(() => databases.stop());
    versions.push({ ...source, databases });
  }
  const env = await receiversEnv(opened);
  opened.use(moveToGeneratorCores(placement));
  const sends = await compareSends(versions, run);
  const posts = await comparePosts(versions, env, run);
  const figuresOf = (index: number): VersionFigures => {
    return { name: sources[index]?.name ?? "", sends: sends[index] ?? [], posts: posts[index] ?? [] };
  };
  return { other: figuresOf(0), own: figuresOf(1), notes: versions[0]?.databases.description ?? [] };
}

/** The phases of each version. */
async function compareSends(versions: readonly Version[], run: Run): Promise<Phase[][]> {
  const { memory, options, progress } = run;
  await using opened = new AsyncDisposableStack();
  const sender = newSender();
  const signer = sendSigner(sender, "text");
  const entrants: Entrant[] = [];
  for (const version of versions) {
    const child = opened.adopt(await start(version, { world: worldOf(sender), env: {} }, run), (open) => open.stop());
    if (version.checkout === null) memory.watch(child);
    const contender = { ...child, keepsMessages: true, keyed: false };
    entrants.push({ contender, connections: options.connections, acknowledged: 0, fastest: 0 });
  }
  for (const entrant of entrants) {
    progress(`warming up: ${entrant.contender.name}`);
    await warmUp(entrant, signer);
  }
  const phases: Phase[][] = entrants.map(() => []);
  for (let round = 1; round <= options.rounds; round++) {
    for (const index of orderOf(round)) {
      const entrant = entrants[index];
      if (entrant === undefined) continue;
      const phase = await fullLoad(entrant, signer, options.seconds);
      phases[index]?.push(phase);
      progress(`${roundOf(round, run)}: ${entrant.contender.name}, ${Math.round(phase.perSecond)} sends/s`);
    }
  }
  return phases;
}

/** The rounds of each version, each with a process of its own. */
async function comparePosts(
  versions: readonly Version[],
  receivers: Record<string, string>,
  run: Run,
): Promise<DeliveredPosts[][]> {
  const { memory, options, progress } = run;
  const rounds: DeliveredPosts[][] = versions.map(() => []);
  for (let round = 1; round <= options.rounds; round++) {
    for (const index of orderOf(round)) {
      const version = versions[index];
      if (version === undefined) continue;
      const startSubscribed = async (callbackUrl: string) => {
        const env = { ...receivers, ...(await knownTo(version, TALKATIVE_MEMBERS)) };
        const child = await start(version, { world: POSTS_WORLD, env }, run);
        if (version.checkout === null) memory.watch(child);
        // By the API, which is the same in all versions, unlike the tables.
        const api = consoleOf(child.port, await signInDeveloper(child.port, OWNER));
        await api.subscribe({ params: { appId: APP_ID, eventType: EVENT_TYPE }, body: { callbackUrl } });
        return child;
      };
      const posts = await measurePosts(startSubscribed, options.seconds);
      rounds[index]?.push(posts);
      progress(`${roundOf(round, run)}: ${version.name}, ${Math.round(posts.perSecond)} posts/s until received`);
    }
  }
  return rounds;
}

/** The world of the posts, with a developer who can subscribe the application. */
const POSTS_WORLD = {
  ...WORLD,
  developers: [{ ...OWNER, name: "Owner", tenants: WORLD.tenants.map(({ id }) => id) }],
  apps: WORLD.apps.map((app) => ({ ...app, owner: OWNER.phone, quota: QUOTA })),
};

function start({ name, checkout, databases }: Version, { world, env }: ServiceSetup, { placement }: Run) {
  const setup = { world, env: { ...env, ...distributedOn(databases) }, ...(checkout && { checkout }) };
  return startService(name, placement.serverCore, setup);
}

/** The variables that a version documents; it would refuse others. */
async function knownTo({ checkout }: Version, variables: Record<string, string>): Promise<Record<string, string>> {
  if (checkout === null) return variables;
  const documented = await readFile(new URL("docs/configuration.md", checkout), "utf8");
  return Object.fromEntries(Object.entries(variables).filter(([name]) => documented.includes(name)));
}

/** The order changes, so that neither version always comes just after the other. */
function orderOf(round: number): number[] {
  return round % 2 === 1 ? [0, 1] : [1, 0];
}

function roundOf(round: number, { options }: Run): string {
  return `round ${round} of ${options.rounds}`;
}
