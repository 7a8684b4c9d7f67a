import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { STREAM_CLOSES } from "@portico/protocol";
import { pino } from "pino";
import type { ClientSocket } from "./client-socket.ts";
import { Heartbeat, type Stream } from "./heartbeat.ts";
import type { StreamKind, StreamSession } from "./stream-kind.ts";

/** A kind of stream whose look-ups of owners are answered by the test. */
class SlowKind implements StreamKind<string, StreamSession> {
  readonly path = "/stream";
  readonly lookEverySeconds = 1;
  readonly maxPerOwner = 10;
  /** Look-ups that wait for their answer, in their order. */
  readonly asked: { answer(owner: string | null): void; fail(error: Error): void }[] = [];
  looks = 0;

  ownerOf(): Promise<string | null> {
    this.looks++;
    return new Promise((answer, fail) => this.asked.push({ answer, fail }));
  }

  idOf(owner: string): string {
    return owner;
  }

  open(): StreamSession {
    throw new Error("the test opens its streams itself");
  }

  async renew(): Promise<void> {}

  onSignOut(): void {}
}

function streamOf(ownerId: string, closed: unknown[]): Stream<StreamSession> {
  const socket = { isOpen: true, beat() {}, close: (close: unknown) => closed.push(close) };
  return {
    socket: socket as unknown as ClientSocket,
    session: { ownerId } as StreamSession,
    accessToken: "token",
    origin: undefined,
  };
}

function start(t: { after(end: () => void): void }) {
  const kind = new SlowKind();
  const heartbeat = new Heartbeat(kind, pino({ enabled: false }));
  heartbeat.stop();
  t.after(() => heartbeat.stop());
  const closed: unknown[] = [];
  heartbeat.add(streamOf("u_alice", closed));
  return { kind, heartbeat, closed };
}

test("an owner whose last check has no answer yet is not looked up ever more, but once more after it", async (t) => {
  const { kind, heartbeat, closed } = start(t);
  for (let n = 0; n < 100; n++) heartbeat.tick();
  assert.equal(kind.looks, 1);
  kind.asked.shift()?.answer("u_alice");
  await setImmediate();
  assert.equal(kind.looks, 2);
  // What came about during the first check is found by the second.
  kind.asked.shift()?.answer(null);
  await setImmediate();
  assert.deepEqual(closed, [STREAM_CLOSES.SIGNED_OUT]);
  assert.equal(kind.looks, 2);
});

test("a check that failed is followed by the next one", async (t) => {
  const { kind, heartbeat } = start(t);
  heartbeat.tick();
  kind.asked.shift()?.fail(new Error("the database is away"));
  await setImmediate();
  assert.equal(kind.looks, 1);
  heartbeat.tick();
  assert.equal(kind.looks, 2);
});

test("an owner without streams is not looked up", (t) => {
  const { kind, heartbeat } = start(t);
  heartbeat.check("u_bob");
  assert.equal(kind.looks, 0);
});
