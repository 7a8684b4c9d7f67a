import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { outcomeOf } from "../src/domain/webhooks/attempts/attempt.ts";
import type { AttemptResult } from "../src/domain/webhooks/attempts/attempt-result.ts";
import { Connections } from "../src/domain/webhooks/attempts/connections.ts";
import { Cancellation } from "../src/platform/network/cancellation.ts";
import { portOf, type Receiver, type Respond, resolverOf, socketOf } from "./support/receiver.ts";
import { attempt, attemptsFor, receiverFor } from "./support/receiver-attempts.ts";

const HANGING: Respond = () => {};
const OK = "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok";

describe("connections of delivery attempts", () => {
  test("one is used for several attempts, and phases that were not needed are null", async (t) => {
    const lookup = resolverOf({ "receiver.test": ["127.0.0.1"] });
    const receiver = await receiverFor(t);
    const attempts = attemptsFor(t, { lookup });
    const results: AttemptResult[] = [];
    for (let n = 0; n < 50; n++) results.push(await attempt(attempts, receiver.url(`/${n}`)));
    assert.ok(results.every(({ status, address }) => status === 200 && address === "127.0.0.1"));
    assert.equal(receiver.connections.total, 1);
    assert.equal(lookup.asked.length, 1);
    const { dnsMs, connectMs, tlsMs, firstByteMs } = results[1]?.phases ?? {};
    assert.deepEqual([dnsMs, connectMs, tlsMs], [null, null, null]);
    assert.equal(typeof firstByteMs, "number");
  });

  test("bodies of answers are not mixed up on a connection", async (t) => {
    const receiver = await receiverFor(t, { respond: ({ path }, response) => void response.end(path.repeat(300)) });
    const attempts = attemptsFor(t, { connectionsPerOrigin: 3 });
    const paths = Array.from({ length: 200 }, (_, n) => `/${n};`);
    const results = await Promise.all(paths.map((path) => attempt(attempts, receiver.url(path))));
    assert.deepEqual(
      results.map(({ answer }) => answer),
      paths.map((path) => path.repeat(300)),
    );
    assert.equal(receiver.connections.total, 3);
  });

  test("at most 20 to one origin, each attempt waiting for its turn", async (t) => {
    const receiver = await receiverFor(t, {
      respond: async (_received, response) => {
        await sleep(10);
        response.end();
      },
    });
    const attempts = attemptsFor(t);
    const results = await Promise.all(Array.from({ length: 200 }, () => attempt(attempts, receiver.url())));
    assert.ok(results.every(({ status }) => status === 200));
    assert.equal(receiver.requests.length, 200);
    assert.equal(receiver.connections.most, 20);
    assert.equal(receiver.connections.total, 20);
  });

  test("a hanging receiver does not delay another", async (t) => {
    const hanging = await receiverFor(t, { respond: HANGING });
    const other = await receiverFor(t);
    const attempts = attemptsFor(t, { connectionsPerOrigin: 2 });
    const stuck = Array.from({ length: 10 }, () => attempt(attempts, hanging.url()));
    assert.equal((await attempt(attempts, other.url())).status, 200);
    attempts.close();
    assert.ok((await Promise.all(stuck)).every(({ reason }) => reason === "aborted"));
  });

  test("an attempt that waits too long for a connection gives up", async () => {
    const connections = new Connections({ perOrigin: 1, idle: 10, maxAgeMs: 1_000, waitMs: 50 });
    const slot = await connections.acquire("app", "https://a.test", new Cancellation());
    await assert.rejects(connections.acquire("app", "https://a.test", new Cancellation()), { reason: "busy" });
    const next = connections.acquire("app", "https://a.test", new Cancellation());
    const other = await connections.acquire("app", "https://b.test", new Cancellation());
    connections.release(slot);
    assert.equal((await next).connection, null);
    connections.release(await next);
    connections.release(other);
    await connections.acquire("app", "https://a.test", new Cancellation());
  });

  test("one that could not be opened frees its place", async (t) => {
    const receiver = await receiverFor(t);
    let asked = 0;
    const lookup = async () => [{ address: asked++ < 5 ? "10.0.0.1" : "127.0.0.1", family: 4 }];
    const attempts = attemptsFor(t, { lookup, connectionsPerOrigin: 1 });
    const results = await Promise.all(Array.from({ length: 8 }, () => attempt(attempts, receiver.url())));
    assert.deepEqual(
      results.map(({ status, reason }) => status ?? reason),
      [...Array(5).fill("refused-address:private-address"), 200, 200, 200],
    );
  });

  test("idle ones are bounded, and the one idle for longest is closed first", async (t) => {
    const receivers = await Promise.all(Array.from({ length: 4 }, () => receiverFor(t)));
    const attempts = attemptsFor(t, { idleConnections: 2 });
    const [a, b, c, d] = receivers;
    assert.ok(a && b && c && d);
    let answer = () => {};
    d.respond = (_received, response) => {
      answer = () => void response.end();
    };
    const inUse = attempt(attempts, d.url());
    for (const receiver of [a, b, a, c]) assert.equal((await attempt(attempts, receiver.url())).status, 200);
    await until(() => b.connections.open === 0);
    assert.deepEqual([a.connections.open, c.connections.open, d.connections.open], [1, 1, 1]);
    assert.equal(a.connections.total, 1);
    await until(() => d.requests.length === 1);
    answer();
    assert.equal((await inUse).status, 200);
    await until(() => a.connections.open === 0);
    assert.deepEqual([c.connections.open, d.connections.open], [1, 1]);
  });

  test("one is replaced after some time, so that a new address is found", async (t) => {
    const receiver = await receiverFor(t);
    const lookup = resolverOf({ "receiver.test": ["127.0.0.1"] });
    const attempts = attemptsFor(t, { lookup, connectionMaxAgeMs: 200, connectionsPerOrigin: 1 });
    await attempt(attempts, receiver.url());
    await attempt(attempts, receiver.url());
    assert.equal(receiver.connections.total, 1);
    await sleep(210);
    await attempt(attempts, receiver.url());
    await until(() => receiver.connections.open === 1);
    assert.equal(receiver.connections.total, 2);
    assert.equal(lookup.asked.length, 2);
  });

  test("one that the receiver closes while idle is detected, and another is opened", async (t) => {
    const receiver = await receiverFor(t, { keepAliveTimeoutMs: 20 });
    const attempts = attemptsFor(t);
    assert.equal((await attempt(attempts, receiver.url())).status, 200);
    await until(() => receiver.connections.open === 0);
    assert.equal((await attempt(attempts, receiver.url())).status, 200);
    assert.equal(receiver.connections.total, 2);
  });

  test("a receiver's announced keep-alive time is respected", async (t) => {
    const receiver = await receiverFor(t, {
      respond: (_received, response) => {
        response.setHeader("keep-alive", "timeout=1");
        response.end();
      },
    });
    const attempts = attemptsFor(t);
    assert.equal((await attempt(attempts, receiver.url())).status, 200);
    const startedAt = performance.now();
    await until(() => receiver.connections.open === 0);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs > 300 && tookMs < 3_000, `closed after ${tookMs} ms`);
  });

  test("one is not used again after Connection: close, unexpected bytes, or a truncated answer", async (t) => {
    const endings: Respond[] = [
      (_received, response) => void response.setHeader("connection", "close").end("ok"),
      (_received, response) => void socketOf(response).write(`${OK}unasked`),
      (_received, response) => void response.end(Buffer.alloc(200_000)),
    ];
    for (const respond of endings) {
      const receiver = await receiverFor(t, { respond });
      const attempts = attemptsFor(t);
      for (let n = 0; n < 3; n++) assert.equal((await attempt(attempts, receiver.url())).status, 200);
      assert.equal(receiver.connections.total, 3);
    }
  });

  test("an answer without a request ends the connection and is assigned to no attempt", async (t) => {
    const receiver = await receiverFor(t, {
      respond: async (_received, response) => {
        const socket = socketOf(response);
        socket.write(OK);
        await sleep(30);
        socket.write("HTTP/1.1 500 Late\r\ncontent-length: 0\r\n\r\n");
      },
    });
    const attempts = attemptsFor(t);
    assert.equal((await attempt(attempts, receiver.url())).status, 200);
    await until(() => receiver.connections.open === 0);
    assert.equal((await attempt(attempts, receiver.url())).status, 200);
  });
});

