import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PorticoClient, type VisitorMessageRequest } from "@portico/sdk";
import { acme, credentialsOf } from "../../server/test/support/acme.ts";
import { customerApp } from "../../server/test/support/customer-acme.ts";
import { sqlite } from "../../server/test/support/engines.ts";
import { suiteWorld } from "../../server/test/support/world.ts";
import { answer, CREDENTIAL, startService } from "./service.ts";

const APP = "app_sdk_desk";

describe("customer service against the service", () => {
  const world = suiteWorld(sqlite, acme(customerApp(APP, { visitors: [] })));
  const customer = () => {
    const clock = () => world().clock.now();
    return new PorticoClient({ ...credentialsOf(APP), baseUrl: world().url, clock, maxRetries: 0 }).customer;
  };
  const newVisitor = async (thirdUserId: string) => (await customer().authVisitor({ thirdUserId })).visitorId;

  test("a visitor is created with a token, updated, and read again", async () => {
    const made = await customer().authVisitor({ thirdUserId: "c-1", nickname: "Ann", extra: { level: 3 } });
    assert.equal(made.isNew, true);
    assert.match(made.visitorToken, /^[\w-]{43}$/);
    assert.equal(made.expiresAt, world().clock.now() + 2 * 3_600_000);
    const { isNew, ...changed } = await customer().authVisitor({ thirdUserId: "c-1", phone: "139" });
    assert.equal(isNew, false);
    const found = await customer().getVisitor(made.visitorId);
    assert.deepEqual(
      [changed.visitorId, found.nickname, found.phone, found.extra, found.currentSessionId],
      [made.visitorId, "Ann", "139", { level: 3 }, null],
    );
  });
  test("visitor and agent exchange messages in a session, from opening to closing", async () => {
    const visitorId = await newVisitor("c-2");
    const asked = await customer().sendMessage({ visitorId, content: "hello", thirdMsgId: "m-1" });
    assert.deepEqual([asked.seq, asked.isDuplicate], [1, false]);
    const again = await customer().sendMessage({ visitorId, content: "hello", thirdMsgId: "m-1" });
    assert.deepEqual(again, { ...asked, isDuplicate: true });
    const { sessionId } = asked;
    const assigned = await customer().assignAgent({ sessionId, agentId: "alice" });
    assert.deepEqual([assigned.status, assigned.agentId, assigned.previousAgentId], ["ACTIVE", "alice", null]);
    await customer().sendAgentMessage({ agentId: "alice", visitorId, sessionId, msgType: "text", content: "hi" });
    const { records, total } = await customer().listMessages({
      visitorId,
      sessionId,
      afterSeq: 0,
      page: 1,
      pageSize: 10,
    });
    assert.deepEqual(
      records.map(({ senderType, agentId, content }) => [senderType, agentId, content]),
      [
        ["VISITOR", null, "hello"],
        ["AGENT", "alice", "hi"],
      ],
    );
    assert.equal(total, 2);
    const existing = await customer().createSession({ visitorId, subject: "Order" });
    assert.deepEqual([existing.sessionId, existing.isExisting], [sessionId, true]);
    assert.equal((await customer().closeSession({ sessionId, reason: "done" })).alreadyClosed, false);
    assert.equal((await customer().closeSession({ sessionId })).alreadyClosed, true);
    assert.equal((await customer().getSession(sessionId)).status, "CLOSED");
    const next = await customer().createSession({ visitorId, agentId: "bob", source: "app", subject: "Order" });
    assert.deepEqual([next.isExisting, next.agentId, next.source, next.subject], [false, "bob", "app", "Order"]);
  });
  test("the status of an agent, and of an account that is no agent", async () => {
    const { exists, online, agentName, activeSessions } = await customer().getAgentStatus("alice");
    assert.deepEqual([exists, online, agentName, typeof activeSessions], [true, false, "Alice", "number"]);
    const unknown = { exists: false, online: false, agentName: null, status: null, activeSessions: 0 };
    assert.deepEqual(await customer().getAgentStatus("no body/?&"), unknown);
  });
  test("unknown ids are refused with the codes of customer service", async () => {
    await assert.rejects(customer().getVisitor("v_0"), { name: "ApiRefusedError", code: "400100" });
    await assert.rejects(customer().getSession(1e9), { name: "ApiRefusedError", code: "400300" });
    await assert.rejects(customer().closeSession({ sessionId: 1e9 }), { code: "400300" });
    await assert.rejects(customer().assignAgent({ sessionId: 1e9, agentId: "alice" }), { code: "400400" });
    const visitorId = await newVisitor("c-3");
    await assert.rejects(customer().sendAgentMessage({ agentId: "zed", visitorId, content: "x" }), { code: "400401" });
    assert.deepEqual(await customer().listMessages({ visitorId: "v_0" }), { records: [], total: 0 });
  });
});

