import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { exposed } from "../../../scripts/deploy/exposed-metrics.ts";
import { createMetrics } from "../src/platform/metrics.ts";

describe("a gauge that is late", () => {
  test("has no value, the others have theirs, and it is asked once until it ends", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const metrics = createMetrics();
    const { promise, resolve } = Promise.withResolvers<number>();
    let asked = 0;
    metrics.addGauge("slow", "Of a database that does not answer", () => {
      asked++;
      return promise;
    });
    metrics.addGauge("quick", "Of this process", () => 7);
    const scrape = async (waitMs: number) => {
      let isRead = false;
      const text = metrics.registry.metrics().finally(() => {
        isRead = true;
      });
      await setImmediate();
      t.mock.timers.tick(waitMs - 1);
      await setImmediate();
      assert.equal(isRead, false);
      t.mock.timers.tick(1);
      return exposed(await text);
    };
    for (let scrapes = 0; scrapes < 2; scrapes++) {
      const { value } = await scrape(2_000);
      assert.deepEqual([value("slow"), value("quick")], [undefined, 7]);
    }
    assert.equal(asked, 1);
    resolve(5);
    await promise;
    await setImmediate();
    const { value } = exposed(await metrics.registry.metrics());
    assert.deepEqual([value("slow"), asked], [5, 2]);
  });
});
