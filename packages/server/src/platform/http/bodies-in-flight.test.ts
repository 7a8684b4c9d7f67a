import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import { BodiesInFlight } from "./bodies-in-flight.ts";

const SENDER = { caller: "app", address: "127.0.0.1" };
const MOST = 1_024;

/** Sends each text as a request by a connection of its own; returns what `receive` made of each. */
async function bring<T>(
  t: TestContext,
  texts: string[],
  receive: (request: IncomingMessage, bodies: BodiesInFlight) => Promise<T>,
): Promise<T[]> {
  const bodies = new BodiesInFlight({ mostBytes: 1024 * MOST, withinMs: 10_000 });
  const results: Promise<T>[] = [];
  const server = createServer((request, response) => {
    const result = receive(request, bodies);
    results.push(result);
    void result.finally(() => response.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    bodies.close();
    server.closeAllConnections();
    server.close();
  });
  for (const text of texts) {
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.write(text);
    await once(client, "data");
    client.destroy();
  }
  return await Promise.all(results);
}

const post = (fields: string, body: string) => `POST / HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n${body}`;

test("a body that comes with its head is taken without listeners, and its request ends with its call", async (t) => {
  const [taken] = await bring(t, [post("Content-Length: 5", "small")], async (request, bodies) => {
    const heard: string[] = [];
    request.on("newListener", (event) => heard.push(String(event)));
    const body = await bodies.read(request, SENDER, MOST);
    const isHeard = heard.includes("data");
    const isEndedBefore = request.readableEnded;
    await new Promise(setImmediate);
    const text = body.bytes.toString();
    const ended = once(request, "end");
    body[Symbol.dispose]();
    await ended;
    return { text, isHeard, isEndedBefore, held: bodies.bytes };
  });
  assert.deepEqual(taken, { text: "small", isHeard: false, isEndedBefore: false, held: 0 });
});

test("a body in pieces or of no announced length is whole, and a longer one than allowed is refused", async (t) => {
  const long = "x".repeat(MOST + 1);
  const texts = [
    post("Transfer-Encoding: chunked", "2\r\nsm\r\n3\r\nall\r\n0\r\n\r\n"),
    post("Content-Length: 0", ""),
    post(`Content-Length: ${long.length}`, long),
  ];
  const got = await bring(t, texts, async (request, bodies) => {
    const read = bodies.read(request, SENDER, MOST);
    return await read.then(
      (body) => {
        body[Symbol.dispose]();
        return body.bytes.toString();
      },
      (error: { code?: string }) => error.code,
    );
  });
  assert.deepEqual(got, ["small", "", "413001"]);
});
