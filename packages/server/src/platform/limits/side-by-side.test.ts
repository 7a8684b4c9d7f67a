import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { RequestAborted } from "../http/raw-body.ts";
import { SideBySide } from "./side-by-side.ts";

const settled = () => new Promise(setImmediate);

/** Pieces of work that end when they are told to. */
function pieces(turns: SideBySide, count: number) {
  const begun: number[] = [];
  const ends = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const requests = ends.map(() => new PassThrough());
  const runs = ends.map(({ promise }, index) =>
    turns.run(requests[index] ?? new PassThrough(), () => {
      begun.push(index);
      return promise;
    }),
  );
  return { begun, ends, requests, runs };
}

describe("pieces of work that share something", () => {
  test("run four at once, the others in their order as these end", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { begun, ends, runs } = pieces(new SideBySide(), 7);
    await settled();
    assert.deepEqual(begun, [0, 1, 2, 3]);
    for (const [index, { resolve }] of ends.entries()) {
      resolve();
      await runs[index];
      await settled();
      assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6].slice(0, index + 5));
    }
  });
  test("some that take long hold up none: every 2 ms another begins beside them", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { begun } = pieces(new SideBySide(), 7);
    for (const count of [4, 5, 6, 7]) {
      await settled();
      assert.equal(begun.length, count);
      t.mock.timers.tick(2);
    }
  });
  test("one that fails passes the turn on, and fails alone", async () => {
    const { begun, ends, runs } = pieces(new SideBySide(), 2);
    ends[0]?.reject(new Error("no such caller"));
    await assert.rejects(async () => await runs[0], /no such caller/);
    ends[1]?.resolve();
    await runs[1];
    assert.deepEqual(begun, [0, 1]);
  });
  test("one whose sender has disconnected is not run, and passes the turn on", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { begun, ends, requests, runs } = pieces(new SideBySide(), 6);
    requests[4]?.destroy();
    ends[0]?.resolve();
    await assert.rejects(async () => await runs[4], RequestAborted);
    await settled();
    assert.deepEqual(begun, [0, 1, 2, 3, 5]);
  });
  test("what comes after all have ended begins at once", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const turns = new SideBySide();
    const first = pieces(turns, 2);
    for (const { resolve } of first.ends) resolve();
    await Promise.all(first.runs);
    assert.deepEqual(pieces(turns, 1).begun, [0]);
  });
});
