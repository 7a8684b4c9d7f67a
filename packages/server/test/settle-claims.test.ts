import assert from "node:assert/strict";
import type { AttemptResult } from "../src/domain/webhooks/attempts/attempt-result.ts";
import { claimDue } from "../src/domain/webhooks/delivery-store.ts";
import { recordOutcomes, settleClaims } from "../src/domain/webhooks/settle-claims.ts";
import { consoleAcme, ownedApp, seedDeliveries } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const HOUR = 3_600_000;
const APP = "app_twice";

onBothEngines("the outcomes of claims", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp(APP), ownedApp("app_often"), ownedApp("app_order")));

  test("of a delivery that was claimed twice only the newer claim's attempt is recorded, also when both end together", async () => {
    const { storage } = world().portico.ctx;
    const now = world().clock.now();
    await seedDeliveries(world(), APP, [
      { eventId: "evt_twice", createdAt: now, status: "PENDING", dueAt: now + HOUR },
    ]);
    const claimAt = async (at: number) => {
      const query = { appId: APP, limit: 1, now: at, leaseEnd: at + 1 };
      const [claimed] = await storage.write((tx) => claimDue(tx, storage.dialect, query));
      assert.ok(claimed !== undefined);
      return claimed;
    };
    const lost = await claimAt(now + HOUR);
    const held = await claimAt(now + HOUR + 1);
    const settlements = [
      {
        delivery: lost,
        outcome: {
          result: answered(500),
          verdict: { status: "RETRYING", dueAt: now, nextAttemptAt: now, retryCount: 1 },
        },
      },
      {
        delivery: held,
        outcome: {
          result: answered(200),
          verdict: { status: "DELIVERED", dueAt: null, nextAttemptAt: null, retryCount: 0 },
        },
      },
    ] as const;
    const settled = await storage.write((tx) => settleClaims(tx, storage.dialect, APP, settlements));
    assert.deepEqual(settled, [false, true]);
    const attempts = await storage.db.selectFrom("delivery_attempts").select(["attempt", "status"]).execute();
    assert.deepEqual(attempts, [{ attempt: 1, status: 200 }]);
    const { status } = await storage.db.selectFrom("deliveries").select("status").executeTakeFirstOrThrow();
    assert.equal(status, "DELIVERED");
  });

  test("successes are recorded with their attempts, of which the oldest beyond a hundred are removed, and only under their claims", async () => {
    const { storage } = world().portico.ctx;
    const now = world().clock.now();
    const eventIds = ["evt_often", "evt_lost", "evt_once"];
    await seedDeliveries(
      world(),
      "app_often",
      eventIds.map((eventId) => ({ eventId, createdAt: now, status: "PENDING" as const, dueAt: now })),
    );
    await storage.write((tx) =>
      tx.updateTable("deliveries").set({ attempt_count: 100 }).where("event_id", "=", "evt_often").execute(),
    );
    const query = { appId: "app_often", limit: 3, now, leaseEnd: now + 1 };
    const claimed = await storage.write((tx) => claimDue(tx, storage.dialect, query));
    const idOf = (eventId: string) => claimed.find((delivery) => delivery.eventId === eventId)?.deliveryId ?? 0;
    const old = { at: 1, address: null, status: 500, reason: null, detail: null, duration_ms: 1, phases: "{}" };
    for (const attempt of [1, 2]) {
      const row = { ...old, delivery_id: idOf("evt_often"), attempt, answer: "", next_attempt_at: null };
      await storage.write((tx) => tx.insertInto("delivery_attempts").values(row).execute());
    }
    const delivered = { status: "DELIVERED", dueAt: null, nextAttemptAt: null, retryCount: 0 } as const;
    const settlements = claimed.map((delivery) => {
      const claim = delivery.eventId === "evt_lost" ? delivery.claim - 1 : delivery.claim;
      return { delivery: { ...delivery, claim }, outcome: { result: answered(200), verdict: delivered } };
    });
    await recordOutcomes(storage, "app_often", settlements);

    const left = await storage.db
      .selectFrom("deliveries")
      .innerJoin("delivery_attempts", "delivery_attempts.delivery_id", "deliveries.delivery_id")
      .select(["event_id", "attempt", "deliveries.status"])
      .where("event_id", "in", eventIds)
      .orderBy("event_id")
      .orderBy("attempt")
      .execute();
    assert.deepEqual(left, [
      { event_id: "evt_often", attempt: 2, status: "DELIVERED" },
      { event_id: "evt_often", attempt: 101, status: "DELIVERED" },
      { event_id: "evt_once", attempt: 1, status: "DELIVERED" },
    ]);
    const lost = storage.db.selectFrom("deliveries").select("status").where("event_id", "=", "evt_lost");
    assert.equal((await lost.executeTakeFirstOrThrow()).status, "PENDING");
  });

  test("batches that settle and reset the same rows in different orders at the same time are all recorded", async () => {
    const { storage } = world().portico.ctx;
    const now = world().clock.now();
    const types = ["card.interaction", "im.message.receive_v1"] as const;
    const delivered = { status: "DELIVERED", dueAt: null, nextAttemptAt: null, retryCount: 0 } as const;
    for (let round = 0; round < 10; round++) {
      const eventIds = Array.from({ length: 20 }, (_, n) => `evt_order_${round}_${n}`);
      const row = { createdAt: now, status: "PENDING" as const, dueAt: now };
      await seedDeliveries(
        world(),
        "app_order",
        eventIds.map((eventId) => ({ eventId, ...row })),
      );
      await storage.write(async (tx) => {
        for (const [n, event_type] of types.entries()) {
          const failing = { app_id: "app_order", event_type, failure_count: 1, status: "INACTIVE", updated_at: n };
          await tx
            .insertInto("subscriptions")
            .values({ ...failing, transport: "SOCKET", callback_url: null, secret_box: "" } as never)
            .onConflict((conflict) => conflict.columns(["app_id", "event_type"]).doUpdateSet({ failure_count: 1 }))
            .execute();
        }
      });
      const query = { appId: "app_order", limit: 20, now, leaseEnd: now + 1 };
      const claimed = await storage.write((tx) => claimDue(tx, storage.dialect, query));
      const settled = claimed.map((delivery, n) => {
        const eventType = types[n % 2] ?? types[0];
        return { delivery: { ...delivery, eventType }, outcome: { result: answered(200), verdict: delivered } };
      });
      // Each of them is reported twice, in opposite orders; one report counts.
      await Promise.all([settled, settled.toReversed()].map((some) => recordOutcomes(storage, "app_order", some)));
    }
    const rows = await storage.db
      .selectFrom("deliveries")
      .select(["status", "attempt_count as attempts"])
      .where("app_id", "=", "app_order")
      .execute();
    assert.equal(rows.length, 200);
    assert.ok(rows.every(({ status, attempts }) => status === "DELIVERED" && attempts === 1));
  });
});

function answered(status: number): AttemptResult {
  const phases = { dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 1 };
  return { at: 1, address: "203.0.113.7", status, reason: null, detail: null, durationMs: 1, phases, answer: "" };
}
