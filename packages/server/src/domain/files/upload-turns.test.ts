import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Owner } from "../../platform/limits/owner.ts";
import { UploadTurns } from "./upload-turns.ts";

const member = (id: number, within = `tenant ${id}`): Owner => ({ type: "MEMBER", id: String(id), within });
const visitor = (id: number, within = `app ${id}`): Owner => ({ type: "VISITOR", id: String(id), within });
const app = (id: string): Owner => ({ type: "APP", id });
const never = new AbortController().signal;

/** All places of applications are taken: 20 by `a`, 12 by `b`. */
function fullOfApps(): UploadTurns {
  const turns = new UploadTurns();
  for (let n = 0; n < 32; n++) assert.ok(turns.tryBegin(app(n < 20 ? "a" : "b")));
  return turns;
}

describe("concurrent uploads", () => {
  test("each kind of owner has its own limit, 64 in all", () => {
    const turns = fullOfApps();
    for (let n = 0; n < 12; n++) assert.ok(turns.tryBegin(visitor(n)));
    assert.ok(!turns.tryBegin(visitor(12)));
    for (let n = 0; n < 20; n++) assert.ok(turns.tryBegin(member(n)));
    assert.ok(!turns.tryBegin(member(20)));
    assert.ok(!turns.tryBegin(app("c")));
    turns.end(visitor(0));
    assert.ok(!turns.tryBegin(app("c")));
    assert.ok(!turns.tryBegin(member(20)));
    assert.ok(turns.tryBegin(visitor(12)));
  });
  test("at most 16 by members of one tenant and 8 by visitors of one application, so that others find places", () => {
    const turns = new UploadTurns();
    for (const [uploader, most] of [
      [member, 16],
      [visitor, 8],
    ] as const) {
      for (let n = 0; n < most; n++) assert.ok(turns.tryBegin(uploader(n, "x")));
      assert.ok(!turns.tryBegin(uploader(most, "x")));
      assert.ok(turns.tryBegin(uploader(most, "y")));
    }
  });
  test("at most 3 by a member, and 20 by an application with the same id", () => {
    const turns = new UploadTurns();
    for (const [type, most] of [["MEMBER", 3] as const, ["APP", 20] as const]) {
      for (let n = 0; n < most; n++) assert.ok(turns.tryBegin({ type, id: "x" }));
      assert.ok(!turns.tryBegin({ type, id: "x" }));
    }
  });
  test("waiting uploads begin in order, before any that arrives later", async () => {
    const turns = fullOfApps();
    const order: string[] = [];
    const waiting = ["c", "d"].map(async (id) => {
      assert.ok(await turns.begin(app(id), 0, never));
      order.push(id);
    });
    turns.end(app("a"));
    assert.ok(!turns.tryBegin(app("e")));
    turns.end(app("a"));
    await Promise.all(waiting);
    assert.deepEqual(order, ["c", "d"]);
  });
  test("an upload that waits for its owner's limit does not delay other owners", async () => {
    const turns = fullOfApps();
    const own = turns.begin(app("a"), 0, never);
    const other = turns.begin(app("c"), 0, never);
    turns.end(app("b"));
    assert.ok(await other);
    turns.end(app("a"));
    assert.ok(await own);
  });
  test("an upload whose sender disconnects takes no place", async () => {
    const turns = fullOfApps();
    const gone = new AbortController();
    const waiting = turns.begin(app("c"), 0, gone.signal);
    gone.abort(new Error("gone"));
    await assert.rejects(waiting, /gone/);
    await assert.rejects(turns.begin(app("c"), 0, gone.signal), /gone/);
    turns.end(app("a"));
    assert.ok(turns.tryBegin(app("d")));
  });
  test("uploads that have waited too long give up; the others keep waiting", async () => {
    const turns = fullOfApps();
    const [early, late] = [turns.begin(app("c"), 1, never), turns.begin(app("d"), 2, never)];
    turns.giveUpSince(0);
    turns.giveUpSince(1);
    assert.equal(await early, false);
    turns.end(app("a"));
    assert.equal(await late, true);
  });
  test("100 uploads of an application may wait; one more is refused, while others still wait", async () => {
    const turns = fullOfApps();
    const waiting = Array.from({ length: 100 }, () => turns.begin(app("a"), 0, never));
    assert.equal(await turns.begin(app("a"), 0, never), false);
    const other = turns.begin(app("c"), 0, never);
    turns.giveUpSince(0);
    assert.deepEqual(new Set(await Promise.all([...waiting, other])), new Set([false]));
    const again = turns.begin(app("a"), 1, never);
    turns.end(app("a"));
    assert.equal(await again, true);
  });
});
