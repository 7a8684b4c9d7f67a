import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isDiskFull } from "../src/platform/disk/disk-full.ts";
import { APPS, acme, alice, bob, botApp, call, sendText } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines, sqlite } from "./support/engines.ts";
import { type Answer, type Sending, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { mountSmallDisk } from "./support/small-disk.ts";
import { FORM_TYPE, filePart, form, upload } from "./support/uploads.ts";
import { World } from "./support/world.ts";

const MIB = 1024 * 1024;
const RESERVE = 8 * MIB;
const FULL = "存储空间不足,请稍后重试";
const PICTURE = form(filePart());

const ready = async (world: World) => {
  const { status, json } = await send(`${world.url}/readyz`);
  return [status, json.failed ?? []];
};

const post = (member: MemberClient, text: string) =>
  member.post("conversations/group:g_team/messages", { msgType: "text", content: { text } });

function uploadAs(world: World, { token }: MemberClient, other: Partial<Sending> = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": FORM_TYPE };
  return send(`${world.url}/api/client/v1/files`, { method: "POST", headers, body: PICTURE, ...other });
}

function assertFull(answer: Answer): void {
  assertRefused(answer, 429, "429001", FULL);
  assert.equal(answer.headers["retry-after"], "10");
}

/** Makes the service measure the disk now: a measurement in progress may be outdated. */
async function look({ portico }: World): Promise<void> {
  for (let n = 0; n < 2; n++) await portico.ctx.freeSpace.measure();
}

const read = (world: World) => call(world, "app_bot", { target: APPS });

test("when others fill the disk, an embedded service continues with small writes, reports it, and recovers by itself", async (t) => {
  const disk = mountSmallDisk(64);
  if (typeof disk === "string") return t.skip(disk);
  const world = await onDisk(t, disk);
  const { freeSpace } = world.portico.ctx;
  await freeSpace.setAside();
  const ballast = join(disk.directory, "ballast");
  assert.ok(existsSync(ballast));
  const member = await MemberClient.signIn(world, alice);
  assertSuccess(await sendText(world, "app_bot", "before"));
  assert.deepEqual(await ready(world), [200, []]);

  disk.fillUpTo(1.5 * RESERVE);
  await look(world);
  const refused = await upload(world, "app_bot", PICTURE);
  assertFull(refused);
  assert.ok(refused.headers["x-ratelimit-remaining"], "a refusal counts towards no quota, which the call is told of");
  assertFull(await uploadAs(world, member));
  assertSuccess(await sendText(world, "app_bot", "still"));
  assertSuccess(await post(member, "still"));
  assert.deepEqual(await ready(world), [200, []]);

  disk.fillUpTo(0.5 * RESERVE);
  await look(world);
  assertFull(await sendText(world, "app_bot", "too late"));
  assertFull(await post(member, "too late"));
  assert.deepEqual(await ready(world), [503, ["disk"]]);
  await assertSmallGoesOn(world);

  // Before the next measurement: every write fails for lack of space.
  disk.fillUpTo(0);
  for (let n = 0; n < 100; n++) await read(world);
  await look(world);
  assert.ok(!existsSync(ballast));
  await assertSmallGoesOn(world);
  // Even when others take the freed space: the log overwrites its own space, and the database has spare pages.
  disk.fillUpTo(0);
  await assertSmallGoesOn(world);
  const told = world.logLines.length;
  await Promise.all(Array.from({ length: 100 }, (_, n) => sendText(world, "app_bot", `too late ${n}`)));
  assert.ok(world.logLines.length - told < 10, "the log, which may lie on the same disk, is not flooded");

  disk.clear();
  await look(world);
  assertSuccess(await sendText(world, "app_bot", "after"));
  assertSuccess(await upload(world, "app_bot", PICTURE));
  assertSuccess(await post(member, "after"));
  await t.waitFor(async () => assert.deepEqual(await ready(world), [200, []]), { timeout: 10_000 });
  assert.ok(existsSync(ballast));
  const texts = (await member.history("group:g_team")).map(({ content }) => Object.values(content ?? {})[0]);
  assert.deepEqual(texts, ["before", "still", "still", "after", "after"]);
});

test("who fills the disk at once, and takes what the ballast frees, stops no reads", async (t) => {
  const disk = mountSmallDisk(64);
  if (typeof disk === "string") return t.skip(disk);
  const world = await onDisk(t, disk);
  const sizeOf = () => statSync(join(disk.directory, "portico.db")).size;
  const before = sizeOf();
  await world.portico.ctx.freeSpace.setAside();
  await t.waitFor(() => assert.ok(sizeOf() >= before + RESERVE / 8, "the spare pages are in the database"));
  // The log holds what the database has no pages for.
  for (let n = 0; n < 20; n++) assertSuccess(await sendText(world, "app_bot", "long ".repeat(10_000)));
  disk.fillUpTo(0);
  // The measurement comes before any write has failed.
  await world.portico.ctx.freeSpace.measure();
  disk.fillUpTo(0);
  for (let n = 0; n < 200; n++) assertSuccess(await read(world));
  assertFull(await sendText(world, "app_bot", "too late"));
});

test("a full disk without a reserve: calls get an explanation, and the service recovers", async (t) => {
  const disk = mountSmallDisk(24);
  if (typeof disk === "string") return t.skip(disk);
  const world = await onDisk(t, disk, { PORTICO_LIMITS_DISK_RESERVE: "0" });
  const left = ({ headers }: Answer) => Number(headers["x-ratelimit-remaining"]);
  const before = await read(world);
  disk.fillUpTo(0);
  // Nobody has looked, so its body is received: until it no longer can be stored.
  const refused = await upload(world, "app_bot", PICTURE);
  assertFull(refused);
  assert.equal(left(refused), left(before), "a refusal counts towards no quota");
  const long = "long ".repeat(10_000);
  const answers: Answer[] = [];
  for (let n = 0; n < 200 && answers.at(-1)?.status !== 429; n++) answers.push(await sendText(world, "app_bot", long));
  const [last] = answers.splice(-1);
  assert.ok(last);
  assertFull(last);
  for (const answer of answers) assertSuccess(answer);
  await t.waitFor(async () => assert.equal((await ready(world))[0], 503), { timeout: 10_000, interval: 500 });
  disk.clear();
  await look(world);
  assertSuccess(await sendText(world, "app_bot", "after"));
  await t.waitFor(async () => assert.deepEqual(await ready(world), [200, []]), { timeout: 10_000 });
});

test("an embedded service starts on a full disk with its reserve, and explains the problem when there is none", async (t) => {
  const disk = mountSmallDisk(64);
  if (typeof disk === "string") return t.skip(disk);
  const world = await onDisk(t, disk);
  await world.portico.ctx.freeSpace.setAside();
  await world.stop();
  disk.fillUpTo(0);
  await world.start();
  assertSuccess(await read(world));
  await world.stop();
  disk.fillUpTo(0);
  await assert.rejects(world.start(), isDiskFull);
  disk.clear();
  await world.start();
  assertSuccess(await sendText(world, "app_bot", "after"));
});

onBothEngines("with little room in the data directory", (engine, define) => {
  define(
    "uploads are refused, those that have begun when it is nearly gone, and taken again with some to spare",
    async (t) => {
      const world = await World.create(engine, acme(botApp("app_bot")), { PORTICO_LIMITS_DISK_RESERVE: "100MiB" });
      t.after(() => world.dispose());
      await world.stop();
      let free = 1_000 * MIB;
      let measured = Promise.resolve();
      world.probe = async () => {
        await measured;
        return { free, total: 10_000 * MIB };
      };
      await world.start();
      const member = await MemberClient.signIn(world, bob);
      const room = async (mib: number) => {
        free = mib * MIB;
        await look(world);
      };
      await room(199);
      assertFull(await upload(world, "app_bot", PICTURE));
      assertFull(await uploadAs(world, member));
      assertSuccess(await sendText(world, "app_bot", "hi"));
      await room(240);
      assertFull(await uploadAs(world, member));
      await room(251);
      assertSuccess(await uploadAs(world, member));
      assertSuccess(await upload(world, "app_bot", PICTURE));

      await room(206);
      const next = Promise.withResolvers<void>();
      measured = next.promise;
      const body = form(filePart({ content: Buffer.alloc(MIB) }));
      const both = (other: Partial<Sending>) => [
        upload(world, "app_bot", body, other),
        uploadAs(world, member, { body, ...other }),
      ];
      const answered = await Promise.all(Array.from({ length: 5 }, () => both({})).flat());
      for (let n = 0; n < 4; n++) answered.push(...(await Promise.all(both({ chunked: n % 2 === 1 }))));
      const taken = answered.filter(({ status }) => status === 200);
      assert.ok(taken.length > 0 && taken.length <= 6, `${taken.length} MiB more than before are taken without a look`);
      assertFull(answered.at(-1) ?? assert.fail());
      assertSuccess(await sendText(world, "app_bot", "hi"));
      assertSuccess(await post(member, "hi"));
      next.resolve();
      await room(251);
      assertSuccess(await upload(world, "app_bot", PICTURE));

      await room(99);
      const isEmbedded = engine.name === "sqlite";
      const answers = [await sendText(world, "app_bot", "hi"), await post(member, "hi")];
      for (const answer of answers) isEmbedded ? assertFull(answer) : assertSuccess(answer);
      assert.deepEqual(await ready(world), isEmbedded ? [503, ["disk"]] : [200, []]);
      assertSuccess(await read(world));
    },
  );
});

async function onDisk(
  t: TestContext,
  disk: Exclude<ReturnType<typeof mountSmallDisk>, string>,
  env: Record<string, string> = {},
): Promise<World> {
  t.after(() => disk.dispose());
  const reserve = { PORTICO_LIMITS_DISK_RESERVE: String(RESERVE) };
  const place = { PORTICO_DATA_DIR: disk.directory };
  const world = await World.create(sqlite, acme(botApp("app_bot")), { ...place, ...reserve, ...env });
  t.after(() => world.stop());
  return world;
}

/** Signed reads, sign-ins and members' reads. */
async function assertSmallGoesOn(world: World): Promise<void> {
  for (let n = 0; n < 300; n++) assertSuccess(await read(world));
  const member = await MemberClient.signIn(world, bob);
  assertSuccess(await member.get("conversations/group:g_team/messages"));
}
