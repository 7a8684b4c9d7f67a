import assert from "node:assert/strict";
import type { Figures } from "@portico/protocol";
import { sendText } from "./support/acme.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, ownedApp, seedDeliveries } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { explained } from "./support/explanations.ts";
import { suiteWorld } from "./support/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Item = Figures & { at: number };

const none: Figures = { calls: 0, errors: 0, deliveries: { delivered: 0, failed: 0, pending: 0, dropped: 0 } };

onBothEngines("console: figures over time", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(ownedApp("app_real"), ownedApp("app_seeded"), ownedApp("app_sent"), ownedApp("app_empty")),
  );
  const stats = async (appId: string, query = "") =>
    (await ConsoleClient.logIn(world())).ok("GET", `apps/${appId}/stats?${query}`);
  const hourOf = (at: number) => at - (at % HOUR);
  const seedCounts = (appId: string, counts: [at: number, calls: number, errors: number][]) =>
    world().portico.ctx.storage.write(async (tx) => {
      for (const [at, calls, errors] of counts) {
        const values = { app_id: appId, minute: Math.floor(at / MINUTE), calls, errors };
        await tx.insertInto("call_counts").values(values).execute();
      }
    });

  for (const [interval, length, count] of [
    ["minute", MINUTE, 60],
    ["hour", HOUR, 24],
    ["day", DAY, 30],
  ] as const) {
    test(`by ${interval}, without a range: ${count} intervals up to now, including empty ones`, async () => {
      const answer = await stats("app_empty", `interval=${interval}`);
      const now = world().clock.now();
      const last = now - (now % length);
      const expected = Array.from({ length: count }, (_, n) => ({ at: last - (count - 1 - n) * length, ...none }));
      assert.deepEqual(answer, { interval, items: expected, totals: none });
    });
  }
  test("real calls are counted, refused ones also as errors; calls of unknown applications are not", async () => {
    const client = await ConsoleClient.logIn(world());
    for (const sending of [{}, {}, { signedBody: "other" }, { headers: { "X-Open-Nonce": null } }]) {
      const { json } = await sendText(world(), "app_real", "hi", sending);
      await explained(client, `apps/app_real/requests/${json.reqNo}`);
    }
    await sendText(world(), "app_nowhere", "hi");
    const { items, totals } = await stats("app_real", "interval=minute");
    assert.deepEqual(totals, { ...none, calls: 4, errors: 2 });
    assert.deepEqual(items.at(-1), { at: world().clock.now() - (world().clock.now() % MINUTE), ...totals });
  });
  test("calls are summed by interval, and both ends of the range are included", async () => {
    const hour = hourOf(world().clock.now()) - 10 * HOUR;
    await seedCounts("app_seeded", [
      [hour - MINUTE, 1_000, 1_000],
      [hour, 1, 0],
      [hour + 59 * MINUTE, 2, 1],
      [hour + HOUR, 4, 2],
      [hour + 3 * HOUR, 8, 3],
      [hour + 4 * HOUR, 1_000, 1_000],
    ]);
    const byHour = await stats("app_seeded", `interval=hour&from=${hour + 5}&to=${hour + 3 * HOUR}`);
    assert.deepEqual(
      byHour.items.map(({ at, calls, errors }: Item) => [(at - hour) / HOUR, calls, errors]),
      [
        [0, 3, 1],
        [1, 4, 2],
        [2, 0, 0],
        [3, 8, 3],
      ],
    );
    assert.deepEqual(byHour.totals, { ...none, calls: 15, errors: 6 });
    const byMinute = await stats("app_seeded", `interval=minute&from=${hour}&to=${hour + HOUR}`);
    assert.equal(byMinute.items.length, 61);
    assert.deepEqual(byMinute.totals, { ...none, calls: 7, errors: 3 });
    const byDay = await stats("app_seeded", `interval=day&from=${hour - DAY}&to=${hour + DAY}`);
    assert.deepEqual([byDay.items.length, byDay.totals.calls], [3, 2_015]);
    const long = await stats(
      "app_seeded",
      `interval=hour&from=${hour - 1_499 * HOUR + 4 * HOUR}&to=${hour + 4 * HOUR}`,
    );
    assert.deepEqual([long.items.length, long.totals.calls], [1_500, 2_015]);
  });
  test("deliveries are counted by status, in the interval of their event", async () => {
    const hour = hourOf(world().clock.now()) - 10 * HOUR;
    const states = ["DELIVERED", "FAILED", "EXHAUSTED", "PENDING", "RETRYING", "DROPPED", "DELIVERED"] as const;
    await seedDeliveries(world(), "app_sent", [
      ...states.map((status, n) => ({ eventId: `evt_${n}`, status, createdAt: hour + n, dueAt: hour + DAY * 9 })),
      { eventId: "evt_next", createdAt: hour + HOUR },
      { eventId: "evt_before", createdAt: hour - 1 },
      ...Array.from({ length: 10_500 }, (_, n) => ({ eventId: `evt_many_${n}`, createdAt: hour + 2 * HOUR })),
    ]);
    const { items, totals } = await stats("app_sent", `from=${hour}&to=${hour + 2 * HOUR}`);
    assert.deepEqual(
      items.map(({ deliveries }: Item) => deliveries),
      [
        { delivered: 2, failed: 2, pending: 2, dropped: 1 },
        { ...none.deliveries, delivered: 1 },
        { ...none.deliveries, delivered: 10_500 },
      ],
    );
    assert.deepEqual(totals.deliveries, { delivered: 10_503, failed: 2, pending: 2, dropped: 1 });
  });
  for (const [what, query, message] of [
    ["more than 1,500 intervals", `interval=hour&from=0&to=${1_500 * HOUR}`, /1500/],
    ["all time, by the minute", "interval=minute&from=0&to=9007199254740991", /1500/],
    ["a range that ends before it begins", "from=2&to=1", /from/],
    ["an interval that is none", "interval=week", /interval/],
    ["a moment that is none", "from=now", /from/],
  ] as const) {
    test(`${what}: 400`, async () => {
      const answer = await (await ConsoleClient.logIn(world())).get(`apps/app_empty/stats?${query}`);
      assertConsoleRefused(answer, 400, message);
    });
  }
  test("exactly 1,500 intervals are the maximum", async () => {
    const { items } = await stats("app_empty", `interval=minute&from=0&to=${1_499 * MINUTE}`);
    assert.equal(items.length, 1_500);
  });
});
