import assert from "node:assert/strict";
import {
  advanceJob,
  type LeasedJob,
  listWaitingJobs,
  releaseJob,
  sweepRedeliveryJobs,
  takeJob,
} from "../src/domain/webhooks/redelivery/redelivery-job-store.ts";
import { RedeliveryJobs } from "../src/domain/webhooks/redelivery/redelivery-jobs.ts";
import type { Storage } from "../src/platform/storage/storage.ts";
import {
  assertConsoleRefused,
  ConsoleClient,
  consoleAcme,
  fellow,
  ownedApp,
  seedDeliveries,
} from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { deliveriesOf, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe, until, untilAll } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const DAY = 86_400_000;
const LEASE_MS = 30_000;
const APPS = [
  "app_range",
  "app_filter",
  "app_large",
  "app_two",
  "app_paused",
  "app_cancelled",
  "app_restart",
  "app_many",
  "app_deaf",
  "app_other",
];

/** Claims may be more: a worker gives back what it has no room for. */
function assertSentOnce({ requests }: Receiver, count: number): void {
  const sent = requests.map(({ headers }) => headers["x-open-event-id"]);
  assert.deepEqual([sent.length, new Set(sent).size], [count, count]);
}

onBothEngines("console: redelivery jobs", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(...APPS.map((appId) => ownedApp(appId))),
    LOOPBACK_CALLBACKS,
    LOOPBACK_NETWORK,
  );
  const receiverFor = async (t: { after(fn: () => Promise<void>): void }, appId: string) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    await subscribe(world(), appId, receiver.url());
    return receiver;
  };
  const signIn = () => ConsoleClient.logIn(world());
  const allTime = () => ({ from: 0, to: world().clock.now() });
  const create = async (appId: string, range: object = allTime()) =>
    (await signIn()).ok("POST", `apps/${appId}/deliveries/redeliver`, range, 202);
  const read = async (appId: string, jobId: string) =>
    (await signIn()).ok("GET", `apps/${appId}/redelivery-jobs/${jobId}`);
  const cancel = async (appId: string, jobId: string) =>
    (await signIn()).call("DELETE", `apps/${appId}/redelivery-jobs/${jobId}`);
  const untilDone = async (appId: string, jobId: string) => {
    const client = await signIn();
    const job = async () => client.ok("GET", `apps/${appId}/redelivery-jobs/${jobId}`);
    await until(async () => (await job()).state === "DONE", `job ${jobId} is done`);
    return job();
  };
  /** Creates enough pending deliveries to make a job pause. */
  const block = (appId: string) => {
    const dueAt = world().clock.now() + 30_000;
    const waiting = Array.from({ length: 1_000 }, (_, n) => ({ eventId: `evt_${appId}_wait${n}`, createdAt: 1 }));
    return seedDeliveries(
      world(),
      appId,
      waiting.map((each) => ({ ...each, status: "PENDING" as const, dueAt })),
    );
  };
  const unblock = (appId: string) =>
    world().portico.ctx.storage.write(async (tx) => {
      await tx.deleteFrom("deliveries").where("app_id", "=", appId).where("created_at", "=", 1).execute();
    });
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ eventId: `${prefix}${n}` }));

  test("a range becomes a job, answered with 202, which redelivers everything in it except DROPPED events", async (t) => {
    const receiver = await receiverFor(t, "app_range");
    const at = world().clock.now();
    await seedDeliveries(world(), "app_range", [
      { eventId: "evt_before", createdAt: at - 11 },
      { eventId: "evt_first", createdAt: at - 10, status: "FAILED" },
      { eventId: "evt_dropped", createdAt: at - 5, status: "DROPPED" },
      { eventId: "evt_last", createdAt: at, status: "EXHAUSTED" },
      { eventId: "evt_after", createdAt: at + 1 },
    ]);
    const job = await create("app_range", { from: at - 10, to: at });
    const { jobId, ...rest } = job;
    assert.match(jobId, /^rdj_[0-9a-f]{32}$/);
    assert.deepEqual(rest, { state: "RUNNING", total: 3, redelivered: 0, skipped: 0 });
    assert.deepEqual(await untilDone("app_range", jobId), {
      jobId,
      state: "DONE",
      total: 3,
      redelivered: 2,
      skipped: 1,
    });
    await untilAll(world(), "app_range", "DELIVERED", "DROPPED");
    const arrived = receiver.requests.map(({ headers }) => headers["x-open-event-id"]);
    assert.deepEqual(arrived.sort(), ["evt_first", "evt_last"]);
    const asFellow = await ConsoleClient.logIn(world(), fellow);
    assert.equal((await asFellow.ok("GET", `apps/app_range/redelivery-jobs/${jobId}`)).state, "DONE");
    assertConsoleRefused(
      await (await signIn()).get(`apps/app_other/redelivery-jobs/${jobId}`),
      404,
      "重新投递任务不存在",
    );
    assertConsoleRefused(await cancel("app_other", jobId), 404, "重新投递任务不存在");
  });
  test("a range can be filtered by status and event type", async (t) => {
    const receiver = await receiverFor(t, "app_filter");
    await subscribe(world(), "app_filter", receiver.url(), "card.interaction");
    await seedDeliveries(world(), "app_filter", [
      { eventId: "evt_message", status: "FAILED" },
      { eventId: "evt_card", status: "FAILED", eventType: "card.interaction" },
      { eventId: "evt_card_sent", status: "DELIVERED", eventType: "card.interaction" },
      { eventId: "evt_card_dropped", status: "DROPPED", eventType: "card.interaction" },
    ]);
    const one = await create("app_filter", { ...allTime(), status: "FAILED", eventType: "card.interaction" });
    assert.deepEqual([one.total, (await untilDone("app_filter", one.jobId)).redelivered], [1, 1]);
    await untilAll(world(), "app_filter", "DELIVERED", "FAILED", "DROPPED");
    const dropped = await create("app_filter", { ...allTime(), status: "DROPPED" });
    const { redelivered, skipped } = await untilDone("app_filter", dropped.jobId);
    assert.deepEqual([redelivered, skipped], [0, 1]);
    assert.deepEqual(
      receiver.requests.map(({ headers }) => headers["x-open-event-id"]),
      ["evt_card"],
    );
  });
  test("events without an ACTIVE subscription are skipped and do not change", async (t) => {
    const receiver = await receiverFor(t, "app_deaf");
    await subscribe(world(), "app_deaf", receiver.url(), "card.interaction", "INACTIVE");
    await seedDeliveries(world(), "app_deaf", [
      { eventId: "evt_heard" },
      { eventId: "evt_unheard", eventType: "card.interaction", status: "FAILED" },
    ]);
    const { jobId } = await create("app_deaf");
    const { total, redelivered, skipped } = await untilDone("app_deaf", jobId);
    assert.deepEqual([total, redelivered, skipped], [2, 1, 1]);
    await untilAll(world(), "app_deaf", "DELIVERED", "FAILED");
    await subscribe(world(), "app_deaf", receiver.url(), undefined, "INACTIVE");
    const all = await create("app_deaf");
    assert.equal((await untilDone("app_deaf", all.jobId)).skipped, 2);
    await untilAll(world(), "app_deaf", "DELIVERED", "FAILED");
  });
  test("a job for an empty range is done at once", async () => {
    const job = await create("app_other", { from: 1, to: 2, status: "FAILED" });
    assert.deepEqual({ ...job, jobId: "" }, { jobId: "", state: "DONE", total: 0, redelivered: 0, skipped: 0 });
  });
  test("a job of several batches redelivers each delivery once", async (t) => {
    const receiver = await receiverFor(t, "app_large");
    await seedDeliveries(world(), "app_large", names("evt_large", 650));
    const { jobId, total } = await create("app_large");
    assert.equal(total, 650);
    assert.deepEqual(await untilDone("app_large", jobId), {
      jobId,
      state: "DONE",
      total,
      redelivered: 650,
      skipped: 0,
    });
    await untilAll(world(), "app_large", "DELIVERED");
    assertSentOnce(receiver, 650);
  });
  test("a job is processed by one of two processes, and counted once", async (t) => {
    const receiver = await receiverFor(t, "app_two");
    if (engine.name === "postgres") await world().start();
    await seedDeliveries(world(), "app_two", names("evt_two", 900));
    const { storage, clock, log, webhooks } = world().portico.ctx;
    const others = [1, 2].map(() => new RedeliveryJobs({ storage, clock, log, due: (appId) => webhooks.due(appId) }));
    const { jobId } = await create("app_two");
    for (const other of others) other.start();
    const job = await untilDone("app_two", jobId);
    assert.deepEqual([job.redelivered, job.skipped], [900, 0]);
    for (const other of others) await other.close();
    await untilAll(world(), "app_two", "DELIVERED");
    assertSentOnce(receiver, 900);
  });
  test("a job waits while a thousand deliveries are pending, and then continues", async (t) => {
    await receiverFor(t, "app_paused");
    await block("app_paused");
    await seedDeliveries(world(), "app_paused", names("evt_paused", 10));
    const { jobId } = await create("app_paused", { from: 2, to: world().clock.now() });
    const { redeliveryJobs } = world().portico.ctx;
    for (let n = 0; n < 3; n++) {
      redeliveryJobs.wake();
      const { state, total, redelivered } = await read("app_paused", jobId);
      assert.deepEqual([state, total, redelivered], ["RUNNING", 10, 0]);
    }
    await unblock("app_paused");
    redeliveryJobs.wake();
    assert.equal((await untilDone("app_paused", jobId)).redelivered, 10);
    await untilAll(world(), "app_paused", "DELIVERED");
  });
  test("a cancelled job does nothing more; cancelling again is accepted, cancelling a finished job is not", async () => {
    await block("app_cancelled");
    await seedDeliveries(world(), "app_cancelled", names("evt_cancelled", 10));
    const { jobId } = await create("app_cancelled");
    for (let n = 0; n < 2; n++) {
      const answer = await cancel("app_cancelled", jobId);
      assert.deepEqual([answer.status, answer.text], [204, ""]);
    }
    await unblock("app_cancelled");
    const other = await create("app_other", { from: 1, to: 2 });
    world().portico.ctx.redeliveryJobs.wake();
    const { state, redelivered } = await read("app_cancelled", jobId);
    assert.deepEqual([state, redelivered], ["CANCELLED", 0]);
    for (const { claim } of await deliveriesOf(world(), "app_cancelled")) assert.equal(claim, 0);
    assertConsoleRefused(await cancel("app_other", other.jobId), 409, "重新投递任务已完成");
    assertConsoleRefused(await cancel("app_other", "rdj_nowhere"), 404, "重新投递任务不存在");
  });
  test("a job continues after the process that created it has ended", async (t) => {
    await receiverFor(t, "app_restart");
    await block("app_restart");
    await seedDeliveries(world(), "app_restart", names("evt_restart", 250));
    const { jobId } = await create("app_restart", { from: 2, to: world().clock.now() });
    await world().restart();
    assert.equal((await read("app_restart", jobId)).state, "RUNNING");
    await unblock("app_restart");
    world().portico.ctx.redeliveryJobs.wake();
    assert.equal((await untilDone("app_restart", jobId)).redelivered, 250);
    await untilAll(world(), "app_restart", "DELIVERED");
  });
  test("an application has at most ten jobs: the eleventh is 429", async () => {
    await block("app_many");
    const jobs = [];
    for (let n = 0; n < 10; n++) jobs.push(await create("app_many"));
    const refused = await (await signIn()).call("POST", "apps/app_many/deliveries/redeliver", allTime());
    assertConsoleRefused(refused, 429);
    await cancel("app_many", jobs[0].jobId);
    await create("app_many");
    for (const { jobId } of jobs) await cancel("app_many", jobId);
  });
  test("finished jobs are swept, others are not", async () => {
    const { storage } = world().portico.ctx;
    await block("app_other");
    const running = await create("app_other");
    const over = await create("app_other", { from: 2, to: 3 });
    world().clock.turn(DAY);
    await sweepRedeliveryJobs(storage, world().clock.now() - DAY);
    assert.equal((await read("app_other", over.jobId)).state, "DONE");
    await sweepRedeliveryJobs(storage, world().clock.now());
    assertConsoleRefused(await (await signIn()).get(`apps/app_other/redelivery-jobs/${over.jobId}`), 404);
    const left = storage.db.selectFrom("redelivery_jobs").select("job_id").where("app_id", "=", "app_other");
    assert.deepEqual(
      (await left.execute()).map(({ job_id }) => job_id),
      [running.jobId],
    );
    await cancel("app_other", running.jobId);
  });
});

