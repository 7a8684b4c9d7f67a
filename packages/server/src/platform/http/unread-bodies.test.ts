import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { UnreadBodies } from "./unread-bodies.ts";

const KIB = 1024;
/** The bytes read per turn, including those that a connection reads ahead. */
const MOST_OF_A_TURN = 2 * 64 * KIB;

/** A server that does not read bodies, and a request to it with a body of `length` bytes. */
async function bring(t: TestContext, length: number): Promise<IncomingMessage> {
  const unread = new UnreadBodies();
  const server = createServer((request, response) => {
    unread.discard(request);
    response.writeHead(429).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  t.after(() => {
    unread.close();
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.resume();
  client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  client.write(Buffer.alloc(length));
  const [request]: [IncomingMessage] = (await once(server, "request")) as [IncomingMessage];
  return request;
}

describe("a body that nobody wants", () => {
  test("a short rest is read at once", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    await once(await bring(t, 32 * KIB), "end");
  });
  test("a long rest is read one piece per turn, and nothing in between", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const length = 2 * 1024 * KIB;
    const request = await bring(t, length);
    let turns = 0;
    const over = once(request, "end").then(() => true);
    for (;;) {
      const isOver = await Promise.race([over, once(request.socket, "pause").then(() => false)]);
      if (isOver) break;
      assert.equal(request.readableLength, 0, "nothing is kept of it");
      t.mock.timers.tick(16);
      turns++;
    }
    assert.ok(turns >= length / MOST_OF_A_TURN - 1, `it took ${turns} turns`);
  });
});
