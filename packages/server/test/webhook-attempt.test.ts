import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { outcomeOf } from "../src/domain/webhooks/attempts/attempt.ts";
import type { AttemptResult } from "../src/domain/webhooks/attempts/attempt-result.ts";
import { type Respond, socketOf } from "./support/receiver.ts";
import { attempt, attemptsFor, receiverFor } from "./support/receiver-attempts.ts";

const STATUSES: Record<number, "delivered" | "retry" | "failed"> = {
  200: "delivered",
  201: "delivered",
  202: "delivered",
  204: "delivered",
  206: "delivered",
  299: "delivered",
  300: "failed",
  301: "failed",
  302: "failed",
  303: "failed",
  304: "failed",
  307: "failed",
  308: "failed",
  400: "failed",
  401: "failed",
  403: "failed",
  404: "failed",
  405: "failed",
  408: "retry",
  409: "retry",
  410: "failed",
  413: "failed",
  422: "failed",
  424: "failed",
  425: "retry",
  426: "failed",
  428: "failed",
  429: "retry",
  431: "failed",
  451: "failed",
  499: "failed",
  500: "retry",
  501: "retry",
  502: "retry",
  503: "retry",
  504: "retry",
  599: "retry",
};

describe("a delivery attempt", () => {
  for (const [code, outcome] of Object.entries(STATUSES)) {
    test(`status ${code}: ${outcome}`, async (t) => {
      const receiver = await receiverFor(t, {
        respond: (_received, response) => void response.writeHead(Number(code)).end(),
      });
      const result = await attempt(attemptsFor(t), receiver.url());
      assert.equal(result.status, Number(code), result.detail ?? "");
      assert.equal(result.reason, null);
      assert.equal(outcomeOf(result), outcome);
      assert.equal(receiver.requests.length, 1);
    });
  }

  test("an attempt without an answer is retried", () => {
    const result = { status: null, reason: "dns" } as AttemptResult;
    assert.equal(outcomeOf(result), "retry");
  });

  for (const status of [301, 302, 303, 307, 308]) {
    test(`the Location of a ${status} is never called`, async (t) => {
      const canary = await receiverFor(t);
      const receiver = await receiverFor(t, {
        respond: (_received, response) => void response.writeHead(status, { location: canary.url("/canary") }).end(),
      });
      const result = await attempt(attemptsFor(t), receiver.url());
      assert.equal(result.status, status);
      assert.equal(outcomeOf(result), "failed");
      assert.equal(canary.connections.total, 0);
      assert.equal(receiver.requests.length, 1);
    });
  }

  test("sends the body byte for byte, the given headers, and the path with its query", async (t) => {
    const receiver = await receiverFor(t);
    const body = randomBytes(300_000);
    const headers = { "Content-Type": "application/json; charset=UTF-8", "X-Open-App-Id": "app_1", "x-odd": "Ä  b" };
    const url = `${receiver.url("/a%20b/ü")}?q=1&q=%2F#fragment`;
    await attemptsFor(t).run({ pool: "app", url, body, headers: () => headers });
    const [received] = receiver.requests;
    assert.ok(received);
    assert.equal(received.method, "POST");
    assert.equal(received.path, "/a%20b/%C3%BC?q=1&q=%2F");
    assert.ok(received.body.equals(body));
    assert.deepEqual(pairs(received.rawHeaders), [
      ["host", `receiver.test:${receiver.port}`],
      ["connection", "keep-alive"],
      ["Content-Type", "application/json; charset=UTF-8"],
      ["X-Open-App-Id", "app_1"],
      ["x-odd", "Ä  b"],
      ["accept-encoding", "identity"],
      ["content-length", "300000"],
    ]);
  });

  test("sends an empty body", async (t) => {
    const receiver = await receiverFor(t);
    await attempt(attemptsFor(t), receiver.url(), { body: Buffer.alloc(0) });
    assert.equal(receiver.requests[0]?.headers["content-length"], "0");
  });

  test("throws for headers that cannot be sent, because they are the caller's mistake", async (t) => {
    const receiver = await receiverFor(t);
    const attempts = attemptsFor(t);
    for (const [name, value] of [
      ["x-a", "b\r\nx-c: d"],
      ["x a", "b"],
      ["transfer-encoding", "chunked"],
    ] as const) {
      const headers = () => ({ [name]: value });
      await assert.rejects(attempt(attempts, receiver.url(), { headers }), { name: "TypeError" });
    }
    assert.equal(receiver.requests.length, 0);
  });

  test("records its start, the address, the duration of each phase and the answer", async (t) => {
    const receiver = await receiverFor(t, { respond: (_received, response) => void response.end('{"ok":true}') });
    const result = await attempt(attemptsFor(t), receiver.url());
    assert.ok(Math.abs(result.at - Date.now()) < 60_000);
    assert.equal(result.address, "127.0.0.1");
    assert.equal(result.answer, '{"ok":true}');
    assert.equal(result.detail, null);
    assert.ok(Number.isInteger(result.durationMs));
    const { dnsMs, connectMs, tlsMs, firstByteMs } = result.phases;
    for (const phase of [dnsMs, connectMs, tlsMs, firstByteMs]) {
      assert.ok(phase !== null && phase >= 0 && phase <= result.durationMs + 1, JSON.stringify(result));
    }
  });

  const INTERIM: Record<string, Respond> = {
    "100 Continue": (_received, response) => {
      response.writeContinue();
      response.writeHead(201).end("done");
    },
    "102 Processing": (_received, response) => {
      response.writeProcessing();
      response.writeHead(201).end("done");
    },
    "103 Early Hints": (_received, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" }, () => response.writeHead(201).end("done"));
    },
    "several of them": (_received, response) => {
      response.writeContinue();
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      response.writeContinue();
      response.writeProcessing();
      response.writeHead(201).end("done");
    },
    "several of them, byte by byte": async (_received, response) => {
      const socket = socketOf(response);
      const head = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 \r\n\r\n";
      for (const byte of `${head}HTTP/1.1 201 Created\r\nconnection: keep-alive\r\ncontent-length: 4\r\n\r\ndone`) {
        socket.write(byte);
        await new Promise(setImmediate);
      }
    },
  };
  for (const [name, respond] of Object.entries(INTERIM)) {
    test(`skips interim answers: ${name}`, async (t) => {
      const receiver = await receiverFor(t, { respond });
      const result = await attempt(attemptsFor(t), receiver.url());
      assert.equal(result.status, 201, result.detail ?? "");
      assert.equal(result.answer, "done");
    });
  }

  test("101 Switching Protocols without a request for it is not a valid answer", async (t) => {
    const receiver = await receiverFor(t, {
      respond: (_received, response) =>
        void socketOf(response).write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
    });
    const result = await attempt(attemptsFor(t), receiver.url());
    assert.equal(result.reason, "bad-response", result.detail ?? "");
    assert.equal(outcomeOf(result), "retry");
  });
});

/** Alternating names and values, as pairs. */
function pairs(list: string[]): string[][] {
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ""]] : []));
}
