import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { ApiError } from "@portico/protocol";
import Fastify from "fastify";
import { Refusal } from "../../platform/errors/refusal.ts";
import { readUnreadBodies } from "../../platform/http/unread-bodies.ts";
import { paceRefusals } from "./pace-refusals.ts";

const settled = () => new Promise(setImmediate);

const SIGNATURE = {
  lines: [],
  truncated: false,
  bodyHash: "",
  contentType: null,
  received: { length: 0, form: "empty" },
  mistakes: null,
};

type Refused = "UNAUTHENTICATED" | "QUOTA_EXCEEDED";

/** A server that refuses calls with the error that their path names. */
async function refusing(t: TestContext, errorOf = (code: Refused): Error => new ApiError(code)) {
  const server = Fastify();
  server.decorateRequest("clientAddress", "192.0.2.1");
  readUnreadBodies(server);
  let now = 0;
  paceRefusals(server, () => now);
  server.get<{ Params: { error: Refused } }>("/:error", async ({ params }) => {
    throw errorOf(params.error);
  });
  await server.ready();
  t.after(() => server.close());
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let answered = 0;
  const call = (error: Refused, headers: Record<string, string> = {}) => {
    void server.inject({ url: `/${error}`, headers }).then(() => answered++);
  };
  const answers = async () => {
    for (let turn = 0; turn < 10; turn++) await settled();
    return answered;
  };
  const pass = (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  return { server, call, answers, pass };
}

describe("refusals of strangers", () => {
  test("are answered one a millisecond, the first at once", async (t) => {
    const { call, answers, pass } = await refusing(t);
    for (let n = 0; n < 3; n++) call("UNAUTHENTICATED");
    assert.equal(await answers(), 1);
    pass(1);
    assert.equal(await answers(), 2);
    pass(1);
    assert.equal(await answers(), 3);
  });
  test("do not delay those of known callers", async (t) => {
    const { call, answers } = await refusing(t);
    for (let n = 0; n < 3; n++) call("UNAUTHENTICATED");
    for (let n = 0; n < 3; n++) call("QUOTA_EXCEEDED");
    assert.equal(await answers(), 4);
  });
  test("wait only as long as their heads take no more than 8 MiB", async (t) => {
    const { call, answers } = await refusing(t);
    const fill = "x".repeat(1024 * 1024);
    for (let n = 0; n < 10; n++) call("UNAUTHENTICATED", { fill });
    assert.equal(await answers(), 3);
  });
  test("that are asked for on one connection without waiting for answers close it", async (t) => {
    const { server, answers } = await refusing(t);
    await server.listen({ port: 0, host: "127.0.0.1" });
    const call = "GET /UNAUTHENTICATED HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1", () => socket.write(call.repeat(18)));
    await once(socket.resume(), "close");
    await answers();
  });
  test("are all answered when the server closes", async (t) => {
    const { server, call, answers } = await refusing(t);
    for (let n = 0; n < 3; n++) call("UNAUTHENTICATED");
    assert.equal(await answers(), 1);
    await server.close();
    assert.equal(await answers(), 3);
  });
});

describe("a body whose signature does not match", () => {
  /** Refuses two calls with a body of a length: what the second keeps while it waits. */
  async function waitingWith(t: TestContext, bodyLength: number) {
    const kept: boolean[] = [];
    const { server, call, answers } = await refusing(t, () => {
      const details = { ...SIGNATURE, bodyLength };
      const refusal = { check: "signature", details } as const;
      const error = new Refusal("UNAUTHENTICATED", refusal, { inquire: () => refusal });
      setImmediate(() => kept.push(error.inquire !== undefined));
      return error;
    });
    for (let n = 0; n < 2; n++) call("UNAUTHENTICATED");
    await answers();
    await server.close();
    return kept;
  }

  test("is kept for its developer when it is answered at once, or short", async (t) => {
    assert.deepEqual(await waitingWith(t, 16 * 1024), [true, true]);
  });
  test("is not kept for the time of its waiting when it is long", async (t) => {
    assert.deepEqual(await waitingWith(t, 16 * 1024 + 1), [true, false]);
  });
});
