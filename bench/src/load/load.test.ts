import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { openConnections } from "./connection.ts";
import { runFullLoad } from "./full-load.ts";
import { runPacedLoad } from "./paced-load.ts";
import { newSender, sendSigner } from "./signed-requests.ts";

const signer = sendSigner(newSender(), "text");

test("full load sends every request once and counts every answer", async () => {
  const nonces = new Set<unknown>();
  await using server = await listen((request, response) => {
    nonces.add(request.headers["x-open-nonce"]);
    response.end('{"code":"000000"}');
  });
  const outcome = await runFullLoad(await openConnections(server.port, 4), signer.sign(100, true), 60);
  assert.equal(outcome.answered, 100);
  assert.equal(nonces.size, 100);
  assert.ok(outcome.p50Ms > 0 && outcome.p50Ms <= outcome.p99Ms && outcome.p99Ms <= outcome.elapsedMs);
});

test("an answer that is not a success fails the load, and the error contains it", async () => {
  let count = 0;
  await using server = await listen((_request, response) => {
    response.end(++count % 10 === 0 ? '{"code":"429001"}' : '{"code":"000000"}');
  });
  const connections = await openConnections(server.port, 4);
  await assert.rejects(runFullLoad(connections, signer.sign(100, true), 60), /10 of 100 calls .*"code":"429001"/s);
});

test("a server that hangs up fails the load", async () => {
  await using server = await listen((request) => request.socket.destroy());
  const connections = await openConnections(server.port, 4);
  await assert.rejects(runFullLoad(connections, signer.sign(10, true), 60), /closed the connection|ECONNRESET/);
  const others = await openConnections(server.port, 4);
  await assert.rejects(runPacedLoad(others, signer.sign(10, true), 1_000), /closed the connection|ECONNRESET/);
});

test("under paced load a stall counts for every request that was due during it", async () => {
  const stallMs = 200;
  let stalled = false;
  await using server = await listen((_request, response) => {
    const answer = () => response.end('{"code":"000000"}');
    if (stalled) answer();
    else setTimeout(answer, stallMs);
    stalled = true;
  });
  const outcome = await runPacedLoad(await openConnections(server.port, 1), signer.sign(20, true), 1_000);
  assert.equal(outcome.answered, 20);
  // The last request was due 19 ms after the first, which occupied the only connection until the stall was over.
  assert.ok(outcome.p50Ms > stallMs - 20, `${outcome.p50Ms}`);
});

async function listen(handle: RequestListener) {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("Content-Length", 17);
      handle(request, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