describe("a request that meets a kept connection as it closes", () => {
  /** Answers the first request of every connection, and handles the second in this way. */
  const second =
    (what: Respond): Respond =>
    async (received, response) => {
      const socket = socketOf(response);
      const first = !seen.has(socket);
      seen.add(socket);
      if (first) response.end();
      else await what(received, response);
    };
  const seen = new WeakSet<object>();

  test("is sent over a new connection if it closed before", async (t) => {
    const receiver = await receiverFor(t);
    const attempts = attemptsFor(t);
    await attempt(attempts, receiver.url("/1"));
    await attempt(attempts, receiver.url("/2"));
    receiver.closeConnections();
    await until(() => receiver.connections.open === 0);
    const result = await attempt(attempts, receiver.url("/3"));
    assert.equal(result.status, 200, result.detail ?? "");
    assert.notEqual(result.phases.tlsMs, null);
    assert.deepEqual(
      receiver.requests.map(({ path, connection }) => `${connection} ${path}`),
      ["1 /1", "1 /2", "2 /3"],
    );
  });

  test("is not sent again within the attempt, because it may have been read", async (t) => {
    const closings: ((receiver: Receiver) => Respond)[] = [
      () => (_received, response) => void socketOf(response).destroy(),
      (receiver) => (received) => receiver.reset(received),
    ];
    for (const closing of closings) {
      const receiver = await receiverFor(t);
      receiver.respond = second(closing(receiver));
      const attempts = attemptsFor(t);
      await attempt(attempts, receiver.url("/1"));
      const result = await attempt(attempts, receiver.url("/2"));
      assert.deepEqual([result.reason, outcomeOf(result)], ["connection-reset", "retry"]);
      assert.equal(result.detail, "The receiver closed the connection without an answer.");
      assert.deepEqual(
        receiver.requests.map(({ path }) => path),
        ["/1", "/2"],
      );
    }
  });

  test("is not sent again once a byte of an answer has arrived", async (t) => {
    const receiver = await receiverFor(t, {
      respond: second((_received, response) => void socketOf(response).end("H")),
    });
    const attempts = attemptsFor(t);
    await attempt(attempts, receiver.url());
    assert.equal((await attempt(attempts, receiver.url())).reason, "connection-reset");
    assert.equal(receiver.requests.length, 2);
  });

  test("is not sent again after a timeout, or when the connection was new", async (t) => {
    const receiver = await receiverFor(t, { respond: second(HANGING) });
    const attempts = attemptsFor(t, { readTimeoutMs: 150 });
    await attempt(attempts, receiver.url());
    assert.equal((await attempt(attempts, receiver.url())).reason, "read-timeout");
    assert.equal(receiver.requests.length, 2);
    receiver.respond = (_received, response) => void socketOf(response).destroy();
    assert.equal((await attempt(attempts, receiver.url())).reason, "connection-reset");
    assert.equal(receiver.requests.length, 3);
  });

  test("a receiver that restarts under load gets no request twice, and answers the next", async (t) => {
    const receiver = await receiverFor(t);
    const attempts = attemptsFor(t);
    const failed = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const paths = Array.from({ length: 20 }, (_, n) => `/${round}-${n}`);
      const results = await Promise.all(paths.map((path) => attempt(attempts, receiver.url(path))));
      for (const { status, reason } of results) if (status !== 200) failed.add(String(reason));
      receiver.closeConnections();
    }
    const paths = receiver.requests.map(({ path }) => path);
    assert.equal(new Set(paths).size, paths.length);
    assert.ok([...failed].every((reason) => reason === "connection-reset"));
    assert.equal((await attempt(attempts, receiver.url())).status, 200);
  });
});

