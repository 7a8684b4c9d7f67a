import assert from "node:assert/strict";
import { sql } from "kysely";
import { dismissAgent } from "../src/domain/customer-service/agent-presence.ts";
import { findAgent } from "../src/domain/customer-service/agent-store.ts";
import { atDesk } from "../src/domain/customer-service/at-desk.ts";
import { acme, credentialsOf } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CustomerClient, customerApp, V1 } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { sendSigned } from "./support/http.ts";
import { LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_desk";
const MANY = 50;
const ROUNDS = 4;

onBothEngines("customer service: races", (engine, test) => {
  const world = suiteWorld(
    engine,
    acme(customerApp(APP, { agents: ["alice", "bob", "carol"] })),
    LOOPBACK_CALLBACKS,
    LOOPBACK_NETWORK,
  );
  const app = new CustomerClient(world, APP);
  const many = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: MANY }, (_, n) => work(n)));
  const changesSince = async (from: number, sessionId: number) =>
    (await app.events(from)).filter(({ session }) => session?.sessionId === sessionId).map(({ change }) => change);

  test("setting: the application listens", async () => {
    for (const type of ["customer.message.created_v1", "customer.session.changed_v1"] as const) {
      await subscribe(world(), APP, "https://receiver.test:1/", type);
    }
  });
  test("50 concurrent session/create for one visitor open one session", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const visitorId = await app.newVisitor();
      const from = (await app.events()).length;
      const agents = [undefined, "alice", "bob"];
      const values = await many((n) => app.value(app.post("session/create", { visitorId, agentId: agents[n % 3] })));
      assert.equal(new Set(values.map(({ sessionId }) => sessionId)).size, 1);
      assert.equal(values.filter(({ isExisting }) => !isExisting).length, 1);
      const changes = await changesSince(from, values[0].sessionId);
      assert.equal(changes.filter((change) => change === "created").length, 1);
      assert.ok(changes.length <= 2);
    }
  });
  test("50 concurrent first messages of one visitor, of both sides, open one session", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const visitorId = await app.newVisitor();
      const from = (await app.events()).length;
      const paths = ["message/send", "agent/message/send", "session/create"];
      const said = { visitorId, content: "x", agentId: "alice" };
      const values = await many((n) => app.value(app.post(paths[n % 3] ?? "", said)));
      assert.equal(new Set(values.map(({ sessionId }) => sessionId)).size, 1);
      const sessionId = values[0].sessionId;
      const changes = (await changesSince(from, sessionId)).filter((change) => change !== undefined);
      assert.deepEqual(changes, ["created", "assigned"]);
    }
  });
  for (const [path, senderType] of [
    ["message/send", "VISITOR"],
    ["agent/message/send", "AGENT"],
  ] as const) {
    test(`50 concurrent ${path} with one thirdMsgId: one message, one event`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const visitorId = await app.newVisitor();
        const from = (await app.events()).length;
        const said = { visitorId, agentId: "alice", content: "once", thirdMsgId: `race ${senderType} ${round}` };
        const values = await many(() => app.value(app.post(path, said)));
        assert.equal(new Set(values.map(({ messageId }) => messageId)).size, 1);
        assert.equal(values.filter(({ isDuplicate }) => !isDuplicate).length, 1);
        const told = (await app.events(from)).filter(({ eventType }) => eventType === "customer.message.created_v1");
        assert.deepEqual(
          told.map(({ message }) => [message.messageId, message.senderType]),
          [[values[0].messageId, senderType]],
        );
      }
    });
  }
  test("50 concurrent session/close close it once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { sessionId } = await app.newSession();
      const from = (await app.events()).length;
      const values = await many(() => app.value(app.post("session/close", { sessionId })));
      assert.equal(values.filter(({ alreadyClosed }) => !alreadyClosed).length, 1);
      assert.deepEqual(await changesSince(from, sessionId), ["closed"]);
    }
  });
  for (const [what, agents] of [
    ["different agents", ["alice", "bob"]],
    ["one agent", ["alice"]],
  ] as const) {
    test(`50 concurrent agent/assign to ${what}: one succeeds, one event`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { sessionId } = await app.newSession();
        const from = (await app.events()).length;
        const answers = await many((n) => app.post("agent/assign", { sessionId, agentId: agents[n % agents.length] }));
        const winners = answers.filter(({ status }) => status === 200);
        for (const answer of answers) {
          if (answer.status !== 200) assertRefused(answer, 409, "400400", "分配客服失败");
        }
        assert.equal(winners.length, 1);
        assert.deepEqual(await changesSince(from, sessionId), ["assigned"]);
        const { agentId } = winners[0]?.json.value ?? {};
        assert.equal((await app.value(app.get("session/info", { sessionId }))).agentId, agentId);
        const later = await app.post("agent/assign", { sessionId, agentId });
        assertSuccess(later);
        assert.equal(later.json.value.previousAgentId, agentId);
        assert.deepEqual(await changesSince(from, sessionId), ["assigned"]);
      }
    });
  }
  test("concurrent close, assign and messages: a closed session stays closed, and gets no later message", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { sessionId, visitorId } = await app.newSession();
      const from = (await app.events()).length;
      const answers = await many((n) => {
        if (n === 20) return app.post("session/close", { sessionId });
        if (n % 5 === 0) return app.post("agent/assign", { sessionId, agentId: n % 2 === 0 ? "alice" : "bob" });
        const path = n % 2 === 0 ? "message/send" : "agent/message/send";
        return app.post(path, { visitorId, content: `${n}`, agentId: "alice" });
      });
      for (const { status, text } of answers) assert.ok([200, 409].includes(status), text);
      const events = await app.events(from);
      const closedAt = events.findIndex((event) => event.change === "closed");
      assert.ok(closedAt >= 0);
      assert.ok(events.slice(closedAt + 1).every((event) => event.session.sessionId !== sessionId));
      assert.equal((await app.value(app.get("session/info", { sessionId }))).status, "CLOSED");
      const { records, total } = await app.value(app.get("message/list", { visitorId, pageSize: 100 }));
      assert.equal(total, answers.filter(({ status, json }) => status === 200 && json.value.seq !== undefined).length);
      const order = records.map((record: { sessionId: number }) => record.sessionId);
      assert.deepEqual(order, order.toSorted());
    }
  });
  if (engine.name === "postgres") {
    test("two processes: of 50 concurrent agent/assign one succeeds", async () => {
      const urls = [world().url, (await world().start()).url];
      for (let round = 0; round < ROUNDS; round++) {
        const { sessionId } = await app.newSession();
        const from = (await app.events()).length;
        const answers = await many((n) => {
          const body = JSON.stringify({ sessionId, agentId: ["alice", "bob"][n % 2] });
          const sending = { method: "POST", target: `${V1}/agent/assign`, timestamp: world().clock.now(), body };
          return sendSigned(urls[n % 2] ?? "", credentialsOf(APP), sending);
        });
        assert.equal(answers.filter(({ status }) => status === 200).length, 1);
        assert.equal(answers.filter(({ status }) => status === 409).length, MANY - 1);
        assert.deepEqual(await changesSince(from, sessionId), ["assigned"]);
      }
    });
    for (const path of ["session/create", "agent/message/send"]) {
      test(`two processes: ${path} for an agent who is being removed assigns no session to them`, async () => {
        const { ctx } = world().portico;
        const { db } = ctx.storage;
        await ctx.storage.write(async (tx) => {
          const carol = { app_id: APP, user_id: "u_carol" };
          await tx
            .insertInto("app_agents")
            .values(carol)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        });
        const visitorId = await app.newVisitor();
        const held = Promise.withResolvers<void>();
        const goOn = Promise.withResolvers<void>();
        // As another process does: not in a lane that the call would wait in.
        const removed = atDesk(
          ctx,
          APP,
          async (desk, tx) => {
            await desk.lock();
            held.resolve();
            await goOn.promise;
            const agent = await findAgent(tx, APP, "carol");
            if (agent !== null) await dismissAgent(desk, tx, { appId: APP, agent, now: ctx.clock.now() });
          },
          "elsewhere",
        );
        await held.promise;
        const answer = app.post(path, { visitorId, agentId: "carol", content: "x" });
        const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        while ((await waiting.execute(db)).rows[0]?.n === 0) await new Promise((resolve) => setImmediate(resolve));
        goOn.resolve();
        await removed;
        assertRefused(await answer, 404, "400401", "客服账号不存在");
        assert.equal((await app.value(app.get("visitor/info", { visitorId }))).currentSessionId, null);
      });
    }
    test("two processes: 50 concurrent session/create, session/close and first messages have one effect each", async () => {
      const urls = [world().url, (await world().start()).url];
      const post = (n: number, path: string, said: object) => {
        const sending = { method: "POST", target: `${V1}/${path}`, timestamp: world().clock.now() };
        return sendSigned(urls[n % 2] ?? "", credentialsOf(APP), { ...sending, body: JSON.stringify(said) });
      };
      const visitorId = await app.newVisitor();
      const created = await many((n) => app.value(post(n, "session/create", { visitorId })));
      assert.equal(created.filter(({ isExisting }) => !isExisting).length, 1);
      const [{ sessionId }] = created;
      const closed = await many((n) => app.value(post(n, "session/close", { sessionId })));
      assert.equal(closed.filter(({ alreadyClosed }) => !alreadyClosed).length, 1);
      const sent = await many((n) => app.value(post(n, "message/send", { visitorId, content: "x" })));
      assert.equal(new Set(sent.map((value) => value.sessionId)).size, 1);
      assert.deepEqual(
        sent.map(({ seq }) => seq).sort((a, b) => a - b),
        Array.from({ length: MANY }, (_, n) => n + 1),
      );
    });
  }
});
