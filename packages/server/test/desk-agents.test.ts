import assert from "node:assert/strict";
import { acme } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { beAt, CustomerClient, customerApp } from "./support/customer-acme.ts";
import { DeskClient } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

onBothEngines("whom a session can be given to", (engine, test) => {
  const file = acme(
    customerApp("app_desk", { agents: ["alice", "bob", "gone"] }),
    customerApp("app_bobs", { agents: ["bob"] }),
  );
  file.members?.push({ tenant: "t_acme", userId: "u_gone", username: "gone", name: "Gone" });
  const world = suiteWorld(engine, file);
  const signIn = (userId = "u_alice") => DeskClient.signIn(world(), userId);

  test("an agent lists the application's agents with what they do, without disabled accounts", async () => {
    const [alice, app] = [await signIn(), new CustomerClient(world, "app_desk")];
    const { storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      await tx.updateTable("members").set({ disabled: 1 }).where("user_id", "=", "u_gone").execute();
    });
    await beAt(world(), "app_desk", "u_bob", { max: 3 });
    for (const agentId of ["bob", "bob", "alice"]) await app.newSession({ agentId });
    const closed = await app.newSession({ agentId: "bob" });
    await app.value(app.post("session/close", { sessionId: closed.sessionId }));
    assert.deepEqual(await alice.ok("GET", "apps/app_desk/agents"), {
      items: [
        { agentId: "alice", agentName: "Alice", status: "OFFLINE", online: false, maxSessions: 10, activeSessions: 1 },
        { agentId: "bob", agentName: "Bob", status: "ONLINE", online: true, maxSessions: 3, activeSessions: 2 },
      ],
    });
    assertRefused(await alice.call("GET", "apps/app_bobs/agents"), 403, "400008", "不是该应用的客服");
    const { sessionId } = await app.newSession({ agentId: "alice" });
    const toGone = alice.call("POST", `apps/app_desk/sessions/${sessionId}/transfer`, { agentId: "gone" });
    assertRefused(await toGone, 409, "400400", "分配客服失败");
  });

  test("an agent reads any session of the application, as the lists show it", async () => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), new CustomerClient(world, "app_desk")];
    const { sessionId, visitorId } = await app.newSession({ agentId: "bob", subject: "Order 1" });
    await app.value(app.post("message/send", { visitorId, content: "x".repeat(100_000) }));
    const { items } = await bob.ok("GET", "apps/app_desk/sessions?status=ACTIVE&limit=1");
    assert.equal(items[0].sessionId, sessionId);
    assert.deepEqual(await alice.ok("GET", `apps/app_desk/sessions/${sessionId}`), items[0]);
    for (const id of [sessionId + 1_000, "x", "0"]) {
      assertRefused(await alice.call("GET", `apps/app_desk/sessions/${id}`), 404, "400300", "会话不存在");
    }
    const foreign = await new CustomerClient(world, "app_bobs").newSession();
    assertRefused(await alice.call("GET", `apps/app_desk/sessions/${foreign.sessionId}`), 404, "400300");
    assertRefused(await alice.call("GET", `apps/app_bobs/sessions/${foreign.sessionId}`), 403, "400008");
  });
});