describe("delivery attempts that are aborted", () => {
  test("by their signal, in each phase, without effect on others", async (t) => {
    const receiver = await receiverFor(t, { respond: HANGING });
    const resolver = Promise.withResolvers<void>();
    const lookup = async (hostname: string) => {
      if (hostname === "slow.test") await resolver.promise;
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const attempts = attemptsFor(t, { lookup, connectionsPerOrigin: 1 });
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const dialled = once(silent, "connection");
    t.after(() => silent.close());
    const abortion = new AbortController();
    const run = (url: string, signal?: AbortSignal) =>
      attempts.run({ pool: "app", url, body: Buffer.from("{}"), headers: () => ({}) }, signal);
    const resolving = run("https://slow.test/", abortion.signal);
    const dialling = run(`https://127.0.0.1:${portOf(silent)}/`, abortion.signal);
    const answering = run(receiver.url("/answering", "127.0.0.1"), abortion.signal);
    const waiting = run(receiver.url("/waiting", "127.0.0.1"), abortion.signal);
    const stays = run(receiver.url("/stays", "127.0.0.1"));
    await until(() => receiver.requests.length === 1);
    const [socket] = await dialled;
    receiver.respond = (_received, response) => void response.end();
    abortion.abort();
    for (const result of await Promise.all([resolving, dialling, answering, waiting])) {
      assert.deepEqual([result.status, result.reason], [null, "aborted"]);
    }
    assert.equal((await stays).status, 200);
    assert.deepEqual(
      receiver.requests.map(({ path }) => path),
      ["/answering", "/stays"],
    );
    resolver.resolve();
    if (!socket.destroyed)
      await once(
        socket.resume().on("error", () => {}),
        "close",
      );
    assert.equal((await run(receiver.url(), AbortSignal.abort())).reason, "aborted");
    assert.equal(receiver.requests.length, 2);
  });

  test("a received status counts, even if the body was interrupted", async (t) => {
    const receiver = await receiverFor(t, {
      respond: (_received, response) => void response.writeHead(202).write("x"),
    });
    const attempts = attemptsFor(t);
    const abortion = new AbortController();
    const running = attempts.run(
      { pool: "app", url: receiver.url(), body: Buffer.from("{}"), headers: () => ({}) },
      abortion.signal,
    );
    await until(() => receiver.requests.length === 1);
    await sleep(50);
    abortion.abort();
    const result = await running;
    assert.deepEqual([result.status, result.answer], [202, "x"]);
  });

  test("by close(), at once and with all connections; nothing can be sent afterwards", async (t) => {
    const receiver = await receiverFor(t);
    const attempts = attemptsFor(t, { connectionsPerOrigin: 5 });
    await Promise.all(Array.from({ length: 3 }, () => attempt(attempts, receiver.url())));
    receiver.respond = HANGING;
    const running = Array.from({ length: 10 }, () => attempt(attempts, receiver.url()));
    await until(() => receiver.requests.length === 8);
    attempts.close();
    const results = await Promise.all(running);
    assert.ok(results.every(({ reason }) => reason === "aborted"));
    await until(() => receiver.connections.open === 0);
    assert.equal((await attempt(attempts, receiver.url())).reason, "aborted");
    assert.equal(receiver.requests.length, 8);
  });

  test("leave no listener on a long-lived signal", async (t) => {
    const receiver = await receiverFor(t);
    const { signal } = new AbortController();
    await attemptsFor(t).run(
      { pool: "app", url: receiver.url(), body: Buffer.from("{}"), headers: () => ({}) },
      signal,
    );
    assert.deepEqual(getEventListeners(signal, "abort"), []);
  });
});

/** Waits until a condition holds. */
async function until(happened: () => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(10_000);
  while (!happened()) {
    if (deadline.aborted) throw new Error(`it did not come to ${happened}`);
    await sleep(5);
  }
}
