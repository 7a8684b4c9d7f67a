import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { pino } from "pino";
import { EventLoopTurns } from "../limits/event-loop-turns.ts";
import { type FeedEntry, Feeds } from "./feeds.ts";
import { Follower, type Outlet } from "./follower.ts";

const PAGE = 3;
const log = pino({ enabled: false });

/** Feeds over entries in memory, whose reads take a turn of the event loop. */
class Store {
  readonly lastSeqs = new Map<string, number>();
  readonly feeds = new Feeds<FeedEntry>(
    {
      lastSeqs: async (keys) => {
        await setImmediate();
        return new Map(keys.flatMap((key) => (this.lastSeqs.has(key) ? [[key, this.lastSeqOf(key)]] : [])));
      },
      readPage: async (key, afterSeq, most) => {
        await setImmediate();
        const count = Math.max(0, Math.min(PAGE, most, this.lastSeqOf(key) - afterSeq));
        return Array.from({ length: count }, (_, index) => ({ seq: afterSeq + 1 + index }));
      },
      allowed: async (_key, ownerIds) => new Set(ownerIds),
    },
    log,
  );

  lastSeqOf(key: string): number {
    return this.lastSeqs.get(key) ?? 0;
  }

  append(key: string): void {
    this.lastSeqs.set(key, this.lastSeqOf(key) + 1);
  }
}

/** A client that stops reading after three entries until it is told to continue. */
class Client implements Outlet {
  isOpen = true;
  readonly taken: [key: string, seq: number][] = [];
  #untaken = 0;
  #wake = Promise.withResolvers<void>();

  get takesMore(): boolean {
    return this.#untaken < PAGE;
  }

  async drained(): Promise<boolean> {
    while (this.#untaken > 0) await this.#wake.promise;
    return this.isOpen;
  }

  send(text: string): void {
    this.#untaken++;
    const [key, seq] = JSON.parse(text);
    this.taken.push([key, seq]);
  }

  close(): void {
    this.isOpen = false;
    this.goOn();
  }

  goOn(): void {
    this.#untaken = 0;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}

function follower(store: Store, ownerId: string): Follower<FeedEntry> {
  const write = (key: string, { seq }: FeedEntry) => JSON.stringify([key, seq]);
  return new Follower({ ownerId, feeds: store.feeds, turns: new EventLoopTurns(), log, write });
}

async function settle(clients: Client[]): Promise<void> {
  for (let turn = 0; turn < 60; turn++) {
    for (const client of clients) client.goOn();
    await setImmediate();
  }
}

const KEYS = ["a", "b"] as const;
const step = fc.record({
  action: fc.constantFrom("append", "append silently", "resume", "go on", "wait", "flush"),
  key: fc.constantFrom(...KEYS),
  who: fc.integer({ min: 0, max: 1 }),
  place: fc.nat({ max: 12 }),
});

test("each client gets each entry once and in order, whatever hints are lost, however slow it is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const store = new Store();
      const clients = [new Client(), new Client()];
      const followers = clients.map((client, index) => {
        const one = follower(store, `owner ${index}`);
        one.attach(client);
        return one;
      });
      // From the first entry on, or from the place to which a client has gone back.
      const begins = clients.map(() => new Map<string, number[]>(KEYS.map((key) => [key, [0]])));
      await Promise.all(followers.map((one) => one.follow(KEYS)));
      for (const { action, key, who, place } of steps) {
        if (action === "append" || action === "append silently") store.append(key);
        if (action === "append") store.feeds.hint(key, store.lastSeqOf(key));
        if (action === "go on") clients[who]?.goOn();
        if (action === "wait") await setImmediate();
        if (action === "flush") void followers[who]?.flush(key);
        if (action === "resume") {
          begins[who]?.get(key)?.push(Math.min(place, store.lastSeqOf(key)));
          await followers[who]?.resume(new Map([[key, place]]));
        }
      }
      for (const key of KEYS) store.feeds.hint(key, store.lastSeqOf(key));
      await settle(clients);
      for (const [index, { taken }] of clients.entries()) {
        for (const key of KEYS) {
          const allowed = begins[index]?.get(key) ?? [];
          let last = 0;
          for (const [, seq] of taken.filter(([of]) => of === key)) {
            assert.ok(seq === last + 1 || allowed.includes(seq - 1), `${key}: ${seq} after ${last}`);
            last = seq;
          }
          const reached = allowed.at(-1) === store.lastSeqOf(key) && allowed.length > 1 ? store.lastSeqOf(key) : last;
          assert.equal(reached, store.lastSeqOf(key), `${key} ends at ${last}`);
        }
      }
      for (const one of followers) one.close();
      store.feeds.close();
    }),
    { numRuns: 200 },
  );
});

test("flush sends new entries, without a hint of them", async () => {
  const store = new Store();
  const client = new Client();
  const one = follower(store, "owner");
  one.attach(client);
  await one.follow(["a"]);
  for (let n = 0; n < 8; n++) store.append("a");
  const flushed = one.flush("a");
  await settle([client]);
  await flushed;
  assert.deepEqual(
    client.taken.map(([, seq]) => seq),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  one.close();
  store.feeds.close();
});

test("a feed that is left and followed again continues from its place", async () => {
  const store = new Store();
  const client = new Client();
  const one = follower(store, "owner");
  one.attach(client);
  await one.follow(["a"]);
  store.append("a");
  store.feeds.hint("a", 1);
  await settle([client]);
  one.leave("a");
  store.append("a");
  await one.follow(["a"], new Map([["a", 0]]));
  await settle([client]);
  assert.deepEqual(
    client.taken.map(([, seq]) => seq),
    [1, 2],
  );
  one.close();
  store.feeds.close();
});
