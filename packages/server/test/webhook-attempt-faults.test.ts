import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { outcomeOf } from "../src/domain/webhooks/attempts/attempt.ts";
import type { AttemptResult } from "../src/domain/webhooks/attempts/attempt-result.ts";
import type { CERTIFICATES } from "./support/certificates.ts";
import { portOf, type Respond, resolverOf, socketOf } from "./support/receiver.ts";
import { attempt, attemptsFor, receiverFor } from "./support/receiver-attempts.ts";

const LIMIT_MS = 200;
/** Tolerance for limits on a busy machine. */
const SLACK_MS = 1_500;
const OK = "HTTP/1.1 200 OK\r\n";

describe("a delivery attempt whose receiver cannot be reached", () => {
  test("connection refused", async (t) => {
    const result = await attempt(attemptsFor(t), `https://receiver.test:${await findFreePort()}/hook`);
    assertFailed(result, "connection-refused");
    assert.equal(result.address, "127.0.0.1");
  });

  test("the host has no address", async (t) => {
    const result = await attempt(attemptsFor(t), "https://unknown.test/hook");
    assertFailed(result, "dns");
    assert.equal(result.address, null);
    assert.equal(result.detail, "域名unknown.test无法解析");
  });

  test("the look-up hangs: ended at the connect limit", async (t) => {
    const lookup = () => new Promise<never>(() => {});
    const attempts = attemptsFor(t, { lookup, connectTimeoutMs: LIMIT_MS });
    const result = await attempt(attempts, "https://receiver.test/hook");
    assertFailed(result, "connect-timeout");
    assertTook(result, LIMIT_MS);
    assert.equal(result.detail, `域名receiver.test的解析超过${LIMIT_MS}毫秒仍未完成`);
  });

  test("the TLS handshake hangs: ended at the connect limit, which includes the look-up", async (t) => {
    const server = await tcpServer(t, () => {});
    const lookup = async () => {
      await sleep(LIMIT_MS / 2);
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const attempts = attemptsFor(t, { lookup, connectTimeoutMs: LIMIT_MS });
    const result = await attempt(attempts, `https://receiver.test:${portOf(server)}/hook`);
    assertFailed(result, "connect-timeout");
    assertTook(result, LIMIT_MS);
    assert.equal(result.detail, `TLS was not established within ${LIMIT_MS} ms.`);
    assert.notEqual(result.phases.connectMs, null);
    assert.equal(result.phases.tlsMs, null);
  });

  test("the connection is closed, or reset, in the TLS handshake", async (t) => {
    for (const end of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.resetAndDestroy()]) {
      const server = await tcpServer(t, (socket) => socket.once("data", () => end(socket)));
      assertFailed(await attempt(attemptsFor(t), `https://receiver.test:${portOf(server)}/`), "connection-reset");
    }
  });

  test("plain HTTP, or another protocol, on the port", async (t) => {
    const http = createHttpServer((_request, response) => response.end("plain")).listen(0, "127.0.0.1");
    await once(http, "listening");
    t.after(() => http.close());
    assertFailed(await attempt(attemptsFor(t), `https://receiver.test:${portOf(http)}/`), "tls");
    const smtp = await tcpServer(t, (socket) => socket.write("220 mail.example ESMTP\r\n"));
    assertFailed(await attempt(attemptsFor(t), `https://receiver.test:${portOf(smtp)}/`), "tls");
  });

  const CERTIFICATE_PROBLEMS: [string, keyof typeof CERTIFICATES, RegExp][] = [
    ["is for another host", "wrongHost", /does not match certificate's altnames/],
    ["has expired", "expired", /certificate has expired/],
    ["is self-signed", "selfSigned", /self-signed certificate/],
  ];
  for (const [problem, certificate, words] of CERTIFICATE_PROBLEMS) {
    test(`the certificate ${problem}`, async (t) => {
      const receiver = await receiverFor(t, { certificate });
      const result = await attempt(attemptsFor(t), receiver.url());
      assertFailed(result, "tls");
      assert.match(result.detail ?? "", words);
      assert.equal(receiver.requests.length, 0);
    });
  }

  test("the certificate is from an untrusted authority", async (t) => {
    const receiver = await receiverFor(t);
    assertFailed(await attempt(attemptsFor(t, { ca: null }), receiver.url()), "tls");
    assert.equal(receiver.requests.length, 0);
  });

  test("the certificate of a name with a final dot is verified without the dot", async (t) => {
    const receiver = await receiverFor(t);
    const lookup = resolverOf({ "receiver.test.": ["127.0.0.1"], "x.test.": ["127.0.0.1"] });
    const attempts = attemptsFor(t, { lookup });
    assert.equal((await attempt(attempts, receiver.url("/", "receiver.test."))).status, 200);
    assert.equal(receiver.requests[0]?.servername, "receiver.test");
    assertFailed(await attempt(attempts, receiver.url("/", "x.test.")), "tls");
  });

  test("the certificate is valid only for another name of the same address", async (t) => {
    const receiver = await receiverFor(t);
    const lookup = resolverOf({
      "receiver.test": ["127.0.0.1"],
      "a.receiver.test": ["127.0.0.1"],
      "x.test": ["127.0.0.1"],
    });
    const attempts = attemptsFor(t, { lookup });
    assert.equal((await attempt(attempts, receiver.url("/", "receiver.test"))).status, 200);
    assert.equal((await attempt(attempts, receiver.url("/", "a.receiver.test"))).status, 200);
    assertFailed(await attempt(attempts, receiver.url("/", "x.test")), "tls");
    assert.equal((await attempt(attempts, receiver.url("/", "127.0.0.1"))).status, 200);
    assert.deepEqual(
      receiver.requests.map(({ servername }) => servername),
      ["receiver.test", "a.receiver.test", null],
    );
  });
});

describe("a delivery attempt whose receiver does not answer properly", () => {
  test("no head: ended at the read limit", async (t) => {
    const result = await answerOf(t, () => {}, LIMIT_MS);
    assertFailed(result, "read-timeout");
    assertTook(result, LIMIT_MS);
    assert.equal(result.phases.firstByteMs, null);
  });

  test("an endless head, byte by byte: ended at the read limit", async (t) => {
    const result = await answerOf(t, drip(`${OK}x-slow: `), LIMIT_MS);
    assertFailed(result, "read-timeout");
    assertTook(result, LIMIT_MS);
    assert.notEqual(result.phases.firstByteMs, null);
  });

  test("endless interim answers: ended at the read limit", async (t) => {
    const result = await answerOf(
      t,
      drip("HTTP/1.1 100 Continue\r\n\r\n".repeat(2), "HTTP/1.1 103 Early\r\n\r\n"),
      LIMIT_MS,
    );
    assertFailed(result, "read-timeout");
    assertTook(result, LIMIT_MS);
  });

  test("at least once: an endless body is ended at the deadline, and the head decides", async (t) => {
    for (const head of [`${OK}content-length: 1000000\r\n\r\n`, `${OK}\r\n`]) {
      const result = await answerOf(t, drip(head), LIMIT_MS);
      assert.equal(result.status, 200);
      assert.equal(outcomeOf(result), "delivered");
      assertTook(result, LIMIT_MS);
      assert.match(result.answer, /^x+$/);
      assert.equal(result.detail, "The time was up before the body of the answer was complete.");
    }
  });

  test("a request that is not read: ended at the read limit", async (t) => {
    const receiver = await receiverFor(t);
    receiver.respond = () => {};
    const attempts = attemptsFor(t, { readTimeoutMs: LIMIT_MS });
    const result = await attempt(attempts, receiver.url(), { body: Buffer.alloc(50_000_000) });
    assertFailed(result, "read-timeout");
  });

  test("an answer that arrived in time counts, even if this process was too busy to read it in time", async (t) => {
    const result = await answerOf(
      t,
      (_received, response) => {
        response.end("in time");
        for (const startedAt = performance.now(); performance.now() - startedAt < LIMIT_MS * 2; );
      },
      LIMIT_MS,
    );
    assert.deepEqual([result.status, result.answer], [200, "in time"]);
  });

  const CLOSINGS: Record<string, [string, "close" | "reset", "failed" | "delivered"]> = {
    "closed before the head": ["", "close", "failed"],
    "reset before the head": ["", "reset", "failed"],
    "closed within the status line": ["HTTP/1.1 2", "close", "failed"],
    "closed within the head": [`${OK}content-length: 5\r\n`, "close", "failed"],
    "closed within the body": [`${OK}content-length: 5\r\n\r\nab`, "close", "delivered"],
    "reset within the body": [`${OK}content-length: 5\r\n\r\nab`, "reset", "delivered"],
    "closed within a chunk": [`${OK}transfer-encoding: chunked\r\n\r\n5\r\nab`, "close", "delivered"],
  };
  for (const [name, [text, how, outcome]] of Object.entries(CLOSINGS)) {
    test(name, async (t) => {
      const receiver = await receiverFor(t);
      receiver.respond = async (received, response) => {
        const socket = socketOf(response);
        if (text !== "") await new Promise<void>((resolve) => socket.write(text, () => resolve()));
        // Otherwise the reset could overtake the written bytes.
        await sleep(50);
        if (how === "close") socket.destroy();
        else receiver.reset(received);
      };
      const result = await attempt(attemptsFor(t), receiver.url());
      if (outcome === "failed") {
        assertFailed(result, "connection-reset");
        const where = text === "" ? "without an answer" : "within the head of its answer";
        assert.equal(result.detail, `The receiver closed the connection ${where}.`);
      } else {
        assert.deepEqual([result.status, outcomeOf(result), result.answer], [200, "delivered", "ab"]);
        assert.equal(result.detail, "The connection broke within the body of the answer.");
      }
    });
  }

  const BAD_HEADS: Record<string, [head: string, problem: RegExp]> = {
    garbage: ["these are not the bytes you are looking for\r\n\r\n", /does not begin with HTTP|status line/],
    "bytes of no text": ["\0\x01\x02\xff\xfe\r\n\r\n", /status line/],
    "HTTP/0.9": ["<html></html>", /does not begin with HTTP\/1\./],
    "HTTP/2 by name": ["HTTP/2 200\r\n\r\n", /status line/],
    "a status of two digits": ["HTTP/1.1 20 OK\r\n\r\n", /status line/],
    "a status of four digits": ["HTTP/1.1 2000 OK\r\n\r\n", /status line/],
    "a length that is no number": [`${OK}content-length: many\r\n\r\n`, /Content-Length is no number/],
    "a negative length": [`${OK}content-length: -1\r\n\r\n`, /Content-Length is no number/],
    "two lengths": [`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok`, /two Content-Length lines/],
    "the same length twice": [`${OK}content-length: 2\r\nContent-Length: 2\r\n\r\nok`, /two Content-Length lines/],
    "a length beyond all numbers": [`${OK}content-length: 99999999999999999999999\r\n\r\n`, /Content-Length/],
    "a length and chunks": [
      `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\nok`,
      /both a Content-Length and a Transfer-Encoding/,
    ],
    "a header name with a space": [`${OK}x y: z\r\n\r\n`, /invalid name/],
    "a header without a colon": [`${OK}nothing\r\n\r\n`, /no colon/],
    "line feeds alone": ["HTTP/1.1 200 OK\ncontent-length: 2\n\nok", /line feed alone/],
    "one line feed alone": [`${OK}x: a\ncontent-length: 2\r\n\r\nok`, /line feed alone/],
    "a status line with a line feed alone": ["HTTP/1.1 204 No Content\n\r\n", /line feed alone/],
    "carriage returns alone": ["HTTP/1.1 200 OK\rcontent-length: 2\r\rok", /carriage return without/],
    "a lone carriage return in a header": [`${OK}x: a\rset-cookie: b\r\n\r\n`, /carriage return without/],
    "a NUL in a header": [`${OK}x: a\0b\r\n\r\n`, /invalid character/],
    "10,000 headers": [
      `${OK}${Array.from({ length: 10_000 }, (_, n) => `x-${n}: y`).join("\r\n")}\r\n\r\n`,
      /longer than/,
    ],
    "a header of 40 kB": [`${OK}x: ${"y".repeat(40_000)}\r\n\r\n`, /longer than/],
    "a reason phrase of 100 kB": [`HTTP/1.1 200 ${"y".repeat(100_000)}\r\n\r\n`, /longer than/],
    "an interim answer of 100 kB": [
      `HTTP/1.1 103 Early\r\nx: ${"y".repeat(100_000)}\r\n\r\n${OK}content-length: 0\r\n\r\n`,
      /longer than/,
    ],
    "5,000 interim answers": [
      `${"HTTP/1.1 100 Continue\r\n\r\n".repeat(5_000)}${OK}content-length: 0\r\n\r\n`,
      /longer than/,
    ],
    "another protocol from now on": ["HTTP/1.1 101 Switching Protocols\r\n\r\n", /switches to a protocol/],
  };
  for (const [name, [text, problem]] of Object.entries(BAD_HEADS)) {
    test(`${name}: no valid answer, and the record says why`, async (t) => {
      const result = await answerOf(
        t,
        (_received, response) => void socketOf(response).write(Buffer.from(text, "latin1")),
      );
      assertFailed(result, "bad-response");
      assert.match(result.detail ?? "", problem);
      assert.equal(result.answer, "");
    });
  }

  test("a line feed alone is found whatever the pieces", async (t) => {
    const result = await answerOf(t, async (_received, response) => {
      for (const piece of [OK.slice(0, -1), "\nx: a", "\n", "y: b\r\n\r\n"]) {
        socketOf(response).write(piece);
        await sleep(10);
      }
    });
    assertFailed(result, "bad-response");
    assert.match(result.detail ?? "", /line feed alone/);
  });

  const BAD_BODIES: Record<string, [text: string, answer: string, problem: RegExp]> = {
    "more than its length": [
      `${OK}content-length: 2\r\n\r\nokHTTP/1.1 500 Injected\r\n\r\n`,
      "ok",
      /More bytes came than belong to the answer/,
    ],
    "a chunk length that is none": [
      `${OK}transfer-encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n`,
      "ok",
      /body .* not valid HTTP\/1\.1: the size of a chunk/,
    ],
    "a chunk longer than it says": [
      `${OK}transfer-encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n`,
      "ok",
      /a chunk is longer than its size says/,
    ],
    "chunks with line feeds alone": [
      `${OK}transfer-encoding: chunked\r\n\r\n2\nok\n0\n\n`,
      "",
      /a line of a chunk ends with a line feed alone/,
    ],
  };
  for (const [name, [text, answer, problem]] of Object.entries(BAD_BODIES)) {
    test(`${name}: the head decides, and the connection is not used again`, async (t) => {
      const receiver = await receiverFor(t, { respond: (_received, response) => void socketOf(response).write(text) });
      const attempts = attemptsFor(t);
      for (const connection of [1, 2]) {
        const result = await attempt(attempts, receiver.url());
        assert.deepEqual([result.status, result.answer], [200, answer]);
        assert.match(result.detail ?? "", problem);
        assert.equal(receiver.requests.at(-1)?.connection, connection);
      }
    });
  }

  test("texts from the receiver in the details are short and have no control characters", async (t) => {
    const result = await answerOf(t, (_received, response) => void socketOf(response).write("\x1b[31m\0\r\n\r\n"));
    assert.match(result.detail ?? "", /^[\x20-\x7e]{1,300}$/);
  });
});

/** Makes one attempt at a receiver that answers like this. */
async function answerOf(t: TestContext, respond: Respond, readTimeoutMs?: number): Promise<AttemptResult> {
  const receiver = await receiverFor(t, { respond });
  return await attempt(attemptsFor(t, { readTimeoutMs }), receiver.url());
}

/** Answers with `start` and then continues endlessly in small pieces. */
function drip(start: string, more = "x"): Respond {
  return async (_received, response) => {
    const socket = socketOf(response);
    socket.write(start);
    while (!socket.destroyed) {
      await sleep(10);
      socket.write(more);
    }
  };
}

function assertFailed(result: AttemptResult, reason: AttemptResult["reason"]): void {
  assert.equal(result.reason, reason, `${result.status} ${result.detail}`);
  assert.equal(result.status, null);
  assert.match(result.detail ?? "", /^[A-Z].*\.$|^域名/);
  assert.equal(outcomeOf(result), "retry");
}

function assertTook({ durationMs }: AttemptResult, limitMs: number): void {
  assert.ok(durationMs >= limitMs - 5 && durationMs < limitMs + SLACK_MS, `${durationMs} ms`);
}

/** A server that only does this with every connection. */
async function tcpServer(t: TestContext, onConnection: (socket: Socket) => void): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    onConnection(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return server;
}