onBothEngines("console: leases of redelivery jobs", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")), LOOPBACK_CALLBACKS, LOOPBACK_NETWORK);

  test("of concurrent runners one gets a job; a dead runner's job is taken over, and the old runner does nothing more", async (t) => {
    const { storage, clock, log, redeliveryJobs } = world().portico.ctx;
    await redeliveryJobs.close();
    await subscribe(world(), "app_bot", "https://receiver.test/");
    await seedDeliveries(
      world(),
      "app_bot",
      Array.from({ length: 500 }, (_, n) => ({ eventId: `evt_${n}`, status: n % 50 === 0 ? "DROPPED" : "DELIVERED" })),
    );
    const client = await ConsoleClient.logIn(world());
    const range = { from: 0, to: clock.now() };
    const { jobId } = await client.ok("POST", "apps/app_bot/deliveries/redeliver", range, 202);
    const progress = async () => {
      const { state, redelivered, skipped } = await client.ok("GET", `apps/app_bot/redelivery-jobs/${jobId}`);
      return [state, redelivered, skipped];
    };
    const take = () => storage.write((tx) => takeJob(tx, jobId, clock.now(), clock.now() + LEASE_MS));
    const advance = (job: LeasedJob) =>
      storage.write((tx) => advanceJob(tx, storage.dialect, job, clock.now(), clock.now() + LEASE_MS));

    const [first, ...others] = (await Promise.all(Array.from({ length: 10 }, take))).filter((job) => job !== null);
    assert.ok(first);
    assert.deepEqual(others, []);
    world().clock.turn(1);
    const batch = await advance(first);
    assert.deepEqual([batch?.redelivered, batch?.done, await progress()], [196, false, ["RUNNING", 196, 4]]);
    assert.equal(await advance(first), null, "its lease has been renewed since");
    const dead = batch?.job;
    assert.ok(dead);

    world().clock.turn(LEASE_MS - 1);
    assert.equal(await take(), null);
    assert.deepEqual(await listWaitingJobs(storage.db, clock.now(), 10), []);
    world().clock.turn(1);
    const heir = await take();
    assert.ok(heir);
    assert.equal(await advance(dead), null);
    await storage.write((tx) => releaseJob(tx, dead, clock.now()));
    assert.equal(await take(), null, "only who holds it gives it back");
    assert.deepEqual(await progress(), ["RUNNING", 196, 4]);

    await storage.write((tx) => releaseJob(tx, heir, clock.now()));
    const runner = new RedeliveryJobs({ storage, clock, log, due: () => {} });
    t.after(() => runner.close());
    runner.start();
    await until(async () => (await progress())[0] === "DONE", "what is left is done");
    assert.deepEqual(await progress(), ["DONE", 490, 10]);
  });
  test("a job whose batch fails is retried, and a closed runner leaves its jobs to another one", async (t) => {
    const { storage, clock, log } = world().portico.ctx;
    const client = await ConsoleClient.logIn(world());
    const range = { from: 0, to: clock.now(), status: "DROPPED" };
    const { jobId } = await client.ok("POST", "apps/app_bot/deliveries/redeliver", range, 202);
    const state = async () => (await client.ok("GET", `apps/app_bot/redelivery-jobs/${jobId}`)).state;
    let failures = 0;
    const failing: Storage = {
      ...storage,
      write: (unit, lane) => {
        if (lane === undefined || failures > 0) return storage.write(unit, lane);
        failures++;
        return Promise.reject(new Error("the database is away"));
      },
    };
    const runner = new RedeliveryJobs({ storage: failing, clock, log, due: () => {} });
    t.after(() => runner.close());
    runner.wake();
    await until(() => failures === 1, "a batch has failed");
    runner.wake();
    assert.equal(await state(), "RUNNING");
    world().clock.turn(LEASE_MS);
    await until(async () => {
      runner.wake();
      return (await state()) === "DONE";
    }, "it is done");

    await runner.close();
    const next = await client.ok("POST", "apps/app_bot/deliveries/redeliver", range, 202);
    runner.wake();
    assert.deepEqual(await listWaitingJobs(storage.db, clock.now(), 10), [next.jobId]);
  });
});
