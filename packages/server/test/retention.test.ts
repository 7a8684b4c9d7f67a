import assert from "node:assert/strict";
import { createAnonymousVisitor } from "../src/domain/customer-service/anonymous-visitors.ts";
import { indexMissing } from "../src/domain/customer-service/index-missing.ts";
import { sweepAnonymous } from "../src/domain/customer-service/sweep-anonymous.ts";
import { issueVisitorKey } from "../src/domain/customer-service/visitor-keys.ts";
import { select } from "../src/platform/storage/search/search.ts";
import { acme } from "./support/acme.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { REQUEST_PARTITION } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { RETENTION } from "./support/retention.ts";
import { suiteWorld } from "./support/world.ts";

const DAY_MS = 86_400_000;

onBothEngines("retention", (engine, test) => {
  const world = suiteWorld(engine, acme(customerApp("app_desk")));
  const desk = new CustomerClient(world, "app_desk");

  test("every table has a sweep, or a written reason why it is not swept", async () => {
    const tables = await world().portico.ctx.storage.db.introspection.getTables();
    const names = tables
      .map(({ name }) => name)
      .filter((name) => !/^(customer_)?search_index/.test(name) && !REQUEST_PARTITION.test(name));
    assert.deepEqual(
      names.filter((name) => !(name in RETENTION)),
      [],
      "say in test/support/retention.ts what becomes of its rows",
    );
    const gone = Object.keys(RETENTION).filter((name) => !names.includes(name) && name !== "search_rows");
    assert.deepEqual(gone, []);
  });

  test("where there are no visitors and no messages of theirs, the sweeps do not begin the thread for lists", async () => {
    const { storage, clock } = world().portico.ctx;
    await storage.write(async (tx) => {
      await tx.deleteFrom("visitors").execute();
    });
    const withoutLists = {
      ...{ db: storage.db, unhurried: storage.unhurried },
      get lists(): never {
        throw new Error("the thread would begin, and stay for half a minute of each");
      },
    };
    assert.equal(await sweepAnonymous(withoutLists), 0);
    await indexMissing(withoutLists, clock.now());
  });

  test("visitors without a name, key and session are removed, with what they are found by; others stay", async () => {
    const { storage, clock } = world().portico.ctx;
    const make = () =>
      storage.write((tx) => createAnonymousVisitor(tx, { appId: "app_desk", locale: "en-US", now: clock.now() }));
    const [gone, keyed, served] = [await make(), await make(), await make()];
    await storage.write(async (tx) => {
      await tx.deleteFrom("visitor_keys").where("visitor_id", "in", [gone.visitorId, served.visitorId]).execute();
    });
    const opened = await desk.value(desk.post("session/create", { visitorId: served.visitorId }));
    assert.ok(opened.sessionId);
    const isThere = async (visitorId: string) =>
      (await select(storage.db, engine.name, "visitors", { scope: "app_desk", keyword: visitorId })).total === 1;
    const areThere = () => Promise.all([gone, keyed, served].map(({ visitorId }) => isThere(visitorId)));
    await sweepAnonymous(storage);
    assert.deepEqual(await areThere(), [true, true, true], "their tokens are valid still");
    world().clock.turn(DAY_MS);
    await storage.write(async (tx) => {
      await tx.deleteFrom("visitor_tokens").execute();
    });
    // The service's own sweep may have been faster.
    await sweepAnonymous(storage);
    assert.deepEqual(await areThere(), [false, true, true]);
    const itsRow = storage.db.selectFrom("visitors").select("visitor_id").where("visitor_id", "=", gone.visitorId);
    assert.deepEqual(await itsRow.execute(), []);
  });

  test("a round looks at a bounded number of visitors, and the next goes on behind them", async () => {
    const { storage, clock } = world().portico.ctx;
    const visitors = Array.from({ length: 4_500 }, (_, n) => ({
      visitor_id: `v_many_${String(n).padStart(5, "0")}`,
      app_id: "app_desk",
      third_user_id: `anonymous:v_many_${n}`,
      nickname: "",
      status: 1,
    }));
    for (let at = 0; at < visitors.length; at += 500) {
      await storage.write(async (tx) => {
        await tx
          .insertInto("visitors")
          .values(visitors.slice(at, at + 500))
          .execute();
      });
    }
    await storage.write((tx) => issueVisitorKey(tx, "v_many_04499", clock.now()));
    const removed: number[] = [];
    for (let round = 0; round < 4; round++) removed.push(await sweepAnonymous(storage));
    const left = storage.db.selectFrom("visitors").select("visitor_id").where("visitor_id", "like", "v_many_%");
    assert.deepEqual(await left.execute(), [{ visitor_id: "v_many_04499" }]);
    assert.ok(
      removed.every((n) => n <= 2_000),
      String(removed),
    );
  });
});
