import assert from "node:assert/strict";
import type { Health } from "@portico/protocol";
import { operatedAcme, operator } from "./support/app-life.ts";
import { ConsoleClient, ownedApp, seedDeliveries } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

onBothEngines("operator: the health of the service", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme(ownedApp("app_bot")));
  const asked = async (): Promise<Health> =>
    await (await ConsoleClient.logIn(world(), operator)).ok("GET", "operator/health");
  const health = async () => {
    const { processes, deliveries, ...rest } = await asked();
    assert.ok(processes !== null && deliveries !== null);
    return { ...rest, processes, deliveries };
  };

  test("names this process, the stores and the disk", async () => {
    const { mode, processes, database, redis, disk } = await health();
    const isDistributed = engine.name === "postgres";
    assert.equal(mode, isDistributed ? "DISTRIBUTED" : "EMBEDDED");
    const [self] = processes;
    assert.deepEqual([self?.isThis, self?.pid], [true, process.pid]);
    assert.match(self?.version ?? "", /^\d+\.\d+\.\d+/);
    assert.deepEqual([database.engine, database.ok], [isDistributed ? "POSTGRESQL" : "SQLITE", true]);
    assert.deepEqual(redis?.ok, isDistributed ? true : undefined);
    assert.ok(disk.freeBytes > 0 && disk.freeBytes <= disk.totalBytes && disk.takesMessages);
  });

  test("counts the calls of the last minutes by what became of them, and names the slowest routes", async () => {
    const before = (await health()).processes[0]?.figures;
    const client = await ConsoleClient.logIn(world(), operator);
    assert.equal((await client.get("operator/requests/nothing")).status, 404);
    const [self] = (await health()).processes;
    assert.equal(self?.figures.refused, (before?.refused ?? 0) + 1);
    assert.ok(self.figures.calls > (before?.calls ?? 0));
    assert.ok(self.figures.slowest.some(({ route }) => route.endsWith("/operator/requests/:reqNo")));
    world().clock.turn(10 * 60_000);
    assert.ok(((await health()).processes[0]?.figures.calls ?? 10) < 5);
  });

  test("tells how many deliveries wait, and since when the oldest is due", async () => {
    const now = world().clock.now();
    await seedDeliveries(world(), "app_bot", [
      { eventId: "evt_due", status: "RETRYING", dueAt: now - 60_000 },
      { eventId: "evt_later", status: "RETRYING", dueAt: now + 3_600_000 },
    ]);
    const { deliveries } = await health();
    assert.equal(deliveries.waiting, 2);
    assert.equal(deliveries.oldestDueAt, now - 60_000);
    assert.deepEqual(deliveries.circuits, []);
  });

  test("tells what it can while the circuits cannot be asked for", async (t) => {
    const { ctx } = world().portico;
    t.mock.method(ctx.webhooks, "heldBack", async () => {
      throw new Error("nobody answers");
    });
    const { deliveries } = await health();
    assert.deepEqual([deliveries.waiting, deliveries.circuits], [2, null]);
  });

  test("names the circuits that hold deliveries back, whose age does not count", async (t) => {
    const { ctx } = world().portico;
    const until = world().clock.now() + 30_000;
    const asked = t.mock.method(ctx.webhooks, "heldBack", async (appIds: readonly string[]) => {
      return new Map(appIds.map((appId) => [appId, { state: "OPEN", openUntil: until } as const]));
    });
    const { deliveries } = await health();
    assert.equal(asked.mock.callCount(), 1, "all circuits are asked for at once");
    assert.equal(deliveries.oldestDueAt, null);
    const [circuit] = deliveries.circuits ?? [];
    assert.deepEqual([circuit?.appId, circuit?.state, circuit?.openUntil], ["app_bot", "OPEN", until]);
    assert.notEqual(circuit?.displayName, "");
  });

  test("leaves out what the database does not tell, and tells the rest", async (t) => {
    const { ctx } = world().portico;
    const away = async () => {
      throw new Error("no answer");
    };
    t.mock.method(ctx.processes, "list", away);
    t.mock.method(ctx.webhooks, "dueNow", () => {
      throw new Error("no answer");
    });
    const { processes, deliveries, database } = await asked();
    assert.deepEqual([processes, deliveries, database.ok], [null, null, true]);
  });

  test("says of a store that does not answer that it does not", async (t) => {
    const { ctx } = world().portico;
    t.mock.method(ctx.storage, "ping", async () => {
      throw new Error("no answer");
    });
    const { database } = await health();
    assert.deepEqual([database.ok, database.pingMs], [false, null]);
  });

  if (engine.name !== "postgres") return;

  test("names the other processes, and forgets those that end or fall silent", async () => {
    const other = await world().start();
    await other.ctx.processes.tell();
    const seen = async () => (await health()).processes.map(({ isThis }) => isThis);
    assert.deepEqual(await seen(), [true, false]);
    world().clock.turn(11 * 60_000);
    assert.deepEqual(await seen(), [true]);
    await other.ctx.processes.tell();
    assert.deepEqual(await seen(), [true, false]);
    await other.ctx.processes.close();
    assert.deepEqual(await seen(), [true]);
  });
});
