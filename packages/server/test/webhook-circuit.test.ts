import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { EventType } from "@portico/protocol";
import { acme, alice, botApp } from "./support/acme.ts";
import { seedDeliveries } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { deliveriesOf, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe, until, untilAll } from "./support/webhooks.ts";
import { suiteWorld, type World } from "./support/world.ts";

const answerWith = (status: number) => (_received: unknown, response: ServerResponse) => {
  response.writeHead(status).end();
};

onBothEngines("the webhook circuit", (engine, test) => {
  const apps = ["app_trip", "app_rare", "app_probe", "app_two", "app_back", "app_hang", "app_well"].map((appId) =>
    botApp(appId),
  );
  const env = { ...LOOPBACK_CALLBACKS, PORTICO_WEBHOOK_READ_TIMEOUT: "2s" };
  const world = suiteWorld(engine, acme(...apps), env, LOOPBACK_NETWORK);
  const receiverFor = async (t: { after(fn: () => Promise<void>): void }): Promise<Receiver> => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    return receiver;
  };
  const stateOf = (appId: string, { portico }: World = world()) => portico.ctx.webhooks.circuitState(appId);
  const sayAll = async (appId: string, count: number) => {
    const member = await MemberClient.signIn(world(), alice);
    const say = (n: number) =>
      member.post(`conversations/bot:${appId}/messages`, { msgType: "text", content: { text: `${n}` } });
    for (const answer of await Promise.all(Array.from({ length: count }, (_, n) => say(n))))
      assert.equal(answer.status, 200);
  };
  const turn = async (ms: number) => {
    world().clock.turn(ms);
    for (const { ctx } of world().all) await ctx.webhooks.poll();
  };

  test("5 deliveries within 10 s of which half fail open it; 4, or fewer failures, do not", async (t) => {
    const receiver = await receiverFor(t);
    await subscribe(world(), "app_rare", receiver.url());
    receiver.respond = answerWith(400);
    await sayAll("app_rare", 4);
    await untilAll(world(), "app_rare", "FAILED");
    assert.equal(await stateOf("app_rare"), "NORMAL", "four are too few");
    world().clock.turn(10_001);
    await sayAll("app_rare", 1);
    await untilAll(world(), "app_rare", "FAILED");
    assert.equal(await stateOf("app_rare"), "NORMAL", "the four are no longer in the window");
    receiver.respond = answerWith(200);
    await sayAll("app_rare", 2);
    await untilAll(world(), "app_rare", "FAILED", "DELIVERED");
    receiver.respond = answerWith(404);
    await sayAll("app_rare", 1);
    await untilAll(world(), "app_rare", "FAILED", "DELIVERED");
    assert.equal(await stateOf("app_rare"), "NORMAL", "two of four");
    await sayAll("app_rare", 1);
    await untilAll(world(), "app_rare", "FAILED", "DELIVERED");
    assert.equal(await stateOf("app_rare"), "OPEN", "three of five");
  });

  test("outcomes that are recorded together count each at its own time, and successes before the failure that follows them", async () => {
    const { clock, portico } = world();
    const { circuits } = portico.ctx.coordination;
    const record = async (...outcomes: [success: boolean, ago: number][]) => {
      const answers = outcomes.map(([success, ago]) => circuits.record("app_joint", success, null, clock.now() - ago));
      return await Promise.all(answers);
    };
    const fails = [false, 0] as const;
    const succeeds = [true, 0] as const;
    await record([false, 10_001], [false, 10_001], [...succeeds], [...succeeds], [...fails]);
    assert.equal(await stateOf("app_joint"), "NORMAL", "two of the three failures are too old");
    await record([...succeeds], [...succeeds], [...fails], [...fails]);
    assert.equal(await stateOf("app_joint"), "NORMAL", "three of seven");
    assert.deepEqual((await record([...fails])).at(-1), false, "four of eight");
    assert.equal(await stateOf("app_joint"), "OPEN");
    assert.deepEqual(await record([...succeeds]), [false], "what ends now does not count");
  });

  test("at least once: a half-open circuit allows exactly one attempt, however many are due; an open one delays them for 30 s and uses no retry", async (t) => {
    const receiver = await receiverFor(t);
    await subscribe(world(), "app_probe", receiver.url());
    receiver.respond = answerWith(500);
    await sayAll("app_probe", 5);
    await until(async () => (await stateOf("app_probe")) === "OPEN", "open");
    await untilAll(world(), "app_probe", "RETRYING");
    const attempts = receiver.requests.length;
    assert.equal(attempts, 5);

    await sayAll("app_probe", 30);
    assert.equal(await world().portico.ctx.webhooks.circuitOpenUntil("app_probe"), world().clock.now() + 30_000);
    await turn(29_999);
    const waiting = (await deliveriesOf(world(), "app_probe")).slice(5);
    assert.equal(waiting.length, 30);
    assert.ok(
      waiting.every(
        ({ status, retry_count, attempt_count }) => status === "PENDING" && retry_count + attempt_count === 0,
      ),
    );
    assert.equal(receiver.requests.length, attempts);

    // The probe is delayed, so that another attempt at the same time would be noticed.
    let release = () => {};
    receiver.respond = (_received, response) => {
      release = () => response.writeHead(503).end();
    };
    await turn(5_001);
    await until(() => receiver.requests.length === attempts + 1, "the probe");
    assert.equal(await stateOf("app_probe"), "PROBING");
    await turn(500);
    const taken = (await deliveriesOf(world(), "app_probe")).filter(({ claimed }) => claimed === 1);
    assert.deepEqual([taken.length, receiver.requests.length], [1, attempts + 1], "exactly one");
    release();
    await until(async () => (await stateOf("app_probe")) === "OPEN", "open again");
    // After it closes, waiting deliveries are sent a few at a time: each answer makes room for two.
    const held: (() => void)[] = [];
    receiver.respond = (_received, response) => void held.push(() => response.writeHead(200).end());
    const arrived = async (count: number) => {
      await until(() => held.length === count, `${count} at a time`);
      for (const answer of held.splice(0)) answer();
    };
    await turn(30_001);
    await arrived(1);
    await until(async () => (await stateOf("app_probe")) === "NORMAL", "closed");
    for (const count of [1, 2, 4, 8, 16]) await arrived(count);
    receiver.respond = answerWith(200);
    await until(async () => {
      await turn(10_000);
      return (await deliveriesOf(world(), "app_probe")).every(({ status }) => status === "DELIVERED");
    }, "all delivered");
    const ids = receiver.requests.map(({ headers }) => headers["x-open-event-id"]);
    assert.equal(new Set(ids).size, 35);
  });

  test("a circuit that opened while the clock was ahead stays open for the usual time after the clock is set back", async (t) => {
    const receiver = await receiverFor(t);
    await subscribe(world(), "app_back", receiver.url());
    receiver.respond = answerWith(404);
    world().clock.jump(3_600_000);
    await sayAll("app_back", 5);
    await until(async () => (await stateOf("app_back")) === "OPEN", "open");
    await untilAll(world(), "app_back", "FAILED");
    world().clock.jump(-3_600_000);
    receiver.respond = answerWith(200);
    await sayAll("app_back", 1);
    for (let n = 0; n < 4; n++) await turn(10_000);
    await until(
      async () => (await deliveriesOf(world(), "app_back")).at(-1)?.status === "DELIVERED",
      "delivered once the 30 s are over",
    );
  });

  test("a probe without a receiver is followed by the next one at once", async (t) => {
    const receiver = await receiverFor(t);
    await subscribe(world(), "app_two", receiver.url());
    receiver.respond = answerWith(400);
    await sayAll("app_two", 5);
    await until(async () => (await stateOf("app_two")) === "OPEN", "open");
    await untilAll(world(), "app_two", "FAILED");
    receiver.respond = answerWith(200);
    const dueAt = world().clock.now();
    const due = (eventId: string, eventType: EventType) => ({ eventId, eventType, status: "PENDING" as const, dueAt });
    const unheard = Array.from({ length: 20 }, (_, n) => due(`evt_unheard_${n}`, "card.interaction"));
    await seedDeliveries(world(), "app_two", [...unheard, due("evt_heard", "im.message.receive_v1")]);
    world().clock.turn(30_001);
    await world().portico.ctx.webhooks.poll();
    await untilAll(world(), "app_two", "FAILED", "DROPPED", "DELIVERED");
    assert.deepEqual(receiver.requests.map(({ headers }) => headers["x-open-event-id"]).at(-1), "evt_heard");
    assert.equal(await stateOf("app_two"), "NORMAL");
  });

  test("a hanging receiver opens its circuit and does not delay other applications", async (t) => {
    const [hanging, well] = [await receiverFor(t), await receiverFor(t)];
    hanging.respond = () => {};
    await subscribe(world(), "app_hang", hanging.url());
    await subscribe(world(), "app_well", well.url());
    await sayAll("app_hang", 60);
    await until(() => hanging.requests.length === 20, "as many as may run side by side");
    await sayAll("app_well", 200);
    await untilAll(world(), "app_well", "DELIVERED");
    assert.equal(well.requests.length, 200);
    await until(async () => (await stateOf("app_hang")) === "OPEN", "open");
    assert.equal(await stateOf("app_well"), "NORMAL");
    assert.equal(hanging.connections.most, 20);
    await until(async () => {
      const rows = await deliveriesOf(world(), "app_hang");
      return rows.filter(({ last_reason }) => last_reason === "read-timeout").length === 20;
    }, "those under way time out");
  });
});
