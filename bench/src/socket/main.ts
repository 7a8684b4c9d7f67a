/** `npm run bench:socket`: the memory of 1,000 connected bots, and the delay of events by socket. */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openDatabases } from "../contenders/databases.ts";
import { distributedOn, startService, TALKATIVE_MEMBERS } from "../contenders/service.ts";
import { quantilesOf } from "../load/latencies.ts";
import { MemberCaller } from "../load/member-caller.ts";
import { contentJson } from "../load/message-kinds.ts";
import { memoryBytesOf } from "../process-usage.ts";
import { MEMBER } from "../webhook/world.ts";
import { Bot } from "./bot.ts";
import { BUSY_APP_ID, idleApps, socketWorld } from "./world.ts";

const USAGE = "npm run bench:socket -- [--bots 1000] [--seconds 10] [--rate 200]\n";
const FACTS_WITHIN_MS = 30_000;
/** Handshakes at a time. */
const AT_ONCE = 20;
const SETTLE_MS = 3_000;

interface Setup {
  bots: number;
  seconds: number;
  rate: number;
}

async function measure(name: string, env: Record<string, string>, { bots, seconds, rate }: Setup): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const setup = { world: socketWorld(bots), env: { ...TALKATIVE_MEMBERS, ...env } };
  const service = opened.adopt(await startService(name, null, setup), (started) => started.stop());
  await sleep(SETTLE_MS);
  const before = memoryBytesOf(service.pid) ?? Number.NaN;
  const apps = idleApps(bots);
  for (let first = 0; first < apps.length; first += AT_ONCE) {
    const connected = await Promise.all(
      apps.slice(first, first + AT_ONCE).map((appId) => Bot.connect(service.port, appId)),
    );
    for (const bot of connected) opened.defer(() => bot.close());
  }
  await sleep(SETTLE_MS);
  const mebibytes = ((memoryBytesOf(service.pid) ?? Number.NaN) - before) / 2 ** 20;
  const busy = opened.adopt(await Bot.connect(service.port, BUSY_APP_ID), (bot) => bot.close());
  const member = opened.use(await MemberCaller.signIn(service.port, MEMBER));
  await say(member, rate, 1);
  const facts = await say(member, rate, seconds);
  const deadline = performance.now() + FACTS_WITHIN_MS;
  while (facts.some(({ messageId }) => !busy.cameAt.has(messageId))) {
    if (performance.now() > deadline) throw new Error("an event did not come");
    await sleep(10);
  }
  const late = facts.map(({ messageId, atMs }) => Math.max(0, (busy.cameAt.get(messageId) ?? Number.NaN) - atMs));
  const { p50Ms, p95Ms, p99Ms, worstMs } = quantilesOf(late);
  const ms = [p50Ms, p95Ms, p99Ms, worstMs].map((each) => each.toFixed(1)).join(" | ");
  process.stdout.write(`| ${name} | ${bots} | ${mebibytes.toFixed(0)} | ${facts.length} | ${ms} |\n`);
}

/** Writes to the bot at an even rate, without waiting for earlier messages. */
async function say(member: MemberCaller, rate: number, seconds: number) {
  const startedMs = performance.now();
  return await Promise.all(
    Array.from({ length: rate * seconds }, async (_, number) => {
      await sleep(Math.max(0, startedMs + (number * 1_000) / rate - performance.now()));
      const body = `{"msgType":"text","content":${contentJson("text", number)}}`;
      const { value, atMs } = await member.post(`bot:${BUSY_APP_ID}`, body);
      return { messageId: value.messageId, atMs };
    }),
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      bots: { type: "string", default: "1000" },
      seconds: { type: "string", default: "10" },
      rate: { type: "string", default: "200" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const setup = { bots: Number(values.bots), seconds: Number(values.seconds), rate: Number(values.rate) };
  process.stdout.write("| engine | bots | MB for them | events | p50 ms | p95 ms | p99 ms | worst ms |\n");
  process.stdout.write("|---|--:|--:|--:|--:|--:|--:|--:|\n");
  await measure("embedded", {}, setup);
  const databases = await openDatabases(process.env);
  if ("missing" in databases) {
    process.stdout.write(`distributed: ${databases.missing}\n`);
    return;
  }
  try {
    await measure("distributed", distributedOn(databases), setup);
  } finally {
    await databases.stop();
  }
}

await main();
