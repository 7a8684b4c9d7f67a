import { openDatabases } from "../contenders/databases.ts";
import { distributedOn } from "../contenders/service.ts";
import { type Quantiles, quantilesOf } from "../load/latencies.ts";
import { moveToGeneratorCores } from "../machine.ts";
import type { Run } from "../run.ts";
import { WARM_UP_SECONDS } from "../warm-up.ts";
import { type Drain, type Drainer, measureDrain } from "./drain.ts";
import { bareLoop, drainerOf, type Service, startSubscribed } from "./drainers.ts";
import { measureLatency } from "./measure-latency.ts";
import { type DeliveredPosts, measurePosts } from "./measure-posts.ts";
import { receiversEnv } from "./receivers-env.ts";
import { APP_ID, HANGING_APP_ID } from "./world.ts";

/** The delays of one service's events, in milliseconds from the answer of the message to the receipt of its event. */
export interface ServiceLatency extends Quantiles {
  name: string;
  events: number;
  /** Hanging requests at the same time. */
  hung: number;
}

export interface WebhookResult {
  /** All drainers, the bare loop first. */
  drains: { name: string; rounds: Drain[] }[];
  latencies: ServiceLatency[];
  /** Of all services, the rounds of posts until their events are received. */
  posts: { name: string; rounds: DeliveredPosts[] }[];
  /** Services that could not take part, with the reason. */
  skipped: { name: string; reason: string }[];
  notes: string[];
}

/** Events of the run that determines the size of a round's backlog. */
const SIZING = { warmUp: 500, events: 1_500 };

/**
 * Measures webhook deliveries to a local receiver, by the embedded service and, where possible, by the distributed one:
 * the rate at which a backlog is delivered, against a bare HTTP client, and the delay from a message's answer to its
 * event.
 *
 * @throws when a call does not succeed or an event is not received exactly once.
 */
export async function compareWebhook(run: Run): Promise<WebhookResult> {
  const { placement, opened } = run;
  const databases = await openDatabases(process.env);
  if (!("missing" in databases)) opened.defer(() => databases.stop());
  const env = await receiversEnv(opened);
  const services: Service[] = [{ name: "embedded", env }];
  if (!("missing" in databases)) services.push({ name: "distributed", env: { ...env, ...distributedOn(databases) } });
  opened.use(moveToGeneratorCores(placement));

  const core = placement.serverCore;
  const drainers = [bareLoop(core), ...services.map((service) => watched(drainerOf(service, core), run))];
  const drains = await race(drainers, run);
  const latencies: ServiceLatency[] = [];
  for (const service of services) latencies.push(await timeReceipts(service, run));
  const posts = [];
  for (const service of services) posts.push({ name: service.name, rounds: await timePosts(service, run) });
  const skipped = "missing" in databases ? [{ name: "distributed", reason: databases.missing }] : [];
  const notes = "missing" in databases ? [] : [...databases.description, "PostgreSQL and Redis run on any core"];
  return { drains, latencies, posts, skipped, notes };
}

/** The same drainer, whose processes are watched. */
function watched({ name, start }: Drainer, { memory }: Run): Drainer {
  return { name, start: async (url, events) => memory.watch(await start(url, events)) };
}

/** All rounds of one service, without pauses. */
async function timeReceipts(service: Service, { memory, options, placement, progress }: Run): Promise<ServiceLatency> {
  const { name } = service;
  progress(`${name}: from the answer to the receipt`);
  // The circuit must stay closed, so that requests always hang.
  const env = { ...service.env, PORTICO_WEBHOOK_CIRCUIT_MINIMUM: "1000000" };
  const start = async (url: string, hangingUrl: string) => {
    const subscribers = [
      { appId: APP_ID, callbackUrl: url },
      { appId: HANGING_APP_ID, callbackUrl: hangingUrl },
    ];
    return memory.watch(await startSubscribed({ name, env }, placement.serverCore, subscribers, 0));
  };
  const { lateMs, hung } = await measureLatency(start, options.rounds * options.seconds);
  return { name, events: lateMs.length, hung, ...quantilesOf(lateMs) };
}

/** Each round has a process of its own. */
async function timePosts(service: Service, { memory, options, placement, progress }: Run): Promise<DeliveredPosts[]> {
  const rounds: DeliveredPosts[] = [];
  for (let number = 1; number <= options.rounds; number++) {
    progress(`round ${number} of ${options.rounds}: ${service.name}, posts until their events are received`);
    const subscribed = (callbackUrl: string) =>
      startSubscribed(service, placement.serverCore, [{ appId: APP_ID, callbackUrl }], 0);
    const start = async (url: string) => memory.watch(await subscribed(url));
    rounds.push(await measurePosts(start, options.seconds));
  }
  return rounds;
}

/** Runs all rounds, each with every drainer in turn. */
async function race(drainers: Drainer[], { options: { rounds, seconds }, progress }: Run) {
  const runners = [];
  for (const drainer of drainers) {
    progress(`sizing the backlog: ${drainer.name}`);
    const { perSecond } = await measureDrain(drainer, SIZING.warmUp, SIZING.events);
    runners.push({ drainer, fastest: perSecond, rounds: [] as Drain[] });
  }
  for (let number = 1; number <= rounds; number++) {
    for (const runner of runners) {
      const { drainer, fastest } = runner;
      const warmUp = Math.ceil(fastest * WARM_UP_SECONDS);
      const drain = await measureDrain(drainer, warmUp, Math.ceil(fastest * seconds));
      progress(`round ${number} of ${rounds}: ${drainer.name}, ${Math.round(drain.perSecond)} events/s`);
      runner.fastest = Math.max(fastest, drain.perSecond);
      runner.rounds.push(drain);
    }
  }
  return runners.map(({ drainer, rounds }) => ({ name: drainer.name, rounds }));
}
