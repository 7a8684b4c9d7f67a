import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { RequestAborted } from "../http/raw-body.ts";
import { FairTurns } from "./fair-turns.ts";

const settled = () => new Promise(setImmediate);
const LIMITS = { atOnce: 1, leastMs: 0, maxWaiting: 4, maxWaitMs: 10_000 };

/** Runs pieces that are named by caller and number, and end when they are told to. */
function piecesOf(turns: FairTurns) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, response = new PassThrough()) =>
    turns.run(name.charAt(0), response, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const end = async () => {
    ends.shift()?.();
    await settled();
  };
  return { begun, run, end };
}

describe("fair turns", () => {
  test("whoever waits gets a turn after one of each other, however many those bring", async () => {
    const { begun, run, end } = piecesOf(new FairTurns(LIMITS));
    const runs = ["a1", "a2", "a3", "b1", "a4"].map((name) => run(name));
    for (let n = 0; n < 5; n++) await end();
    assert.deepEqual(begun, ["a1", "a2", "b1", "a3", "a4"]);
    assert.deepEqual(
      (await Promise.all(runs)).map((outcome) => outcome?.value),
      ["a1", "a2", "a3", "b1", "a4"],
    );
  });
  test("when too many wait, who brings most is refused, and not the others", async () => {
    const { begun, run, end } = piecesOf(new FairTurns(LIMITS));
    const mine = ["a1", "a2", "a3", "a4", "a5"].map((name) => run(name));
    const other = run("b1");
    assert.equal(await mine[4], null);
    for (let n = 0; n < 5; n++) await end();
    assert.deepEqual(await other, { value: "b1" });
    assert.deepEqual(begun, ["a1", "a2", "b1", "a3", "a4"]);
  });
  test("what waits too long is refused, and its turn goes to the next", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { begun, run, end } = piecesOf(new FairTurns(LIMITS));
    const first = run("a1");
    const late = run("b1");
    t.mock.timers.tick(9_000);
    const next = run("c1");
    t.mock.timers.tick(1_000);
    assert.equal(await late, null);
    await end();
    await end();
    assert.deepEqual(begun, ["a1", "c1"]);
    assert.deepEqual(await Promise.all([first, next]), [{ value: "a1" }, { value: "c1" }]);
  });
  test("a turn is taken for its least time, while its result is there at once", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { begun, run, end } = piecesOf(new FairTurns({ ...LIMITS, leastMs: 200 }));
    const first = run("a1");
    void run("b1");
    await end();
    assert.deepEqual(await first, { value: "a1" });
    assert.deepEqual(begun, ["a1"]);
    t.mock.timers.tick(200);
    await settled();
    assert.deepEqual(begun, ["a1", "b1"]);
  });
  test("a piece that fails, and one whose reader has gone, pass their turn on", async () => {
    const turns = new FairTurns(LIMITS);
    await assert.rejects(
      turns.run("a", new PassThrough(), () => Promise.reject(new Error("no"))),
      /no/,
    );
    const gone = new PassThrough();
    gone.destroy();
    await settled();
    await assert.rejects(
      turns.run("a", gone, async () => assert.fail("nobody would get it")),
      RequestAborted,
    );
    assert.deepEqual(await turns.run("b", new PassThrough(), async () => 1), { value: 1 });
  });
});
