import assert from "node:assert/strict";
import type { AttemptResult } from "../src/domain/webhooks/attempts/attempt-result.ts";
import { claimDue } from "../src/domain/webhooks/delivery-store.ts";
import { settleClaims } from "../src/domain/webhooks/settle-claims.ts";
import { consoleAcme, ownedApp, seedDeliveries } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const HOUR = 3_600_000;
const APP = "app_twice";

onBothEngines("the outcomes of claims", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp(APP)));

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
});

function answered(status: number): AttemptResult {
  const phases = { dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 1 };
  return { at: 1, address: "203.0.113.7", status, reason: null, detail: null, durationMs: 1, phases, answer: "" };
}
