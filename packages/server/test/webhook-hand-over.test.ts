import assert from "node:assert/strict";
import { acme, alice, botApp } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { type Received, type Receiver, startReceiver } from "./support/receiver.ts";
import { deliveriesOf, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe, until, untilAll } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const CONCURRENCY = 4;

onBothEngines("events that their process claims where it writes them", (engine, test) => {
  const apps = ["app_near", "app_full", "app_again", "app_shut"].map((appId) => botApp(appId));
  const env = { ...LOOPBACK_CALLBACKS, PORTICO_WEBHOOK_CONCURRENCY_PER_APP: `${CONCURRENCY}` };
  const world = suiteWorld(engine, acme(...apps), env, LOOPBACK_NETWORK);

  /** A subscribed application whose circuit is known to be closed, and a member who writes to it. */
  async function prepare(t: { after(fn: () => Promise<void>): void }, appId: string) {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    await subscribe(world(), appId, receiver.url());
    const member = await MemberClient.signIn(world(), alice);
    const say = async (text: string, clientMessageId?: string) => {
      const message = { msgType: "text", content: { text }, ...(clientMessageId && { clientMessageId }) };
      assert.equal((await member.post(`conversations/bot:${appId}/messages`, message)).status, 200);
    };
    return { receiver, say };
  }

  /** Counts how often the dispatchers are told that something is due. */
  function countHints(t: { after(fn: () => void): void }): { count: number } {
    const { webhooks } = world().portico.ctx;
    const { due } = webhooks;
    const hints = { count: 0 };
    webhooks.due = (appId) => {
      hints.count++;
      due.call(webhooks, appId);
    };
    t.after(() => {
      webhooks.due = due;
    });
    return hints;
  }

  /** Says one text after another until one was claimed where it was written. */
  async function warmUp(say: (text: string) => Promise<void>, hints: { count: number }): Promise<void> {
    for (let before = -1; before !== hints.count; ) {
      before = hints.count;
      await say("warm-up");
    }
  }

  test("an event is attempted without a hint once the circuit is known to be closed, by no other process, and recorded as any other", async (t) => {
    const { receiver, say } = await prepare(t, "app_near");
    const hints = countHints(t);
    await warmUp(say, hints);
    await untilAll(world(), "app_near", "DELIVERED");
    const other = engine.name === "postgres" ? await world().start() : null;
    const held = Promise.withResolvers<void>();
    receiver.respond = async (_received, response) => {
      await held.promise;
      response.end();
    };
    const count = receiver.requests.length;
    await warmUp(say, hints);
    await until(() => receiver.requests.length > count, "the event is received");
    await other?.ctx.webhooks.poll();
    const [last] = (await deliveriesOf(world(), "app_near")).slice(-1);
    assert.deepEqual([last?.status, last?.claimed, last?.attempt_count], ["PENDING", 1, 0]);
    held.resolve();
    await untilAll(world(), "app_near", "DELIVERED");
    const rows = await deliveriesOf(world(), "app_near");
    assert.ok(rows.every((row) => row.attempt_count === 1 && row.claimed === 0 && row.due_at === null));
    assertEachOnce(receiver, rows.length);
  });

  test("where there is no room for an attempt, events wait unclaimed, and all are received once", async (t) => {
    const { receiver, say } = await prepare(t, "app_full");
    const hints = countHints(t);
    await warmUp(say, hints);
    await untilAll(world(), "app_full", "DELIVERED");
    const held = Promise.withResolvers<void>();
    let [current, most] = [0, 0];
    receiver.respond = async (_received, response) => {
      most = Math.max(most, ++current);
      await held.promise;
      current--;
      response.end();
    };
    const before = hints.count;
    const texts = Array.from({ length: 60 }, (_, n) => `${n}`);
    await Promise.all(texts.map((text) => say(text)));
    assert.ok(hints.count > before, "some were not claimed");
    held.resolve();
    await untilAll(world(), "app_full", "DELIVERED");
    assert.ok(most <= CONCURRENCY * world().all.length, `${most} at a time`);
    assertEachOnce(receiver, (await deliveriesOf(world(), "app_full")).length);
    const received = new Set(receiver.requests.map(textOf));
    assert.ok(texts.every((text) => received.has(text)));
  });

  test("posts that write no event give their room back", async (t) => {
    const { receiver, say } = await prepare(t, "app_again");
    const hints = countHints(t);
    await say("once", "the same");
    await warmUp(say, hints);
    for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 10 }, () => say("once", "the same")));
    await Promise.all(Array.from({ length: 10 }, (_, n) => say("twins", `twins ${n % 2}`)));
    await untilAll(world(), "app_again", "DELIVERED");
    await warmUp(say, hints);
    await untilAll(world(), "app_again", "DELIVERED");
    const received = receiver.requests.map(textOf);
    assert.equal(received.filter((text) => text === "once").length, 1);
    assert.equal(received.filter((text) => text === "twins").length, 2);
  });

  test("a stop delivers or releases what was claimed, so that the next process need not wait for a lease", async (t) => {
    const { receiver, say } = await prepare(t, "app_shut");
    const hints = countHints(t);
    await warmUp(say, hints);
    const texts = Array.from({ length: 40 }, (_, n) => `${n}`);
    receiver.respond = (_received, response) => void setTimeout(() => response.end(), 50);
    await Promise.all(texts.map((text) => say(text)));
    await world().restart();
    await untilAll(world(), "app_shut", "DELIVERED");
    const received = new Set(receiver.requests.map(textOf));
    assert.ok(texts.every((text) => received.has(text)));
  });
});

function textOf({ body }: Received): string {
  return JSON.parse(body.toString("utf8")).message.content.text;
}

function assertEachOnce({ requests }: Receiver, count: number): void {
  const ids = requests.map(({ headers }) => headers["x-open-event-id"]);
  assert.deepEqual([ids.length, new Set(ids).size], [count, count]);
}
