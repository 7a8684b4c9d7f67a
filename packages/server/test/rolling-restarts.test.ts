import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { signRequest } from "@portico/protocol/signature";
import { APPS, acme, alice, botApp, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { BalancedProcesses } from "./support/balanced-processes.ts";
import { postgres } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { StreamClient } from "./support/stream-client.ts";
import { until } from "./support/webhooks.ts";

const PROCESSES = 2;
const CALLERS = 6;
/** Calls of each caller before the next process is replaced, and after the last one was. */
const CALLS_BETWEEN = 15;
/** What a caller needs to go on after an answer; with it a kept connection is idle at times. */
const PAUSE_MS = 2;

/** A balancer that asks so often notices within this that a process is to stop. */
const CHECK_EVERY_MS = 50;
const STOP_DELAY = { PORTICO_STOP_DELAY: "500ms" };

interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** A call of the open API. */
function signed(method: string, path: string, body = ""): Call {
  const timestamp = Date.now();
  const sealed = { ...credentialsOf("app_bot"), method, path, rawQuery: "", timestamp, nonce: randomUUID(), body };
  const type: Record<string, string> = body === "" ? {} : { "content-type": "application/json" };
  return { method, path, headers: { ...signRequest(sealed).headers, ...type }, ...(body !== "" && { body }) };
}

/** Calls of each kind, in turn, by a caller whose connections are kept or not; rejects when one does not succeed. */
async function callOnce(url: string, agent: Agent | false, { method, path, headers, body }: Call): Promise<void> {
  const status = await new Promise<number>((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = request(url + path, { method, headers: { ...headers, ...length }, agent });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      response.resume();
      response.on("error", reject);
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    outgoing.end(body);
  });
  assert.equal(status, 200, `${method} ${path}`);
}

describe("processes that are replaced one after another", { skip: postgres.missing ?? false }, () => {
  test("no call fails, of callers with a connection for each call and of those that keep theirs", async (t) => {
    await using opened = new AsyncDisposableStack();
    const service = await BalancedProcesses.start(PROCESSES, acme(botApp("app_bot")), STOP_DELAY, opened);
    service.balancer.check(CHECK_EVERY_MS);
    const { url } = service;
    const { token } = await MemberClient.signIn({ url }, alice);
    const asMember = (method: string, path: string, body?: unknown): Call => ({
      method,
      path: `/api/client/v1/${path}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const kinds: (() => Call)[] = [
      () => signed("POST", MESSAGES, textBody(randomUUID())),
      () => signed("GET", APPS),
      () =>
        asMember("POST", "conversations/group:g_team/messages", { msgType: "text", content: { text: randomUUID() } }),
      () => asMember("GET", "conversations"),
      () => asMember("GET", "conversations/group:g_team/messages?limit=5"),
    ];
    const failures: string[] = [];
    let calls = 0;
    let isOver = false;
    opened.defer(() => {
      isOver = true;
    });
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      const agent = caller % 2 === 0 ? false : new Agent({ keepAlive: true, maxSockets: 1 });
      for (let n = caller; !isOver; n++, calls++) {
        const call = kinds[n % kinds.length]?.() ?? signed("GET", APPS);
        await callOnce(url, agent, call).catch((error) => {
          failures.push(`${agent ? "kept" : "new"} connection, ${call.method} ${call.path}: ${error}`);
        });
        await setTimeout(PAUSE_MS);
      }
      if (agent) agent.destroy();
    });
    const moreCalls = async () => {
      const before = calls;
      await until(() => calls >= before + CALLERS * CALLS_BETWEEN, "more calls");
    };
    await moreCalls();
    for (let index = 0; index < PROCESSES; index++) {
      assert.equal(await service.replaceInOrder(index), 0);
      await moreCalls();
    }
    isOver = true;
    await Promise.all(callers);
    t.diagnostic(`${calls} calls`);
    assert.deepEqual(failures, []);
    const stream = await StreamClient.open(url, token);
    await stream.close();
  });
});