describe("calls of customer service", () => {
  const clientOf = (baseUrl: string) =>
    new PorticoClient({ ...CREDENTIAL, baseUrl, sleep: async () => {}, random: () => 0 }).customer;
  const SENT = { messageId: 1, sessionId: 2, seq: 3, isDuplicate: false };
  const SESSION = {
    sessionId: 2,
    visitorId: "v_1",
    status: "ACTIVE",
    agentId: "alice",
    agentName: "Alice",
    source: "api",
    subject: "",
    queuePosition: null,
    createdAt: 1,
    assignedAt: 2,
    firstReplyAt: null,
    closedAt: null,
    closedBy: null,
    rating: null,
    previousAgentId: null,
  };
  const AWAY = { exists: false, online: false, agentName: null, status: null, activeSessions: 0 };

  test("all tries of a message carry one thirdMsgId, which is generated when absent", async () => {
    await using service = await startService((response, index) =>
      index % 2 === 0 ? answer(response, 500, "500000") : answer(response, 200, "000000", SENT),
    );
    const customer = clientOf(service.baseUrl);
    const said: VisitorMessageRequest = { visitorId: "v_1", content: "hi" };
    assert.deepEqual(await customer.sendMessage(said), SENT);
    assert.deepEqual(await customer.sendAgentMessage({ ...said, agentId: "alice" }), SENT);
    const bodies = service.requests.map(({ body }) => JSON.parse(body));
    const ids = bodies.map(({ thirdMsgId }) => thirdMsgId);
    assert.deepEqual([ids[0], ids[2]], [ids[1], ids[3]]);
    assert.notEqual(ids[0], ids[2]);
    assert.ok(service.requests.every(({ signatureMatches }) => signatureMatches));
  });
  test("assigning to any free agent is not retried after an internal error; assigning to a named agent is", async () => {
    await using service = await startService((response, index) =>
      index < 2 ? answer(response, 500, "500000") : answer(response, 200, "000000", SESSION),
    );
    const customer = clientOf(service.baseUrl);
    await assert.rejects(customer.assignAgent({ sessionId: 2 }), { code: "500000" });
    assert.deepEqual(await customer.assignAgent({ sessionId: 2, agentId: "alice" }), SESSION);
    assert.equal(service.requests.length, 3);
  });
  test("queries are encoded, and absent parameters are omitted", async () => {
    await using service = await startService((response) =>
      answer(response, 200, "000000", { records: [], total: 0, ...AWAY }),
    );
    const customer = clientOf(service.baseUrl);
    await customer.listMessages({ visitorId: "v 1&x", page: 2 });
    await customer.getAgentStatus("李");
    assert.deepEqual(
      service.requests.map(({ url }) => url),
      ["/api/open/v1/message/list?visitorId=v%201%26x&page=2", "/api/open/v1/agent/status?agentId=%E6%9D%8E"],
    );
    assert.ok(service.requests.every(({ signatureMatches }) => signatureMatches));
  });
  test("a success without the promised value is a transport failure", async () => {
    await using service = await startService((response) => answer(response, 200, "000000", { sessionId: "2" }));
    const customer = clientOf(service.baseUrl);
    for (const call of [
      () => customer.authVisitor({ thirdUserId: "c" }),
      () => customer.getVisitor("v_1"),
      () => customer.sendMessage({ visitorId: "v_1", content: "x" }),
      () => customer.sendAgentMessage({ agentId: "a", visitorId: "v_1", content: "x" }),
      () => customer.listMessages({ visitorId: "v_1" }),
      () => customer.createSession({ visitorId: "v_1" }),
      () => customer.closeSession({ sessionId: 2 }),
      () => customer.getSession(2),
      () => customer.assignAgent({ sessionId: 2 }),
      () => customer.getAgentStatus("a"),
    ]) {
      await assert.rejects(call, { name: "TransportError" });
    }
  });
});
