import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { describe, test } from "node:test";
import { EventLoopTurns } from "./event-loop-turns.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Counts turns of the event loop, and notes for each piece in which it was started. */
async function startedIn(turns: EventLoopTurns, works: (() => void)[]): Promise<number[]> {
  const started: number[] = [];
  let now = 0;
  const pieces = works.map(async (work, index) => {
    await turns.next();
    started[index] = now;
    work();
  });
  let isDone = false;
  const all = Promise.all(pieces).then(() => {
    isDone = true;
  });
  while (!isDone) {
    await turn();
    now++;
  }
  await all;
  return started;
}

describe("turns of the event loop", () => {
  test("without a budget, each turn starts one piece, in their order", async () => {
    const order: number[] = [];
    const works = Array.from({ length: 5 }, (_, index) => () => void order.push(index));
    const started = await startedIn(new EventLoopTurns(), works);
    // The first one need not wait for a turn to begin.
    assert.equal(new Set(started.slice(1)).size, 4);
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
  });

  test("a budget is shared by the pieces that it is enough for, with what each does after it was started", async () => {
    let time = 0;
    const turns = new EventLoopTurns({ ms: 10, monotonic: () => time });
    turns.run(() => {
      time += 10;
    });
    const order: string[] = [];
    // What a call does before it waits for something else, in several continuations.
    const works = [6, 6, 3, 3, 3, 3].map(async (ms, index) => {
      await turns.next();
      for (let part = 0; part < 3; part++) {
        await null;
        time += ms / 3;
      }
      order.push(`${index} took ${ms}`);
    });
    const byTurn: string[][] = [];
    while (order.length < works.length || byTurn.length === 0) {
      await turn();
      byTurn.push(order.slice(byTurn.flat().length));
    }
    await Promise.all(works);
    assert.deepEqual(byTurn, [
      ["0 took 6", "1 took 6"],
      ["2 took 3", "3 took 3", "4 took 3", "5 took 3"],
    ]);
  });

  test("a piece that takes longer than the budget is alone in its turn", async () => {
    let time = 0;
    const turns = new EventLoopTurns({ ms: 10, monotonic: () => time });
    const order: string[] = [];
    const long = (name: string) => () => {
      order.push(name);
      time += 50;
    };
    turns.run(long("a"));
    for (const name of ["b", "c"]) turns.run(long(name));
    assert.deepEqual(order, ["a"]);
    await turn();
    assert.deepEqual(order, ["a", "b"]);
    await turn();
    assert.deepEqual(order, ["a", "b", "c"]);
  });

  test("each piece starts in the asynchronous context of its own caller, so that traces do not mix", async () => {
    const turns = new EventLoopTurns({ ms: 10, monotonic: () => 0 });
    const caller = new AsyncLocalStorage<string>();
    const started: string[] = [];
    for (const name of ["a", "b", "c"]) {
      caller.run(name, () => turns.run(() => started.push(`${name} in ${caller.getStore()}`)));
    }
    let waited = 0;
    const queued = new EventLoopTurns();
    for (const name of ["d", "e", "f"]) {
      caller.run(name, () => queued.run(() => started.push(`${name} in ${caller.getStore()}`)));
    }
    while (started.length < 6 && waited++ < 20) await turn();
    assert.deepEqual(
      started,
      ["a", "b", "c", "d", "e", "f"].map((name) => `${name} in ${name}`),
    );
  });

  test("who comes later does not overtake who waits", async () => {
    let time = 0;
    const turns = new EventLoopTurns({ ms: 10, monotonic: () => time });
    const order: string[] = [];
    turns.run(() => {
      order.push("a");
      time += 20;
    });
    turns.run(() => order.push("b"));
    time = 0;
    turns.run(() => order.push("c"));
    assert.deepEqual(order, ["a"]);
    await turn();
    assert.deepEqual(order, ["a", "b", "c"]);
  });
});
