import assert from "node:assert/strict";
import { acme } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { beAt, beAway, CustomerClient, customerApp } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_desk";

onBothEngines("customer service: sessions", (engine, test) => {
  const world = suiteWorld(
    engine,
    acme(customerApp(APP), customerApp("app_queue"), customerApp("app_idle")),
    LOOPBACK_CALLBACKS,
    LOOPBACK_NETWORK,
  );
  const app = new CustomerClient(world, APP);
  const queue = new CustomerClient(world, "app_queue");
  const create = (said: object) => app.value(app.post("session/create", said));
  const close = (said: object) => app.value(app.post("session/close", said));
  const assign = (said: object) => app.value(app.post("agent/assign", said));
  const info = (sessionId: number | string) => app.value(app.get("session/info", { sessionId }));
  const status = (agentId: string) => app.value(app.get("agent/status", { agentId }));
  const changesSince = async (from: number) =>
    (await app.events(from)).map((event) => [event.change, event.session.sessionId, event.previousAgentId]);

  test("setting: the application subscribes to session events", async () => {
    await subscribe(world(), APP, "https://receiver.test:1/", "customer.session.changed_v1");
  });
  test("session/create opens a session, once; session/info shows it", async () => {
    const visitorId = await app.newVisitor();
    const from = (await app.events()).length;
    const { isExisting, ...session } = await create({ visitorId, source: "网页", subject: "退款" });
    assert.equal(isExisting, false);
    assert.deepEqual(session, {
      sessionId: session.sessionId,
      visitorId,
      status: "QUEUED",
      agentId: null,
      agentName: null,
      source: "网页",
      subject: "退款",
      queuePosition: session.queuePosition,
      createdAt: world().clock.now(),
      assignedAt: null,
      firstReplyAt: null,
      closedAt: null,
      closedBy: null,
      rating: null,
    });
    assert.ok(Number.isSafeInteger(session.sessionId) && session.queuePosition >= 1);
    const again = await create({ visitorId, source: "other", subject: "other", agentId: "alice" });
    assert.deepEqual(again, { ...session, isExisting: true });
    for (const sessionId of [session.sessionId, String(session.sessionId)]) {
      assert.deepEqual(await info(sessionId), session);
    }
    assert.deepEqual(await changesSince(from), [["created", session.sessionId, null]]);
  });
  test("session/create for an agent assigns it to them, online or not", async () => {
    const visitorId = await app.newVisitor();
    const from = (await app.events()).length;
    const session = await create({ visitorId, agentId: "bob", source: null, subject: "" });
    const { sessionId } = session;
    const now = world().clock.now();
    assert.deepEqual(
      [session.status, session.agentId, session.agentName, session.assignedAt, session.queuePosition],
      ["ACTIVE", "bob", "Bob", now, null],
    );
    assert.deepEqual([session.source, session.subject], ["api", ""]);
    const changes = [
      ["created", sessionId, null],
      ["assigned", sessionId, null],
    ];
    assert.deepEqual(await changesSince(from), changes);
  });
  test("session/create: limits of source, subject and agentId", async () => {
    const visitorId = await app.newVisitor();
    for (const [field, longest] of [
      ["source", 64],
      ["subject", 256],
      ["agentId", 128],
    ] as const) {
      const refused = await app.post("session/create", { visitorId, [field]: "x".repeat(longest + 1) });
      assertRefused(refused, 400, "400006");
      assert.ok(refused.json.message.startsWith(field), refused.json.message);
    }
    assertSuccess(await app.post("session/create", { visitorId, source: "源".repeat(64), subject: "题".repeat(256) }));
  });
  test("session/close closes a session once, and the application is recorded as closing it", async () => {
    const { sessionId, visitorId } = await app.newSession();
    const from = (await app.events()).length;
    world().clock.turn(10);
    const closed = await close({ sessionId: String(sessionId), reason: "解决了" });
    const now = world().clock.now();
    assert.deepEqual(
      [closed.alreadyClosed, closed.status, closed.closedAt, closed.closedBy, closed.queuePosition],
      [false, "CLOSED", now, APP, null],
    );
    world().clock.turn(10);
    assert.deepEqual(await close({ sessionId, reason: "again" }), { ...closed, alreadyClosed: true });
    assert.deepEqual(await changesSince(from), [["closed", sessionId, null]]);
    const { db } = world().portico.ctx.storage;
    const row = await db
      .selectFrom("customer_sessions")
      .selectAll()
      .where("session_id", "=", sessionId)
      .executeTakeFirst();
    assert.equal(row?.close_reason, "解决了");
    const next = await create({ visitorId });
    assert.equal(next.isExisting, false);
    assert.ok(next.sessionId > sessionId);
    assertRefused(await app.post("session/close", { sessionId, reason: "x".repeat(513) }), 400, "400006");
  });

  test("agent/assign assigns a session, reassigns it, and changes nothing for its current agent", async () => {
    const { sessionId } = await app.newSession();
    const from = (await app.events()).length;
    const first = await assign({ sessionId, agentId: "alice" });
    assert.deepEqual([first.status, first.agentId, first.previousAgentId], ["ACTIVE", "alice", null]);
    world().clock.turn(5);
    const again = await assign({ sessionId: String(sessionId), agentId: "alice" });
    assert.deepEqual(again, { ...first, previousAgentId: "alice" });
    const passed = await assign({ sessionId, agentId: "bob" });
    assert.deepEqual(
      [passed.agentId, passed.previousAgentId, passed.assignedAt],
      ["bob", "alice", world().clock.now()],
    );
    assert.deepEqual(await changesSince(from), [
      ["assigned", sessionId, null],
      ["transferred", sessionId, "alice"],
    ]);
    const { previousAgentId: _, ...session } = passed;
    assert.deepEqual(await info(sessionId), session);
  });
  test("agent/assign without agentId takes the free agent with the fewest sessions, and refuses when nobody is free", async () => {
    const { sessionId } = await app.newSession();
    assertRefused(await app.post("agent/assign", { sessionId }), 409, "400400", "分配客服失败");
    await beAt(world(), APP, "u_alice", { status: "BUSY" });
    await beAt(world(), APP, "u_bob", { away: 45_000 });
    assertRefused(await app.post("agent/assign", { sessionId }), 409, "400400", "分配客服失败");
    await beAt(world(), APP, "u_bob", { max: 0 });
    assertRefused(await app.post("agent/assign", { sessionId }), 409, "400400", "分配客服失败");
    await beAt(world(), APP, "u_bob");
    assert.equal((await assign({ sessionId })).agentId, "bob");
    // Only its current agent is free.
    assertRefused(await app.post("agent/assign", { sessionId, agentId: null }), 409, "400400", "分配客服失败");
    await beAt(world(), APP, "u_alice", { max: 100 });
    const passed = await assign({ sessionId, agentId: "" });
    assert.deepEqual([passed.agentId, passed.previousAgentId], ["alice", "bob"]);
    await beAway(world(), APP);
  });
  test("a new visitor's message or session goes to a free agent, and closing a session assigns the oldest in the queue", async () => {
    await beAt(world(), "app_queue", "u_alice", { max: 1 });
    const [first, second, third] = [await queue.newSession(), await queue.newSession(), await queue.newSession()];
    const positionOf = async ({ sessionId }: { sessionId: number }) => {
      const { status, queuePosition } = await queue.value(queue.get("session/info", { sessionId }));
      return [status, queuePosition];
    };
    assert.deepEqual(await positionOf(first), ["ACTIVE", null]);
    assert.deepEqual(await positionOf(second), ["QUEUED", 1]);
    assert.deepEqual(await positionOf(third), ["QUEUED", 2]);
    await queue.value(queue.post("session/close", { sessionId: first.sessionId }));
    assert.deepEqual(await positionOf(second), ["ACTIVE", null]);
    assert.deepEqual(await positionOf(third), ["QUEUED", 1]);
    await queue.value(queue.post("agent/assign", { sessionId: second.sessionId, agentId: "bob" }));
    assert.deepEqual(await positionOf(third), ["ACTIVE", null]);
  });

  test("agent/status: the chosen status, whether the agent is online, and the number of sessions", async () => {
    const idle = new CustomerClient(world, "app_idle");
    const statusOf = (agentId: string) => idle.value(idle.get("agent/status", { agentId }));
    const nobodyYet = { exists: true, online: false, agentName: "Alice", status: "OFFLINE", activeSessions: 0 };
    assert.deepEqual(await statusOf("alice"), nobodyYet);
    await beAt(world(), "app_idle", "u_alice", { away: 44_999 });
    assert.deepEqual(await statusOf("alice"), { ...nobodyYet, online: true, status: "ONLINE" });
    world().clock.turn(1);
    assert.deepEqual(await statusOf("alice"), { ...nobodyYet, status: "ONLINE" });
    await beAt(world(), "app_idle", "u_alice", { status: "BUSY" });
    assert.deepEqual(await statusOf("alice"), { ...nobodyYet, status: "BUSY" });
    const sessions = [await idle.newSession({ agentId: "alice" }), await idle.newSession({ agentId: "alice" })];
    assert.equal((await statusOf("alice")).activeSessions, 2);
    await idle.value(idle.post("session/close", { sessionId: sessions[0]?.sessionId }));
    assert.equal((await statusOf("alice")).activeSessions, 1);
    assert.equal((await status("alice")).status, "OFFLINE");
  });
});
