import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { RequestAborted } from "../http/raw-body.ts";
import { SharedRoom } from "./shared-room.ts";

const settled = () => new Promise(setImmediate);

function newRoom() {
  return new SharedRoom({ max: 3, maxPerCaller: 2, maxWaitingPerCaller: 2, maxWaitMs: 10_000 });
}

/** Enters with an answer of its own, and leaves when that closes. */
async function enter(room: SharedRoom, caller: string, answer = new PassThrough()) {
  const release = await room.acquire(caller, 1, answer);
  assert.ok(release !== null);
  answer.once("close", release);
  return answer;
}

describe("shared room", () => {
  test("a caller beyond its own limit waits, and blocks nobody else; beyond the common limit all wait", async () => {
    const room = newRoom();
    const order: string[] = [];
    const [first, second] = [await enter(room, "a"), await enter(room, "a")];
    const waiting = [
      enter(room, "a").then(() => order.push("a")),
      enter(room, "b").then(() => order.push("b")),
      enter(room, "c").then(() => order.push("c")),
    ];
    await settled();
    assert.deepEqual(order, ["b"]);
    first.destroy();
    await settled();
    assert.deepEqual(order, ["b", "a"]);
    second.destroy();
    await Promise.all(waiting);
    assert.deepEqual(order, ["b", "a", "c"]);
  });
  test("too many that wait are refused, and what waits too long", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const room = newRoom();
    await Promise.all([enter(room, "a"), enter(room, "a")]);
    const waiting = [1, 2].map(() => room.acquire("a", 1, new PassThrough()));
    assert.equal(await room.acquire("a", 1, new PassThrough()), null);
    t.mock.timers.tick(10_000);
    assert.deepEqual(await Promise.all(waiting), [null, null]);
  });
  test("what waits is given up when its reader disconnects", async () => {
    const room = newRoom();
    const [first] = [await enter(room, "a"), await enter(room, "a")];
    const gone = new PassThrough();
    const waiting = room.acquire("a", 1, gone);
    gone.destroy();
    await assert.rejects(waiting, RequestAborted);
    await assert.rejects(room.acquire("a", 1, gone), RequestAborted);
    first.destroy();
    await enter(room, "a");
  });
  test("a reader that disconnects just as its wait ends keeps no room", async () => {
    const room = newRoom();
    const [first] = [await enter(room, "a"), await enter(room, "a")];
    const next = new PassThrough();
    const waiting = room.acquire("a", 1, next);
    first.destroy();
    next.destroy();
    await assert.rejects(waiting, RequestAborted);
    await enter(room, "a");
  });
});
