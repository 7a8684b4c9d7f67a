import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { PorticoClient, type PorticoClientOptions, TransportError } from "@portico/sdk";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { CREDENTIAL, type Respond, type Service, startService } from "./service.ts";

const NEVER_SLEEP = { sleep: () => Promise.reject(new Error("a transport failure must not be retried")) };

function clientOf(service: Pick<Service, "baseUrl">, options: Partial<PorticoClientOptions> = {}) {
  return new PorticoClient({ ...CREDENTIAL, ...NEVER_SLEEP, baseUrl: service.baseUrl, ...options });
}

/** The error of one call against a service that answers with `respond`; asserts that there was no retry. */
async function failureOf(respond: Respond, options: Partial<PorticoClientOptions> = {}): Promise<TransportError> {
  await using service = await startService(respond);
  const error = await clientOf(service, options)
    .bot.listApps()
    .catch((reason: unknown) => reason);
  assert.ok(error instanceof TransportError, String(error));
  assert.ok(error.cause instanceof Error);
  assert.equal(service.requests.length, 1);
  return error;
}

test("a refused connection is a transport failure that names the address", async () => {
  const port = await findFreePort();
  await assert.rejects(clientOf({ baseUrl: `http://127.0.0.1:${port}` }).bot.listApps(), (error) => {
    assert.ok(error instanceof TransportError);
    assert.ok(error.message.startsWith(`GET http://127.0.0.1:${port}/api/open/v2/bot/apps: `), error.message);
    assert.match(error.message, /ECONNREFUSED/);
    assert.equal(error.httpStatus, undefined);
    return true;
  });
});

test("a name with several addresses, none of which answers, still reports the reason", async () => {
  const baseUrl = `http://localhost:${await findFreePort()}`;
  await assert.rejects(clientOf({ baseUrl }).bot.listApps(), { message: /ECONNREFUSED/ });
});

test("a connection that ends before the answer is a transport failure", async () => {
  const error = await failureOf((response) => response.destroy());
  assert.equal(error.httpStatus, undefined);
});

test("a connection that ends within the answer is a transport failure", async () => {
  const error = await failureOf((response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write('{"code":"000000"', () => response.destroy());
  });
  assert.equal(error.httpStatus, 200);
});

test("something that does not speak HTTP is a transport failure", async () => {
  const server = createServer((socket) => socket.resume().end("SSH-2.0-OpenSSH_9.9\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await assert.rejects(clientOf({ baseUrl: `http://127.0.0.1:${port}` }).bot.listApps(), { name: "TransportError" });
  await new Promise((resolve) => server.close(resolve));
});

test("no answer within the timeout is a transport failure, not retried", async () => {
  const error = await failureOf(() => {}, { timeoutMs: 40 });
  assert.match(error.message, /no complete answer within 40 ms/);
  assert.equal(error.httpStatus, undefined);
});

test("an answer that arrives byte by byte is cut at the timeout", { timeout: 5_000 }, async () => {
  let drip: NodeJS.Timeout | undefined;
  const error = await failureOf(
    (response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      drip = setInterval(() => response.write(" "), 5);
    },
    { timeoutMs: 1_000 },
  );
  clearInterval(drip);
  assert.match(error.message, /no complete answer within 1000 ms/);
  assert.equal(error.httpStatus, 200);
});

test("an answer beyond 4 MiB is refused before it is complete", { timeout: 5_000 }, async () => {
  const piece = Buffer.alloc(1024 * 1024, " ");
  const error = await failureOf((response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    for (let count = 0; count < 5; count++) response.write(piece);
  });
  assert.match(error.message, /larger than 4194304 bytes/);
});

test("an answer of exactly 4 MiB is read", async () => {
  const envelope = JSON.stringify({ code: "000000", message: "success", value: { items: [] }, reqNo: "req_1" });
  await using service = await startService((response) => response.end(envelope.padEnd(4 * 1024 * 1024)));
  assert.deepEqual(await clientOf(service).bot.listApps(), []);
});

test("a redirect is not followed, so the signature goes nowhere else", async () => {
  await using other = await startService((response) => response.end());
  for (const status of [301, 302, 303, 307, 308]) {
    const error = await failureOf((response) => {
      response.writeHead(status, { Location: `${other.baseUrl}/api/open/v2/bot/apps` });
      response.end();
    });
    assert.equal(error.httpStatus, status);
    assert.match(error.message, /redirect/);
  }
  assert.equal(other.requests.length, 0);
});

test("an HTML 502 of a proxy is a transport failure with its status and the start of the page", async () => {
  const error = await failureOf((response) => {
    response.writeHead(502, { "Content-Type": "text/html" });
    response.end("<html><h1>Bad Gateway</h1></html>");
  });
  assert.equal(error.httpStatus, 502);
  assert.match(error.message, /HTTP 502 with an answer that is not an ApiResult/);
  assert.ok(error.cause instanceof Error && error.cause.cause instanceof Error);
  assert.match(error.cause.cause.message, /Bad Gateway/);
});

for (const [name, body] of [
  ["the container's 404 body", { timestamp: "2026-01-01T00:00:00Z", status: 404, error: "Not Found", path: "/" }],
  ["a code that is a number", { code: 0, message: "ok", value: null, reqNo: "r" }],
  ["an envelope without reqNo", { code: "500000", message: "no", value: null }],
  ["an array", []],
  ["null", null],
] as const) {
  test(`${name} is not an envelope`, async () => {
    const error = await failureOf((response) => {
      response.writeHead(404, { "Content-Type": "application/json" });
      response.end(JSON.stringify(body));
    });
    assert.equal(error.httpStatus, 404);
  });
}

test("an empty answer is not an envelope", async () => {
  const error = await failureOf((response) => {
    response.writeHead(204);
    response.end();
  });
  assert.equal(error.httpStatus, 204);
});
