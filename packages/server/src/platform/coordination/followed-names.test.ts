import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { FollowedNames } from "./followed-names.ts";

/** A server whose answers take a turn of the event loop, and whose connection can be lost. */
class Server {
  readonly has = new Set<string>();
  isReady = true;
  largest = 0;
  #connection = 0;

  async subscribe(names: string[]): Promise<void> {
    this.largest = Math.max(this.largest, names.length);
    await this.#command(() => {
      for (const name of names) this.has.add(name);
    });
  }

  async unsubscribe(names: string[]): Promise<void> {
    await this.#command(() => {
      for (const name of names) this.has.delete(name);
    });
  }

  lose(): void {
    this.isReady = false;
    this.#connection++;
    this.has.clear();
  }

  async #command(run: () => void): Promise<void> {
    const connection = this.#connection;
    await setImmediate();
    if (!this.isReady || connection !== this.#connection) throw new Error("the connection is lost");
    run();
  }
}

function namesOn(server: Server): FollowedNames {
  return new FollowedNames({
    subscribe: (names) => server.subscribe(names),
    unsubscribe: (names) => server.unsubscribe(names),
    isReady: () => server.isReady,
  });
}

test("follow resolves when the server has the names, also for those that somebody else has just asked for", async () => {
  const server = new Server();
  const names = namesOn(server);
  const first = names.follow(["a"]);
  await names.follow(["a", "b"]);
  assert.deepEqual([...server.has], ["a", "b"]);
  await first;
});

test("follow does not wait for a server that is away, and the next connection gets what is followed by then", async () => {
  const server = new Server();
  const names = namesOn(server);
  await names.follow(["a", "b", "c"]);
  server.lose();
  await names.follow(["d"]);
  names.unfollow(["b"]);
  assert.deepEqual([...server.has], []);
  server.isReady = true;
  await names.subscribeAll();
  assert.deepEqual([...server.has], ["a", "c", "d"]);
});

test("what the server did not confirm is asked again, and reported as a gap", async () => {
  const server = new Server();
  const names = namesOn(server);
  const asked = names.follow(["a"]);
  server.lose();
  await asked;
  server.isReady = true;
  assert.equal(await names.confirm({ all: false }), true);
  assert.deepEqual([...server.has], ["a"]);
  assert.equal(await names.confirm({ all: false }), false);
});

test("a full confirmation reaches every name within its turns, with bounded commands", async () => {
  const server = new Server();
  const names = namesOn(server);
  const all = Array.from({ length: 5_000 }, (_, n) => `name ${n}`);
  await names.follow(all);
  server.has.clear();
  for (let turn = 0; turn < 8; turn++) await names.confirm({ all: true });
  assert.equal(server.has.size, all.length);
  assert.ok(server.largest <= 1_000, `${server.largest} names in one command`);
});

const step = fc.record({
  action: fc.constantFrom("follow", "unfollow", "lose", "connect", "confirm", "wait"),
  name: fc.constantFrom("a", "b", "c"),
});

test("in the end the server has exactly what is followed, in whatever order calls and losses come", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const server = new Server();
      const names = namesOn(server);
      const followed = new Set<string>();
      const running: Promise<unknown>[] = [];
      const connect = () => {
        server.isReady = true;
        running.push(names.subscribeAll().catch(() => {}));
      };
      for (const { action, name } of steps) {
        if (action === "follow") running.push(names.follow([name]));
        if (action === "follow") followed.add(name);
        if (action === "unfollow") names.unfollow([name]);
        if (action === "unfollow") followed.delete(name);
        if (action === "lose") server.lose();
        if (action === "connect" && !server.isReady) connect();
        if (action === "confirm" && server.isReady) running.push(names.confirm({ all: false }).catch(() => {}));
        if (action === "wait") await setImmediate();
      }
      if (!server.isReady) connect();
      await Promise.all(running);
      await setImmediate();
      await names.confirm({ all: false });
      assert.deepEqual([...server.has].sort(), [...followed].sort());
    }),
    { numRuns: 300 },
  );
});
