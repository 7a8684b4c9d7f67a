import assert from "node:assert/strict";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { nodeHttpHandler } from "@portico/sdk";
import { deliveryOf, gate, messageEvent, post } from "./webhook-delivery.ts";
import { rawHead, recorder, sendRaw, serve } from "./webhook-server.ts";

const DELIVERY = deliveryOf(messageEvent());
const LARGE = deliveryOf({ ...messageEvent(), filling: "x".repeat(2_000) });

interface ExpressRequest extends IncomingMessage {
  body?: unknown;
  rawBody?: Uint8Array;
}

type Middleware = (request: ExpressRequest, response: ServerResponse, next: () => void) => unknown;

/** Runs middleware in order, each when the previous one calls `next`, as Express does. */
function chain(...middleware: Middleware[]): RequestListener {
  return (request, response) => {
    const step = (index: number): unknown => middleware[index]?.(request, response, () => step(index + 1));
    step(0);
  };
}

/** Behaves like `express.json()`. */
const parseJson =
  (verify: (request: ExpressRequest, bytes: Buffer) => void = () => {}): Middleware =>
  async (request, _response, next) => {
    const bytes = await buffer(request);
    verify(request, bytes);
    request.body = JSON.parse(bytes.toString());
    next();
  };

test("a delivery over HTTP is handled and answered with JSON and a Content-Length", async () => {
  const { events, options } = recorder();
  await using server = await serve(nodeHttpHandler(options));
  const response = await post(server.url, DELIVERY);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(response.headers.get("content-length"), "20");
  assert.deepEqual(await response.json(), { result: "handled" });
  assert.deepEqual(events, [messageEvent()]);
});

test("refusals over HTTP have the same answers", async () => {
  const { events, options } = recorder();
  await using server = await serve(nodeHttpHandler(options));
  const forged = await post(server.url, deliveryOf(messageEvent(), { secret: "other" }));
  assert.equal(forged.status, 425);
  const get = await fetch(server.url);
  assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"]);
  assert.equal((await fetch(server.url, { method: "POST", body: "x" })).status, 415);
  assert.equal(events.length, 0);
});

test("a body whose Content-Length exceeds the limit is refused before it is sent", { timeout: 10_000 }, async () => {
  const { options } = recorder();
  await using server = await serve(nodeHttpHandler(options));
  const socket = connect(server.port, "127.0.0.1");
  socket.write(rawHead({ ...LARGE.headers, "content-length": "1000000000" }));
  const [head] = (await socket.take(1).toArray()).map(String);
  assert.match(head ?? "", /^HTTP\/1\.1 413 /);
});

test("a body that turns out to exceed the limit is refused, and its connection stays usable", {
  timeout: 10_000,
}, async () => {
  const { events, options } = recorder();
  await using server = await serve(nodeHttpHandler(options));
  const { headers, body } = DELIVERY;
  const piece = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  const large = `${rawHead({ ...headers, "transfer-encoding": "chunked" })}${piece.repeat(64)}0\r\n\r\n`;
  const next = rawHead({ ...headers, connection: "close", "content-length": String(body.length) });
  const answers = await sendRaw(server.port, large, next, body.toString("utf8"));
  assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 413", "HTTP/1.1 200"]);
  assert.equal(events.length, 1);
});

test("a truncated body is not an event, and the server continues", async () => {
  const { events, errors, options } = recorder();
  const ended = gate();
  const handle = nodeHttpHandler(options);
  await using server = await serve((request, response) => void handle(request, response).then(ended.resolve));
  const socket = connect(server.port, "127.0.0.1");
  const head = rawHead({ ...DELIVERY.headers, "content-length": String(DELIVERY.body.length) });
  socket.write(head + DELIVERY.body.subarray(0, 100).toString("latin1"), () => socket.destroy());
  await ended.promise;
  assert.deepEqual([events, errors], [[], []]);
  assert.equal((await post(server.url, DELIVERY)).status, 200);
});

test("a sender that disconnects while its event is handled does no harm", async () => {
  const { options, errors } = recorder();
  const begun = gate();
  const handling = gate();
  const ended = gate();
  const onEvent = () => {
    begun.resolve();
    return handling.promise;
  };
  const handle = nodeHttpHandler({ ...options, onEvent });
  await using server = await serve((request, response) => {
    response.on("close", handling.resolve);
    void handle(request, response).then(ended.resolve);
  });
  const socket = connect(server.port, "127.0.0.1");
  socket.write(rawHead({ ...DELIVERY.headers, "content-length": String(DELIVERY.body.length) }));
  socket.write(DELIVERY.body);
  await begun.promise;
  socket.destroy();
  await ended.promise;
  assert.deepEqual(errors, []);
});

test("a repeated header is refused", async () => {
  const { events, options } = recorder();
  await using server = await serve(nodeHttpHandler(options));
  const head = rawHead({
    ...DELIVERY.headers,
    "X-Open-Event-Id": "evt_2",
    connection: "close",
    "content-length": String(DELIVERY.body.length),
  });
  assert.match(await sendRaw(server.port, head, DELIVERY.body.toString("utf8")), /^HTTP\/1\.1 425 /);
  assert.equal(events.length, 0);
});

test("in Express, it works without options when nothing has read the body", async () => {
  const { events, options } = recorder();
  await using server = await serve(chain((_request, _response, next) => next(), nodeHttpHandler(options)));
  assert.equal((await post(server.url, DELIVERY)).status, 200);
  assert.equal(events.length, 1);
});

test("after express.json() it fails, and tells both sides where to mount it", async () => {
  const { events, errors, options } = recorder();
  await using server = await serve(chain(parseJson(), nodeHttpHandler(options)));
  const response = await post(server.url, DELIVERY);
  assert.equal(response.status, 500);
  const { message } = (await response.json()) as { message: string };
  assert.match(message, /mount the handler before the JSON parser, or let the parser's `verify` hook keep the bytes/);
  assert.match(String(errors), /mount the handler before the JSON parser/);
  assert.equal(events.length, 0);
});

test("after a parser that kept the raw body as rawBody or body, it works", async () => {
  const keepBytes = parseJson((request, bytes) => {
    request.rawBody = bytes;
  });
  const giveBytes: Middleware = async (request, _response, next) => {
    request.body = await buffer(request);
    next();
  };
  for (const parser of [keepBytes, giveBytes]) {
    const { events, options } = recorder();
    await using server = await serve(chain(parser, nodeHttpHandler(options)));
    assert.equal((await post(server.url, DELIVERY)).status, 200);
    assert.equal(events.length, 1);
    const small = chain(parser, nodeHttpHandler({ ...options, maxBodyBytes: 10 }));
    await using smallServer = await serve(small);
    assert.equal((await post(smallServer.url, DELIVERY)).status, 413);
  }
});

test("an answer by another middleware is not changed", async () => {
  const { events, options } = recorder();
  const handle = nodeHttpHandler(options);
  await using server = await serve(
    chain((_request, response, next) => {
      response.writeHead(503).end("too slow");
      next();
    }, handle),
  );
  assert.equal((await post(server.url, DELIVERY)).status, 503);
  assert.equal(events.length, 1);
});
