import assert from "node:assert/strict";
import type { Stats } from "@portico/protocol";
import { sendText } from "./support/acme.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, ownedApp, seedDeliveries } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { explained } from "./support/explanations.ts";
import { until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Item = Stats["items"][number];

const none: Stats["totals"] = {
  calls: 0,
  errors: 0,
  deliveries: { delivered: 0, failed: 0, pending: 0, dropped: 0 },
  latency: null,
  busiestMinute: 0,
};
const retentionMs = 7 * DAY;

onBothEngines("console: figures over time", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(
      ...["app_real", "app_seeded", "app_sent", "app_empty", "app_slow", "app_coded", "app_old"].map((id) =>
        ownedApp(id),
      ),
    ),
  );
  const stats = async (appId: string, query = "") =>
    (await ConsoleClient.logIn(world())).ok("GET", `apps/${appId}/stats?${query}`);
  const hourOf = (at: number) => at - (at % HOUR);
  const seedCounts = (appId: string, counts: [at: number, calls: number, errors: number, times?: object][]) =>
    world().portico.ctx.storage.write(async (tx) => {
      for (const [at, calls, errors, times] of counts) {
        const values = { app_id: appId, minute: Math.floor(at / MINUTE), calls, errors, ...times };
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
      const { quota, ...rest } = answer;
      assert.deepEqual(rest, {
        interval,
        callsFrom: now - retentionMs,
        items: expected,
        totals: none,
        errorsByCode: [],
      });
      assert.deepEqual(quota.days, []);
    });
  }
  test("real calls are counted, refused ones also as errors; calls of unknown applications are not", async () => {
    const client = await ConsoleClient.logIn(world());
    for (const sending of [{}, {}, { signedBody: "other" }, { headers: { "X-Open-Nonce": null } }]) {
      const { json } = await sendText(world(), "app_real", "hi", sending);
      await explained(client, `apps/app_real/requests/${json.reqNo}`);
    }
    await sendText(world(), "app_nowhere", "hi");
    const { items, totals, errorsByCode, quota } = await stats("app_real", "interval=minute");
    const { latency, ...counted } = totals;
    assert.deepEqual({ ...counted, latency: null }, { ...none, calls: 4, errors: 2, busiestMinute: 4 });
    assert.ok(latency.p50 >= 1 && latency.p50 <= latency.p95 && latency.p95 <= latency.p99, JSON.stringify(latency));
    assert.deepEqual(items.at(-1), { at: world().clock.now() - (world().clock.now() % MINUTE), ...totals });
    assert.deepEqual(errorsByCode, [{ code: "400001", calls: 2 }]);
    const today = world().clock.now() - (world().clock.now() % DAY);
    await until(async () => {
      const { days } = (await stats("app_real", "interval=minute")).quota;
      return days.length === 1 && days[0].at === today && days[0].used > 0;
    }, "the use of today's quota is written");
    assert.ok(quota.perMinute > 0 && quota.perDay >= quota.perMinute);
  });
  test("latencies are rounded up to a bound; the busiest minute is that of each interval", async () => {
    const hour = hourOf(world().clock.now()) - 5 * HOUR;
    await seedCounts("app_slow", [
      [hour, 90, 0, { ms_3: 90 }],
      [hour + MINUTE, 9, 0, { ms_100: 9 }],
      [hour + HOUR, 1, 0, { ms_60000: 1 }],
    ]);
    const { items, totals } = await stats("app_slow", `interval=hour&from=${hour}&to=${hour + 2 * HOUR}`);
    assert.deepEqual(
      items.map(({ latency, busiestMinute }: Item) => [latency, busiestMinute]),
      [
        [{ p50: 3, p95: 100, p99: 100 }, 90],
        [{ p50: 60_000, p95: 60_000, p99: 60_000 }, 1],
        [null, 0],
      ],
    );
    assert.deepEqual([totals.latency, totals.busiestMinute], [{ p50: 3, p95: 100, p99: 100 }, 90]);
  });
  test("errors are summed by code, most frequent first, in the range only", async () => {
    const hour = hourOf(world().clock.now()) - 5 * HOUR;
    await world().portico.ctx.storage.write(async (tx) => {
      for (const [at, code, calls] of [
        [hour - MINUTE, "403001", 1_000],
        [hour, "400001", 1],
        [hour, "429001", 2],
        [hour + 30 * HOUR, "400001", 1_000],
        [hour + HOUR, "429001", 3],
        [hour + HOUR, "403001", 1],
      ] as const) {
        const values = { app_id: "app_coded", minute: Math.floor(at / MINUTE), code, calls };
        await tx.insertInto("call_errors").values(values).execute();
      }
    });
    const { errorsByCode } = await stats("app_coded", `interval=hour&from=${hour}&to=${hour + 4 * HOUR}`);
    assert.deepEqual(errorsByCode, [
      { code: "429001", calls: 5 },
      { code: "400001", calls: 1 },
      { code: "403001", calls: 1 },
    ]);
  });
  test("calls from before retention.requests are not counted, but the use of each day's quota is", async () => {
    const now = world().clock.now();
    const day = Math.floor(now / DAY);
    await seedCounts("app_old", [
      [now - retentionMs - 2 * DAY, 1_000, 0],
      [now - 2 * DAY, 3, 0],
    ]);
    await world().portico.ctx.storage.write(async (tx) => {
      for (const [ago, used] of [
        [40, 1_000],
        [20, 7],
        [2, 3],
      ] as const) {
        await tx
          .insertInto("quota_days")
          .values({ app_id: "app_old", day: day - ago, used })
          .execute();
      }
    });
    const { totals, quota } = await stats("app_old", `interval=day&from=${now - 60 * DAY}`);
    assert.equal(totals.calls, 3);
    assert.deepEqual(quota.days, [
      { at: (day - 20) * DAY, used: 7 },
      { at: (day - 2) * DAY, used: 3 },
    ]);
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
    assert.deepEqual(byHour.totals, { ...none, calls: 15, errors: 6, busiestMinute: 8 });
    const byMinute = await stats("app_seeded", `interval=minute&from=${hour}&to=${hour + HOUR}`);
    assert.equal(byMinute.items.length, 61);
    assert.deepEqual(byMinute.totals, { ...none, calls: 7, errors: 3, busiestMinute: 4 });
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
