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
  test("closes connections with long unfinished heads, the oldest first, when they take more than 8 MiB", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { sockets, open } = await listen(t);
    const long = `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(15 * 1024)}`;
    await open(10, "GET / HTTP/1.1\r\nX-A: ");
    await open(520, long);
    // The beginning of a head counts also behind a whole request, in the same packet.
    await open(100, CALL + long);
    assert.ok(sockets.every(({ destroyed }) => !destroyed));
    t.mock.timers.tick(100);
    const closed = sockets.map(({ destroyed }) => destroyed);
    const [excess, rest] = [closed.indexOf(true), closed.lastIndexOf(true)];
    assert.equal(excess, 10, "short heads are left alone");
    const bytes = (closed.filter((isClosed) => !isClosed).length - excess) * long.length;
    assert.ok(bytes <= 8 * 1024 * 1024 && bytes > 8 * 1024 * 1024 - 2 * long.length, `${bytes} bytes are left`);
    assert.ok(closed.slice(10, rest + 1).every(Boolean), "no newer one is closed before an older one");
  });
  test("closes no connection for the rest of a refused body, or for calls that have been answered", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { sockets, open } = await listen(t);
    await open(20, `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n${"x".repeat(1_000_000)}`);
    await open(600, `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 16000\r\n\r\n${"x".repeat(16_000)}`);
    t.mock.timers.tick(100);
    assert.ok(sockets.every(({ destroyed }) => !destroyed));
  });
});

const CALL = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** A server that answers at once, whatever is still arriving; `open` opens connections that send a text. */
async function listen(t: TestContext) {
  const limit = new ConnectionLimit(10_000);
  const server = createServer((request, response) => {
    request.resume();
    response.once("finish", () => limit.answered(request, response)).end("ok");
  });
  limit.watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const clients: Socket[] = [];
  t.after(() => {
    for (const client of clients) client.destroy();
    server.closeAllConnections();
    server.close();
  });
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  const open = async (count: number, text: string) => {
    for (let n = 0; n < count; n++) {
      const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
        .on("error", () => {})
        .resume();
      clients.push(client);
      const accepted = once(server, "connection") as Promise<[Socket]>;
      client.write(text);
      const [socket] = await accepted;
      while (socket.bytesRead < text.length) await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
  };
  return { sockets, open };
}
