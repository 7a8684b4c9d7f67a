import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { acme, alice, botApp } from "./support/acme.ts";
import { onBothEngines, postgres } from "./support/engines.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
  deliveriesOf,
  LOOPBACK_CALLBACKS,
  LOOPBACK_NETWORK,
  sayTo,
  subscribe,
  until,
  untilAll,
} from "./support/webhooks.ts";
import { suiteWorld, World } from "./support/world.ts";

const HOUR = 3_600_000;
/** The delay of the first retry. */
const RETRY_MS = 10_000;

async function receiverFor(t: TestContext, status: number): Promise<Receiver> {
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  receiver.respond = (_received, response) => void response.writeHead(status).end();
  return receiver;
}

/** Lets the time of the first retry pass; the receiver answers with 200 from now on. */
async function retry(world: World, receiver: Receiver): Promise<void> {
  receiver.respond = (_received, response) => void response.end();
  world.clock.turn(RETRY_MS);
  await world.portico.ctx.webhooks.poll();
  await untilAll(world, "app_bot", "DELIVERED");
}

const isRetrying = (world: World) => async () => (await deliveriesOf(world, "app_bot")).at(-1)?.status === "RETRYING";

onBothEngines("deliveries under a clock that is set", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")), LOOPBACK_CALLBACKS, LOOPBACK_NETWORK);

  test("a retry planned while the clock was ahead comes in time after it is set back", async (t) => {
    const receiver = await receiverFor(t, 503);
    await subscribe(world(), "app_bot", receiver.url());
    world().clock.jump(HOUR);
    await sayTo(world(), "app_bot", "ahead", alice);
    await until(isRetrying(world()), "a retry is planned");
    world().clock.jump(-HOUR);
    await retry(world(), receiver);
    assert.equal(receiver.requests.length, 2);
  });

  test("a clock that is set ahead makes no retry early", async (t) => {
    const receiver = await receiverFor(t, 503);
    await subscribe(world(), "app_bot", receiver.url());
    await sayTo(world(), "app_bot", "in time", alice);
    await until(isRetrying(world()), "a retry is planned");
    world().clock.jump(HOUR);
    await world().portico.ctx.webhooks.poll();
    world().clock.turn(RETRY_MS - 1);
    await world().portico.ctx.webhooks.poll();
    assert.equal(receiver.requests.length, 1);
    world().clock.turn(1 - RETRY_MS - HOUR);
    await retry(world(), receiver);
    assert.equal(receiver.requests.length, 2);
  });

  test("what was planned before a restart by a clock that was ahead comes in time after it", async (t) => {
    const receiver = await receiverFor(t, 503);
    await subscribe(world(), "app_bot", receiver.url());
    world().clock.jump(HOUR);
    await world().restart();
    await sayTo(world(), "app_bot", "ahead", alice);
    await until(isRetrying(world()), "a retry is planned");
    world().clock.jump(-HOUR);
    await world().restart();
    await retry(world(), receiver);
    assert.equal(receiver.requests.length, 2);
  });
});

describe("deliveries of two processes, one of whose clocks is an hour ahead", {
  skip: postgres.missing ?? false,
}, () => {
  async function ordinaryWorld(t: TestContext): Promise<World> {
    const world = await World.create(postgres, acme(botApp("app_bot")), LOOPBACK_CALLBACKS, {
      network: LOOPBACK_NETWORK,
    });
    t.after(() => world.dispose());
    return world;
  }

  /** Starts a second process, whose clock is ahead. */
  function startAhead(world: World) {
    const { clock } = world;
    return world.start({ now: () => clock.now() + HOUR, monotonic: () => clock.monotonic() });
  }

  test("it takes no delivery that the other is attempting", async (t) => {
    const world = await ordinaryWorld(t);
    const receiver = await receiverFor(t, 200);
    let answer = () => {};
    receiver.respond = (_received, response) => {
      answer = () => void response.end();
    };
    await subscribe(world, "app_bot", receiver.url());
    await sayTo(world, "app_bot", "hello", alice);
    await until(() => receiver.requests.length === 1, "an attempt is in progress");
    const [held] = await deliveriesOf(world, "app_bot");
    // Only now: of two processes that are told of the event, either may be the one that attempts.
    const ahead = await startAhead(world);
    await ahead.ctx.webhooks.poll();
    // Returns when whatever it has begun has ended.
    await ahead.ctx.webhooks.close();
    assert.deepEqual(await deliveriesOf(world, "app_bot"), [held]);
    answer();
    await untilAll(world, "app_bot", "DELIVERED");
    assert.equal(receiver.requests.length, 1);
  });

  test("an event that arises there is delivered by the other at once", async (t) => {
    const world = await ordinaryWorld(t);
    const ahead = await startAhead(world);
    const receiver = await receiverFor(t, 200);
    await subscribe(world, "app_bot", receiver.url());
    await ahead.ctx.webhooks.close();
    await sayTo(ahead, "app_bot", "hello", alice);
    await untilAll(world, "app_bot", "DELIVERED");
  });
});
