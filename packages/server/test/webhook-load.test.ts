import assert from "node:assert/strict";
import { emit } from "../src/domain/webhooks/outbox.ts";
import { sweepDeliveries } from "../src/domain/webhooks/sweep.ts";
import { acme, botApp } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { measureGrowth } from "./support/memory.ts";
import { startReceiver } from "./support/receiver.ts";
import { deliveriesOf, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe, until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const EVENTS = 10_000;
const BATCH = 500;

onBothEngines("webhooks under load", (engine, test) => {
  // Short, so that hanging requests open the circuit soon, but long enough for a busy machine.
  const env = { ...LOOPBACK_CALLBACKS, PORTICO_WEBHOOK_READ_TIMEOUT: "6s" };
  const world = suiteWorld(engine, acme(botApp("app_hang"), botApp("app_well")), env, LOOPBACK_NETWORK);

  /** Writes events to the outbox as messages do, many in one transaction. */
  async function emitMany(appId: string, count: number, from = 0): Promise<void> {
    const { storage, clock, webhooks } = world().portico.ctx;
    for (let first = from; first < from + count; first += BATCH) {
      await storage.write(async (tx) => {
        for (let n = first; n < Math.min(first + BATCH, from + count); n++) {
          await emit(tx, {
            eventType: "card.interaction",
            appId,
            payload: { n, text: "x".repeat(200) },
            now: clock.now(),
            dueNow: clock.now(),
            conversation: null,
          });
        }
      });
      webhooks.due(appId);
    }
  }

  test("10,000 events to one receiver while another's hangs: all received, its circuit open, memory bounded", async (t) => {
    const [hanging, well] = [await startReceiver({ respond: () => {} }), await startReceiver()];
    t.after(() => Promise.all([hanging.stop(), well.stop()]));
    const numbers: number[] = [];
    well.respond = ({ body }, response) => {
      numbers.push(JSON.parse(body.toString("utf8")).n);
      well.requests.length = 0;
      response.end();
    };
    await subscribe(world(), "app_hang", hanging.url(), "card.interaction");
    await subscribe(world(), "app_well", well.url(), "card.interaction");
    await emitMany("app_hang", 1_000);
    const growth = measureGrowth();
    const startedAt = performance.now();
    await emitMany("app_well", EVENTS);
    const { clock, coordination, storage } = world().portico.ctx;
    const left = async () =>
      (
        await storage.db
          .selectFrom("deliveries")
          .select("delivery_id")
          .where("app_id", "=", "app_well")
          .where("status", "!=", "DELIVERED")
          .limit(1)
          .execute()
      ).length;
    const deadline = performance.now() + 120_000;
    while ((await left()) > 0 && performance.now() < deadline) await new Promise((done) => setTimeout(done, 50));
    const seconds = (performance.now() - startedAt) / 1_000;
    assert.equal(await left(), 0);
    assert.equal(new Set(numbers).size, EVENTS);
    assert.equal(numbers.length, EVENTS, "each once");
    const grownBy = Math.round(growth() / 1e6);
    t.diagnostic(`${Math.round(EVENTS / seconds)} events/s, memory grew by ${grownBy} MB at most, receiver included`);
    assert.ok(grownBy < 250, `${grownBy} MB`);

    await until(async () => (await coordination.circuits.stateOf("app_hang", clock.now())) === "OPEN", "open");
    const hung = await deliveriesOf(world(), "app_hang");
    assert.equal(hung.length, 1_000);
    assert.ok(hung.every(({ status, due_at }) => ["PENDING", "RETRYING"].includes(status) && due_at !== null));
    assert.ok(hanging.connections.most <= 20, `${hanging.connections.most} side by side`);
  });

  test("the metrics contain attempts, due deliveries and open circuits", async () => {
    world().clock.turn(120_000);
    const { text } = await send(`${world().url}/metrics`);
    assert.match(text, /^portico_webhook_attempts_total\{outcome="2xx"\} 10000$/m);
    assert.match(text, /^portico_webhook_attempts_total\{outcome="read-timeout"\} \d+$/m);
    assert.match(text, /^portico_webhook_due_age_seconds \d+/m);
    assert.match(text, /^portico_webhook_circuits_open 1$/m);
  });

  test("old finished deliveries are swept with their attempts; unfinished ones stay", async () => {
    const { storage, clock } = world().portico.ctx;
    const count = async (table: "deliveries" | "delivery_attempts") =>
      Number(
        (
          await storage.db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll().as("n"))
            .executeTakeFirstOrThrow()
        ).n,
      );
    await sweepDeliveries(storage, clock.now() - 600_000);
    assert.equal(await count("deliveries"), EVENTS + 1_000);
    await sweepDeliveries(storage, clock.now());
    assert.equal(await count("deliveries"), 1_000);
    assert.ok((await count("delivery_attempts")) < 1_000);
  });
});
