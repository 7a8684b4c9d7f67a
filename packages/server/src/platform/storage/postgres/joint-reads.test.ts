import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Unavailable } from "../../errors/unavailable.ts";
import type { JointQuery } from "../joint.ts";
import type { Db } from "../schema.ts";
import { JointReads } from "./joint-reads.ts";

const DB = {} as Db;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A query that doubles numbers; each of its statements ends when it is told to. */
function doubling({ fails = () => false, failure = new Error("a bad number") } = {} as Failing) {
  const statements: { all: readonly number[]; end(): void }[] = [];
  const query: JointQuery<number, number> = {
    alone: async (_db, number) => {
      if (fails(number)) throw failure;
      return 2 * number;
    },
    joint: async (_db, all) => {
      await new Promise<void>((end) => statements.push({ all, end }));
      if (all.some(fails)) throw failure;
      return all.map((number) => 2 * number);
    },
  };
  return { query, statements };
}

interface Failing {
  fails?: (number: number) => boolean;
  failure?: Error;
}

describe("reads that are asked for together", () => {
  test("those of one turn share a statement, and each gets its own result", async () => {
    const { query, statements } = doubling();
    const reads = new JointReads(DB);
    const results = Promise.all([1, 2, 3].map((number) => reads.ask(query, number)));
    await turn();
    assert.deepEqual(
      statements.map(({ all }) => all),
      [[1, 2, 3]],
    );
    statements[0]?.end();
    assert.deepEqual(await results, [2, 4, 6]);
  });

  test("two statements run at a time; what comes meanwhile shares the next one", async () => {
    const { query, statements } = doubling();
    const reads = new JointReads(DB);
    const results: Promise<number>[] = [];
    for (let number = 1; number <= 5; number++) {
      results.push(reads.ask(query, number));
      await turn();
    }
    assert.deepEqual(
      statements.map(({ all }) => all),
      [[1], [2]],
    );
    statements[0]?.end();
    assert.equal(await results[0], 2);
    await turn();
    assert.deepEqual(statements[2]?.all, [3, 4, 5]);
    statements[1]?.end();
    statements[2]?.end();
    assert.deepEqual(await Promise.all(results), [2, 4, 6, 8, 10]);
  });

  test("a statement has 64 callers at most", async () => {
    const { query, statements } = doubling();
    const reads = new JointReads(DB);
    const results = Promise.all(Array.from({ length: 100 }, (_, number) => reads.ask(query, number)));
    for (let ended = 0; ended < 2; ended++) {
      await turn();
      statements[ended]?.end();
    }
    assert.equal((await results).at(-1), 198);
    assert.deepEqual(
      statements.map(({ all }) => all.length),
      [64, 36],
    );
  });

  test("what fails for one fails for that one alone", async () => {
    const { query, statements } = doubling({ fails: (number) => number === 2 });
    const reads = new JointReads(DB);
    const results = Promise.allSettled([1, 2, 3].map((number) => reads.ask(query, number)));
    await turn();
    statements[0]?.end();
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    const later = reads.ask(query, 4);
    await turn();
    statements[1]?.end();
    assert.equal(await later, 8);
  });

  test("an outage fails all of them, without another attempt", async () => {
    let attempts = 0;
    const failure = new Unavailable("away");
    const { query, statements } = doubling({ fails: () => true, failure });
    const alone = (db: Db, number: number) => {
      attempts++;
      return query.alone(db, number);
    };
    const counted = { ...query, alone };
    const reads = new JointReads(DB);
    const results = Promise.allSettled([1, 2].map((number) => reads.ask(counted, number)));
    await turn();
    statements[0]?.end();
    for (const result of await results) assert.equal(result.status === "rejected" && result.reason, failure);
    assert.equal(attempts, 0);
  });

  test("a statement that takes too long is asked for each caller alone: one slow answer fails nobody else", async () => {
    const failure = new Unavailable("late", { cause: Object.assign(new Error("canceled"), { code: "57014" }) });
    const { query, statements } = doubling({ fails: (number) => number === 2, failure });
    const reads = new JointReads(DB);
    const results = Promise.allSettled([1, 2, 3].map((number) => reads.ask(query, number)));
    await turn();
    statements[0]?.end();
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
  });

  test("too many callers are refused, and those that have waited too long, in their order", async (t) => {
    const { query, statements } = doubling();
    const reads = new JointReads(DB);
    let now = 0;
    t.mock.method(performance, "now", () => now);
    const asked: Promise<number>[] = [];
    for (let number = 0; number < 2; number++) {
      asked.push(reads.ask(query, number));
      await turn();
    }
    const late = reads.ask(query, 2);
    now = 3_000;
    const waiting = Array.from({ length: 1_999 }, (_, number) => reads.ask(query, number));
    await assert.rejects(reads.ask(query, 3), Unavailable);
    now = 6_000;
    statements[0]?.end();
    await assert.rejects(late, Unavailable);
    await turn();
    assert.equal(statements[2]?.all.length, 64);
    while (statements.some(({ all }) => all.length > 0)) {
      for (const statement of statements.splice(0)) statement.end();
      await turn();
    }
    assert.deepEqual(await Promise.all([...asked, waiting.at(-1)]), [0, 2, 3_996]);
  });
});
