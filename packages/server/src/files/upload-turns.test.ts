import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UploadTurns } from "./upload-turns.ts";

const member = (id: number) => ({ type: "MEMBER", id: String(id) }) as const;
const never = new AbortController().signal;

/** Turns of which every one is taken, each by another member. */
function fullTurns(): UploadTurns {
  const turns = new UploadTurns();
  for (let n = 0; n < 64; n++) assert.ok(turns.tryBegin(member(n)));
  return turns;
}

describe("the turns of uploads", () => {
  test("64 in all, whoever they are of", () => {
    const turns = fullTurns();
    assert.ok(!turns.tryBegin(member(64)));
    turns.end(member(0));
    assert.ok(turns.tryBegin(member(64)));
    assert.ok(!turns.tryBegin(member(65)));
  });
  test("3 of a member, 20 of an application of the same id", () => {
    const turns = new UploadTurns();
    for (const [type, most] of [["MEMBER", 3] as const, ["APP", 20] as const]) {
      for (let n = 0; n < most; n++) assert.ok(turns.tryBegin({ type, id: "x" }));
      assert.ok(!turns.tryBegin({ type, id: "x" }));
    }
  });
  test("those who wait begin in their order, and before any who comes later", async () => {
    const turns = fullTurns();
    const order: string[] = [];
    const waiting = ["a", "b"].map((id) => turns.begin({ type: "APP", id }, never).then(() => order.push(id)));
    turns.end(member(0));
    assert.ok(!turns.tryBegin(member(65)));
    turns.end(member(1));
    await Promise.all(waiting);
    assert.deepEqual(order, ["a", "b"]);
  });
  test("one who waits for a turn of its own keeps nobody else waiting", async () => {
    const turns = fullTurns();
    for (let n = 0; n < 20; n++) turns.end(member(n));
    const app = { type: "APP", id: "a" } as const;
    for (let n = 0; n < 20; n++) assert.ok(turns.tryBegin(app));
    const own = turns.begin(app, never);
    const other = turns.begin({ type: "APP", id: "b" }, never);
    turns.end(member(20));
    await other;
    turns.end(app);
    await own;
  });
  test("one who gives up takes no turn", async () => {
    const turns = fullTurns();
    const gone = new AbortController();
    const waiting = turns.begin(member(64), gone.signal);
    gone.abort(new Error("gone"));
    await assert.rejects(waiting, /gone/);
    await assert.rejects(turns.begin(member(64), gone.signal), /gone/);
    turns.end(member(0));
    assert.ok(turns.tryBegin(member(65)));
  });
});
