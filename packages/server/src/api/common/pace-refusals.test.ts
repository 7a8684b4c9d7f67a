import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { ApiError } from "@portico/protocol";
import Fastify from "fastify";
import { readUnreadBodies } from "../../platform/http/unread-bodies.ts";
import { paceRefusals } from "./pace-refusals.ts";

const settled = () => new Promise(setImmediate);

type Refused = "UNAUTHENTICATED" | "QUOTA_EXCEEDED";

/** A server that refuses calls with the error that their path names. */
async function refusing(t: TestContext) {
  const server = Fastify();
  server.decorateRequest("clientAddress", "192.0.2.1");
  readUnreadBodies(server);
  paceRefusals(server);
  server.get<{ Params: { error: Refused } }>("/:error", async ({ params }) => {
    throw new ApiError(params.error);
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
  return { server, call, answers };
}

describe("refusals of strangers", () => {
  test("are answered one a millisecond, the first at once", async (t) => {
    const { call, answers } = await refusing(t);
    for (let n = 0; n < 3; n++) call("UNAUTHENTICATED");
    assert.equal(await answers(), 1);
    t.mock.timers.tick(1);
    assert.equal(await answers(), 2);
    t.mock.timers.tick(1);
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
  test("are all answered when the server closes", async (t) => {
    const { server, call, answers } = await refusing(t);
    for (let n = 0; n < 3; n++) call("UNAUTHENTICATED");
    assert.equal(await answers(), 1);
    await server.close();
    assert.equal(await answers(), 3);
  });
});
