import assert from "node:assert/strict";
import { sql } from "kysely";
import { sweepDeliveries } from "../src/domain/webhooks/sweep.ts";
import { consoleAcme, ownedApp, seedDeliveries } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { deliveriesOf, until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

onBothEngines("the sweep of old deliveries", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_swept"), ownedApp("app_race")));
  const left = async (appId: string) => (await deliveriesOf(world(), appId)).map(({ event_id }) => event_id);

  test("deletes only finished deliveries created before the limit", async () => {
    const now = world().clock.now();
    await seedDeliveries(world(), "app_swept", [
      { eventId: "evt_old", createdAt: now - 2 },
      { eventId: "evt_old_failed", createdAt: now - 2, status: "FAILED" },
      { eventId: "evt_old_due", createdAt: now - 2, status: "RETRYING", dueAt: now + 3_600_000 },
      { eventId: "evt_new", createdAt: now - 1 },
    ]);
    await sweepDeliveries(world().portico.ctx.storage, now - 1);
    assert.deepEqual(await left("app_swept"), ["evt_old_due", "evt_new"]);
  });

  test("keeps a delivery that is redelivered while the sweep runs", async () => {
    const { storage, clock } = world().portico.ctx;
    const now = clock.now();
    await seedDeliveries(world(), "app_race", [
      { eventId: "evt_again", createdAt: now - 10 },
      { eventId: "evt_over", createdAt: now - 10 },
    ]);
    const [changed, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const redelivery = storage.write(async (tx) => {
      await tx
        .updateTable("deliveries")
        .set({ status: "PENDING", due_at: now + 3_600_000 })
        .where("event_id", "=", "evt_again")
        .execute();
      changed.resolve();
      await release.promise;
    });
    await changed.promise;
    const sweep = sweepDeliveries(storage, now);
    if (storage.dialect === "postgres") await until(isBlocked, "the sweep waits for the row");
    release.resolve();
    await Promise.all([redelivery, sweep]);
    assert.deepEqual(await left("app_race"), ["evt_again"]);
  });

  async function isBlocked(): Promise<boolean> {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(world().portico.ctx.storage.db);
    return rows.length > 0;
  }
});
