import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ConnectionLimit } from "./connection-limit.ts";

const PIECE = Buffer.alloc(64 * 1024);

function* endless(): Generator<Buffer> {
  for (;;) yield PIECE;
}

/** A server that answers by `answer`, and a client that has sent one request. */
async function ask(t: TestContext, answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response));
  const limit = new ConnectionLimit(10);
  limit.watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const connected = once(server, "connection") as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [socket] = await connected;
  t.after(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { limit, client, socket };
}

describe("the limit of connections", () => {
  for (const [how, answer] of [
    ["in pieces", (response: ServerResponse) => Readable.from(endless()).pipe(response)],
    ["in one piece", (response: ServerResponse) => response.end(Buffer.alloc(32 * 1024 * 1024))],
  ] as const) {
    test(`closes a connection whose client reads nothing of an answer ${how} for 30 s`, async (t) => {
      const { limit, client, socket } = await ask(t, answer);
      client.pause();
      let written = -1;
      // The system buffers some of it.
      while (socket.bytesWritten !== written || written === 0) {
        written = socket.bytesWritten;
        await sleep(200);
      }
      limit.closeStalled(0);
      limit.closeStalled(29_999);
      assert.ok(!socket.destroyed);
      limit.closeStalled(30_000);
      assert.ok(socket.destroyed);
    });
  }
  test("keeps a connection whose client is reading an answer, however long it takes", async (t) => {
    const { limit, client, socket } = await ask(t, (response) => Readable.from(endless()).pipe(response));
    for (let n = 0; n < 5; n++) {
      limit.closeStalled(n * 40_000);
      assert.ok(!socket.destroyed);
      for (const end = client.bytesRead + 16 * 1024 * 1024; client.bytesRead < end; ) {
        client.resume();
        await once(client, "data");
      }
    }
  });
});
