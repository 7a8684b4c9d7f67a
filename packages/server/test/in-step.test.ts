import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { joint, LOCK_RANK } from "../src/platform/storage/joint.ts";
import { prepared } from "../src/platform/storage/prepared.ts";
import { RaceLost, withSavepoint } from "../src/platform/storage/savepoint.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import { acme, botApp } from "./support/acme.ts";
import { postgres } from "./support/engines.ts";
import { World } from "./support/world.ts";

/** Notes under names of which each test has its own. */
async function note(tx: Db, name: string, value: string): Promise<void> {
  await tx.insertInto("meta").values({ name, value }).execute();
}

/** A joint query that records how many units each of its statements served. */
function counting(served: number[], query: { claim?: string; lockRank?: number } = {}) {
  const { claim, lockRank } = query;
  return joint<number, number>({
    alone: (_tx, value) => {
      served.push(1);
      return value;
    },
    async joint(tx, all) {
      served.push(all.length);
      await sql`select 1`.execute(tx);
      return all;
    },
    ...(claim !== undefined && { claim: () => claim }),
    ...(lockRank !== undefined && { lockRank }),
  });
}

/** Notes that units tell: their statements are counted, and nobody waits for them. */
function telling(served: number[], isLate = false) {
  const insert = prepared<{ names: string[] }>()((db, param) => ({
    compile: () =>
      sql`insert into meta (name, value) select name, 'told' from unnest(${param("names")}::text[]) as told(name)`.compile(
        db,
      ),
  }));
  return joint<string, void>({
    alone: async (tx, name) => {
      served.push(1);
      await note(tx, name, "told");
    },
    async joint(tx, all) {
      served.push(all.length);
      if (isLate) await new Promise((resolve) => setImmediate(resolve));
      await insert.affected(tx, { names: [...all] });
      return all.map(() => undefined);
    },
    changed: () => true,
    isTold: true,
  });
}

