import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import Fastify from "fastify";
import { sendInSlices } from "./answer.ts";
import { InSlices } from "./in-slices.ts";
import { JsonItems } from "./json-items.ts";
import { JsonText } from "./json-text.ts";
import { newTrace } from "./trace.ts";

interface Value {
  items: unknown[];
  total: number;
}

/** A service whose only answer is `value`. Returns its final trace, too. */
async function serve(t: TestContext, value: InSlices<Value>) {
  const trace = newTrace(0);
  const server = Fastify({ genReqId: () => "req" });
  server.get("/", async (request, reply) => {
    request.trace = trace;
    return await sendInSlices(request, reply, value);
  });
  await server.listen({ port: 0, host: "127.0.0.1" });
  t.after(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, trace };
}

async function* repeated(slice: unknown[], times: number, onRead: () => void = () => {}): AsyncGenerator<JsonItems> {
  for (let n = 0; n < times; n++) {
    onRead();
    yield JsonItems.of(slice);
  }
}

/** A client that sends a request and does not read the answer. */
async function stalledClient(t: TestContext, port: number): Promise<Socket> {
  const client = connect(port, "127.0.0.1").on("error", () => {});
  t.after(() => client.destroy());
  client.pause();
  await once(client, "connect");
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  return client;
}

const LARGE = "x".repeat(64 * 1024);

describe("a list that is read while it is written", () => {
  test("equals the ordinary envelope, whatever its size", async (t) => {
    const cases: [InSlices<Value>, string][] = [
      [InSlices.of<Value, "items">("items", repeated([], 2), { total: 0 }), '{"items":[],"total":0}'],
      [
        InSlices.of<Value, "items">("items", repeated([1, new JsonText("2.0")], 2), { total: 4 }),
        '{"items":[1,2.0,1,2.0],"total":4}',
      ],
      [
        InSlices.of<Value, "items">("items", repeated([LARGE, "é"], 3), { total: 6 }),
        JSON.stringify({ items: [LARGE, "é", LARGE, "é", LARGE, "é"], total: 6 }),
      ],
    ];
    for (const [value, text] of cases) {
      const { url, trace } = await serve(t, value);
      const answer = await fetch(url);
      assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
      assert.equal(await answer.text(), `{"code":"000000","message":"success","value":${text},"reqNo":"req"}`);
      assert.equal(trace.code, "000000");
    }
  });
  test("is read at the pace of its reader, and no further after the reader has disconnected", async (t) => {
    const slices = 2_000;
    let [read, isOver] = [0, false];
    const value = InSlices.of<Value, "items">(
      "items",
      repeated([LARGE], slices, () => read++),
      { total: 0 },
    ).finally(() => {
      isOver = true;
    });
    const { port } = await serve(t, value);
    const client = await stalledClient(t, port);
    // Bytes in the connection's buffers count as read.
    for (let before = -1; read === 0 || before !== read; await new Promise((resolve) => setTimeout(resolve, 100))) {
      before = read;
    }
    assert.ok(read < slices / 2, `${read} of ${slices}`);
    assert.ok(!isOver);
    client.destroy();
    while (!isOver) await new Promise(setImmediate);
  });
  test("an error before anything is sent is answered like any other", async (t) => {
    async function* failing(): AsyncGenerator<JsonItems> {
      yield JsonItems.of(["small"]);
      throw new Error("no database");
    }
    const { url } = await serve(t, InSlices.of<Value, "items">("items", failing(), { total: 0 }));
    assert.equal((await fetch(url)).status, 500);
  });
  test("an error in the middle closes the connection, and the trace records it", async (t) => {
    async function* failing(): AsyncGenerator<JsonItems> {
      yield* repeated([LARGE], 4);
      throw new Error("no database");
    }
    let isOver = false;
    const value = InSlices.of<Value, "items">("items", failing(), { total: 0 }).finally(() => {
      isOver = true;
    });
    const { url, trace } = await serve(t, value);
    const answer = await fetch(url);
    assert.equal(answer.status, 200);
    await assert.rejects(answer.text());
    assert.ok(isOver);
    assert.equal(trace.code, "500000");
    assert.match(String(trace.failure), /no database/);
  });
});
