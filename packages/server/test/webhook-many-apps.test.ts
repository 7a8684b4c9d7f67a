import assert from "node:assert/strict";
import { acme, botApp } from "./support/acme.ts";
import { seedDeliveries } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { startReceiver } from "./support/receiver.ts";
import { LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe, until, untilAll } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

/** Together they have more due deliveries than one process claims at a time. */
const APPS = Array.from({ length: 60 }, (_, index) => `app_${index}`);
const DUE_EACH = 20;
/** Less than a lease, after which forgotten claims would become due. Every delivery needs a handshake. */
const WITHIN_MS = 25_000;

onBothEngines("webhook deliveries of many applications", (engine, test) => {
  const world = suiteWorld(
    engine,
    acme(...[...APPS, "app_late"].map((appId) => botApp(appId, { installations: [] }))),
    // Hundreds of concurrent handshakes may take a long time on a busy machine.
    { ...LOOPBACK_CALLBACKS, PORTICO_WEBHOOK_CONNECT_TIMEOUT: "60s" },
    LOOPBACK_NETWORK,
  );
  const seed = async (appId: string, url: string, count: number) => {
    await subscribe(world(), appId, url);
    const now = world().clock.now();
    const events = Array.from({ length: count }, (_, index) => ({ eventId: `evt_${appId}_${now}_${index}` }));
    await seedDeliveries(
      world(),
      appId,
      events.map(({ eventId }) => ({ eventId, status: "PENDING", dueAt: now })),
    );
  };

  test("a backlog of all of them is delivered without a pause, however many claims that takes", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    for (const appId of APPS) await seed(appId, receiver.url(), DUE_EACH);
    await world().portico.ctx.webhooks.poll();
    const isDone = () => receiver.requests.length === APPS.length * DUE_EACH;
    await until(isDone, "all received, and sooner than a lease ends", WITHIN_MS);
    for (const appId of APPS) await untilAll(world(), appId, "DELIVERED");
    assert.equal(receiver.requests.length, APPS.length * DUE_EACH, "each once");
    world().clock.turn(60_000);
  });

  test("slow receivers that occupy all places do not delay others", async (t) => {
    const [slow, quick] = [await startReceiver(), await startReceiver()];
    t.after(async () => {
      await slow.stop();
      await quick.stop();
    });
    const held: (() => void)[] = [];
    slow.respond = (_received, response) => void held.push(() => response.writeHead(200).end());
    const slowApps = APPS.slice(0, 20);
    for (const appId of slowApps) await seed(appId, slow.url(), DUE_EACH);
    await world().portico.ctx.webhooks.poll();
    await until(() => held.length >= 256, "every place is taken");
    await seed("app_late", quick.url(), 5);
    world().portico.ctx.webhooks.due("app_late");
    await untilAll(world(), "app_late", "DELIVERED");
    assert.ok(held.length >= 256, "nothing has been answered meanwhile");
    slow.respond = (_received, response) => void response.writeHead(200).end();
    for (const answer of held.splice(0)) answer();
    for (const appId of slowApps) await untilAll(world(), appId, "DELIVERED");
  });
});