/** Lets the event loop turn. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("units in step", { skip: postgres.missing ?? false }, () => {
  let world: World;
  before(async () => {
    world = await World.create(postgres, acme(botApp("app_bot")), {});
  });
  after(() => world.dispose());
  const storage = () => world.portico.ctx.storage;
  const noted = async (prefix: string) => {
    const rows = await storage().db.selectFrom("meta").select("name").where("name", "like", `${prefix}%`).execute();
    return rows.map(({ name }) => name).sort();
  };
  /** Runs units that all come in one turn of the event loop. */
  const together = <T>(units: ((tx: Db) => Promise<T>)[]) =>
    Promise.allSettled(units.map((unit) => storage().writeInStep(unit, {})));

  test("what many ask is one statement, and each gets its own answer", async () => {
    const served: number[] = [];
    const ask = counting(served);
    const outcomes = await together(Array.from({ length: 20 }, (_, n) => async (tx: Db) => await ask(tx, n)));
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === "fulfilled" && outcome.value),
      Array.from({ length: 20 }, (_, n) => n),
    );
    assert.deepEqual(served, [20]);
  });

  test("what is asked ahead is sent with what the unit asks now, and answers the same question once", async () => {
    const served: number[] = [];
    const [ask, other] = [counting(served), counting(served)];
    const unit = (n: number) => async (tx: Db) => {
      ask.ahead(tx, n);
      const answers = [await other(tx, n)];
      const trips = served.length;
      answers.push(await ask(tx, n));
      assert.equal(served.length, trips, "it was answered before");
      return [...answers, await ask(tx, n), await ask(tx, n + 100)];
    };
    const outcomes = await together([unit(1), unit(2)]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === "fulfilled" && outcome.value),
      [
        [1, 1, 1, 101],
        [2, 2, 2, 102],
      ],
    );
    assert.deepEqual(served, [2, 2, 2, 2]);
    // A unit that is alone in its transaction asks once.
    served.length = 0;
    const alone = async (tx: Db) => {
      ask.ahead(tx, 7);
      return await ask(tx, 7);
    };
    assert.equal(await storage().write(alone), 7);
    assert.deepEqual(served, [1]);
  });

  test("what a unit asked ahead and never needed fails nobody, and is not the next unit's", async () => {
    const ask = counting([]);
    const outcomes = await together([
      async (tx) => {
        ask.ahead(tx, 1);
        throw new Error("refused");
      },
      async (tx) => await ask(tx, 2),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", "fulfilled"],
    );
    const served: number[] = [];
    const again = counting(served);
    await together([async (tx) => again.ahead(tx, 1)]);
    assert.deepEqual(await together([async (tx) => await again(tx, 1)]), [{ status: "fulfilled", value: 1 }]);
    assert.deepEqual(served, [1, 1]);
  });

  test("locks are asked for when no unit has anything else to do", async () => {
    const served: number[] = [];
    const lock = counting(served, { lockRank: LOCK_RANK.counter });
    const units = Array.from({ length: 8 }, (_, n) => async (tx: Db) => {
      for (let step = 0; step < n; step++) await sql`select ${step}::int`.execute(tx);
      return await lock(tx, n);
    });
    await together([...units, async () => 0]);
    assert.deepEqual(served, [8]);
  });

  test("the next transaction begins while one has its last locks", async () => {
    const events: string[] = [];
    const held = Promise.withResolvers<void>();
    const lock = joint<string, void>({
      alone: () => {},
      async joint(tx, all) {
        if (all.includes("first")) await held.promise;
        await sql`select 1`.execute(tx);
        return all.map(() => undefined);
      },
      lockRank: LOCK_RANK.counter,
    });
    const unit = (name: string) => async (tx: Db) => {
      events.push(`${name} begins`);
      await lock(tx, name);
      events.push(`${name} ends`);
    };
    // Two connections, so that none has to be opened.
    const busy = async (tx: Db) => void (await sql`select pg_sleep(0.2)`.execute(tx));
    await Promise.all([together([busy]), storage().write(busy)]);
    const first = together([unit("first"), unit("first")]);
    await turns(50);
    const second = together([unit("second"), unit("second")]);
    // Turns, not time: after a while it would begin in any case.
    await turns(50);
    const meanwhile = events.slice(2, 4);
    held.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(meanwhile, ["second begins", "second begins"]);
    assert.deepEqual(events.filter((event) => event.endsWith("ends")).length, 4);
  });

  test("what units tell is one statement at the end, and is there when they are answered", async () => {
    const served: number[] = [];
    const tell = telling(served);
    const unit = (n: number) => async (tx: Db) => {
      for (let step = 0; step < n; step++) await sql`select ${step}::int`.execute(tx);
      await tell(tx, `told-${n}`);
    };
    // The second time, the statement is prepared.
    for (const round of [0, 4]) {
      await together([unit(round), unit(round + 1), unit(round + 2), unit(round + 3)]);
      assert.deepEqual(
        await noted("told"),
        Array.from({ length: round + 4 }, (_, n) => `told-${n}`),
      );
    }
    assert.deepEqual(served, [4, 4]);
  });

  for (const isLate of [false, true]) {
    const when = isLate ? "and is not sent at once, " : "";
    test(`what is told ${when}stands or falls with the transaction`, async () => {
      const tell = telling([], isLate);
      const [taken, ...others] = ["taken", "first", "third"].map((name) => `${isLate ? "late" : "prompt"}-${name}`);
      assert.ok(taken !== undefined);
      await storage().write((tx) => note(tx, taken, "1"));
      const names = [...others, taken];
      const outcomes = await together(names.map((name) => async (tx: Db) => await tell(tx, name)));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ["fulfilled", "fulfilled", "rejected"],
      );
      assert.deepEqual(await noted(isLate ? "late" : "prompt"), names.sort());
    });
  }

  test("a unit that fails after it has told something is undone", async () => {
    const tell = telling([]);
    const outcomes = await together([
      async (tx) => {
        await tell(tx, "untold");
        throw new Error("refused");
      },
      async (tx) => await tell(tx, "untold-other"),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", "fulfilled"],
    );
    assert.deepEqual(await noted("untold"), ["untold-other"]);
  });

  test("a unit that waits for another holds nobody up, whenever its other questions are answered", async () => {
    const find = counting([], { claim: "one claim for all" });
    const [other, lock] = [counting([]), counting([], { lockRank: LOCK_RANK.counter })];
    const claiming = (lateMs: number) => async (tx: Db) => {
      await new Promise((resolve) => setTimeout(resolve, lateMs));
      await Promise.all([find(tx, 1), other(tx, 1)]);
      return await lock(tx, 1);
    };
    const outcomes = await together([claiming(0), claiming(40), async (tx: Db) => await lock(tx, 1)]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "fulfilled", "fulfilled"],
    );
  });

  test("units with one claim go one after another, in the order of their coming", async () => {
    const served: number[] = [];
    const ask = counting(served, { claim: "the claim" });
    const events: string[] = [];
    const unit = (n: number) => async (tx: Db) => {
      await ask(tx, n);
      events.push(`begins ${n}`);
      await sql`select 1`.execute(tx);
      events.push(`ends ${n}`);
    };
    await together([unit(1), unit(2), unit(3)]);
    assert.deepEqual(events, ["begins 1", "ends 1", "begins 2", "ends 2", "begins 3", "ends 3"]);
  });

  test("a unit that fails before it has changed anything fails alone", async () => {
    let runs = 0;
    const outcomes = await together([
      async (tx) => {
        runs++;
        await note(tx, "alone-kept", "1");
      },
      async (tx) => {
        await sql`select 1`.execute(tx);
        throw new Error("refused");
      },
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected"],
    );
    assert.deepEqual(await noted("alone"), ["alone-kept"]);
    assert.equal(runs, 1);
  });

  test("a unit that fails after a change is undone, and the others are carried out without it", async () => {
    const outcomes = await together([
      (tx) => note(tx, "after-kept", "1"),
      async (tx) => {
        await note(tx, "after-undone", "1");
        throw new Error("refused");
      },
      (tx) => note(tx, "after-kept-too", "1"),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(await noted("after"), ["after-kept", "after-kept-too"]);
  });

  test("what fails within a savepoint is undone, and the rest of its unit stays", async () => {
    const [, outcome] = await together<unknown>([
      (tx) => note(tx, "within-other", "1"),
      async (tx) => {
        await note(tx, "within-before", "1");
        const work = async () => {
          await note(tx, "within-undone", "1");
          throw new Error("refused");
        };
        return await withSavepoint(tx, work).catch(() => "went on");
      },
    ]);
    assert.deepEqual(outcome, { status: "fulfilled", value: "went on" });
    assert.deepEqual(await noted("within"), ["within-before", "within-other"]);
  });

  test("a statement that fails is its unit's failure only", async () => {
    const outcomes = await together<unknown>([
      (tx) => note(tx, "statement-kept", "1"),
      (tx) => sql`select ${"no number"}::int`.execute(tx),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected"],
    );
    assert.deepEqual(await noted("statement"), ["statement-kept"]);
  });

  test("a race that is lost is run again", async () => {
    let runs = 0;
    const race = joint<number, number>({
      alone: (_tx, value) => {
        if (runs++ === 0) throw new RaceLost("lost");
        return value;
      },
      joint: async () => {
        throw new RaceLost("lost");
      },
    });
    const [outcome] = await together([async (tx: Db) => await race(tx, 7), async () => 0]);
    assert.deepEqual(outcome, { status: "fulfilled", value: 7 });
    assert.equal(runs, 2);
  });

  test("a race that a unit finds lost by itself is run again", async () => {
    let runs = 0;
    const [outcome] = await together([
      async (tx: Db) => {
        await sql`select 1`.execute(tx);
        if (runs++ === 0) throw new RaceLost("lost");
        return 7;
      },
      async () => 0,
    ]);
    assert.deepEqual(outcome, { status: "fulfilled", value: 7 });
    assert.equal(runs, 2);
  });

  test("units of a lane are carried out in the order of their coming", async () => {
    const order: number[] = [];
    const unit = (n: number) => async (tx: Db) => {
      await sql`select 1`.execute(tx);
      order.push(n);
    };
    await Promise.all(Array.from({ length: 200 }, (_, n) => storage().writeInStep(unit(n), { lane: "the lane" })));
    assert.deepEqual(
      order,
      Array.from({ length: 200 }, (_, n) => n),
    );
  });

  test("units for which a transaction has no room do not wait for its end", { timeout: 5_000 }, async (t) => {
    const { promise: end, resolve: letEnd } = Promise.withResolvers<void>();
    t.after(() => letEnd());
    const full = Promise.all(Array.from({ length: 64 }, () => storage().writeInStep(() => end, {})));
    await storage().writeInStep((tx) => note(tx, "beside", "1"), {});
    assert.deepEqual(await noted("beside"), ["beside"]);
    letEnd();
    await full;
  });
});
