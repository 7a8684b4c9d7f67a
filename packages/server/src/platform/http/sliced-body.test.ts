import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, type TestContext, test } from "node:test";
import { JsonItems } from "./json-items.ts";
import { SlicedBody } from "./sliced-body.ts";

const LONG = "x".repeat(200_000);
const LENGTH = LONG.length + 2;

/** Slices of one long text each; `read` counts those that have been asked for. */
function longSlices(count: number) {
  const seen = { read: 0, isOver: false };
  async function* slices(): AsyncGenerator<JsonItems> {
    try {
      for (let n = 0; n < count; n++) {
        seen.read++;
        yield JsonItems.of([LONG]);
      }
    } finally {
      seen.isOver = true;
    }
  }
  return { seen, slices: slices() };
}

/** A reader that takes a piece when told to. */
function reader() {
  const taken: { bytes: number; take: () => void } = { bytes: 0, take: () => {} };
  const stream = new Writable({
    highWaterMark: 1,
    write: ({ length }: Buffer, _encoding, done) => {
      taken.take = () => {
        taken.bytes += length;
        taken.take = () => {};
        done();
      };
    },
  });
  return { stream, taken };
}

function unexpected(error: unknown): void {
  assert.fail(String(error));
}

describe("the body of an answer that is read while it is sent", () => {
  test("reads a slice when the previous one has been taken, and not before", async (t: TestContext) => {
    const { seen, slices } = longSlices(3);
    const { stream, taken } = reader();
    const body = new SlicedBody([Buffer.from("begun")], slices, unexpected);
    body.pipe(stream);
    while (!stream.writableFinished) {
      // All that is due has been done, and the reader holds it up.
      await new Promise(setImmediate);
      const due = taken.bytes < "begun".length ? 0 : Math.floor((taken.bytes - "begun".length) / LENGTH) + 1;
      assert.ok(seen.read <= due, `${seen.read} slices, ${due} are due`);
      taken.take();
    }
    await t.waitFor(() =>
      assert.deepEqual({ ...seen, bytes: taken.bytes }, { read: 3, isOver: true, bytes: 3 * LENGTH + 5 }),
    );
  });
  test("ends reading when it is given up, and tells an error", async (t: TestContext) => {
    const { seen, slices } = longSlices(3);
    const body = new SlicedBody([], slices, unexpected);
    body.read();
    await t.waitFor(() => assert.equal(seen.read, 1));
    body.destroy();
    await t.waitFor(() => assert.ok(seen.isOver));

    const told: unknown[] = [];
    async function* failing(): AsyncGenerator<JsonItems> {
      yield JsonItems.of([LONG]);
      throw new Error("no database");
    }
    const failed = new SlicedBody([], failing(), (error) => told.push(error));
    await assert.rejects(failed.toArray(), /no database/);
    assert.equal(told.length, 1);
  });
});
