import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Owner } from "../../platform/limits/owner.ts";
import { UploadSemaphore } from "./upload-semaphore.ts";

const member = (id: number, within = `tenant ${id}`): Owner => ({ type: "MEMBER", id: String(id), within });
const visitor = (id: number, within = `app ${id}`): Owner => ({ type: "VISITOR", id: String(id), within });
const app = (id: string): Owner => ({ type: "APP", id });
const never = new AbortController().signal;

/** All places of applications are taken: 20 by `a`, 12 by `b`. */
function fullOfApps(): UploadSemaphore {
  const semaphore = new UploadSemaphore();
  for (let n = 0; n < 32; n++) assert.ok(semaphore.tryAcquire(app(n < 20 ? "a" : "b")));
  return semaphore;
}

describe("concurrent uploads", () => {
  test("each kind of owner has its own limit, 64 in all", () => {
    const semaphore = fullOfApps();
    for (let n = 0; n < 12; n++) assert.ok(semaphore.tryAcquire(visitor(n)));
    assert.ok(!semaphore.tryAcquire(visitor(12)));
    for (let n = 0; n < 20; n++) assert.ok(semaphore.tryAcquire(member(n)));
    assert.ok(!semaphore.tryAcquire(member(20)));
    assert.ok(!semaphore.tryAcquire(app("c")));
    semaphore.release(visitor(0));
    assert.ok(!semaphore.tryAcquire(app("c")));
    assert.ok(!semaphore.tryAcquire(member(20)));
    assert.ok(semaphore.tryAcquire(visitor(12)));
  });
  test("at most 16 by members of one tenant and 8 by visitors of one application, so that others find places", () => {
    const semaphore = new UploadSemaphore();
    for (const [uploader, most] of [
      [member, 16],
      [visitor, 8],
    ] as const) {
      for (let n = 0; n < most; n++) assert.ok(semaphore.tryAcquire(uploader(n, "x")));
      assert.ok(!semaphore.tryAcquire(uploader(most, "x")));
      assert.ok(semaphore.tryAcquire(uploader(most, "y")));
    }
  });
  test("at most 3 by a member, and 20 by an application with the same id", () => {
    const semaphore = new UploadSemaphore();
    for (const [type, most] of [["MEMBER", 3] as const, ["APP", 20] as const]) {
      for (let n = 0; n < most; n++) assert.ok(semaphore.tryAcquire({ type, id: "x" }));
      assert.ok(!semaphore.tryAcquire({ type, id: "x" }));
    }
  });
  test("waiting uploads begin in order, before any that arrives later", async () => {
    const semaphore = fullOfApps();
    const order: string[] = [];
    const waiting = ["c", "d"].map(async (id) => {
      assert.ok(await semaphore.acquire(app(id), 0, never));
      order.push(id);
    });
    semaphore.release(app("a"));
    assert.ok(!semaphore.tryAcquire(app("e")));
    semaphore.release(app("a"));
    await Promise.all(waiting);
    assert.deepEqual(order, ["c", "d"]);
  });
  test("an upload that waits for its owner's limit does not delay other owners", async () => {
    const semaphore = fullOfApps();
    const own = semaphore.acquire(app("a"), 0, never);
    const other = semaphore.acquire(app("c"), 0, never);
    semaphore.release(app("b"));
    assert.ok(await other);
    semaphore.release(app("a"));
    assert.ok(await own);
  });
  test("an upload whose sender disconnects takes no place", async () => {
    const semaphore = fullOfApps();
    const gone = new AbortController();
    const waiting = semaphore.acquire(app("c"), 0, gone.signal);
    gone.abort(new Error("gone"));
    await assert.rejects(waiting, /gone/);
    await assert.rejects(semaphore.acquire(app("c"), 0, gone.signal), /gone/);
    semaphore.release(app("a"));
    assert.ok(semaphore.tryAcquire(app("d")));
  });
  test("uploads that have waited too long give up; the others keep waiting", async () => {
    const semaphore = fullOfApps();
    const [early, late] = [semaphore.acquire(app("c"), 1, never), semaphore.acquire(app("d"), 2, never)];
    semaphore.rejectSince(0);
    semaphore.rejectSince(1);
    assert.equal(await early, false);
    semaphore.release(app("a"));
    assert.equal(await late, true);
  });
  test("100 uploads of an application may wait; one more is refused, while others still wait", async () => {
    const semaphore = fullOfApps();
    const waiting = Array.from({ length: 100 }, () => semaphore.acquire(app("a"), 0, never));
    assert.equal(await semaphore.acquire(app("a"), 0, never), false);
    const other = semaphore.acquire(app("c"), 0, never);
    semaphore.rejectSince(0);
    assert.deepEqual(new Set(await Promise.all([...waiting, other])), new Set([false]));
    const again = semaphore.acquire(app("a"), 1, never);
    semaphore.release(app("a"));
    assert.equal(await again, true);
  });
});
