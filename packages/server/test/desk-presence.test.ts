import assert from "node:assert/strict";
import { acme } from "./support/acme.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, owner } from "./support/console.ts";
import { beAt, CustomerClient, customerApp } from "./support/customer-acme.ts";
import { DeskClient, sendHeartbeat, sweep } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const SECOND_MS = 1_000;

onBothEngines("agents' presence", (engine, test) => {
  const apps = ["app_apart", "app_gone", "app_back", "app_else", "app_stall", "app_two"];
  const caps = customerApp("app_caps", { agents: ["alice", "bob", "carol"] });
  const world = suiteWorld(engine, acme(caps, ...apps.map((appId) => customerApp(appId))));
  const client = (appId: string) => new CustomerClient(world, appId);
  const signIn = (userId = "u_alice") => DeskClient.signIn(world(), userId);
  const turn = (seconds: number) => world().clock.turn(seconds * SECOND_MS);
  const beThere = (userId = "u_alice") => sendHeartbeat(world().portico, userId);
  /** Runs the sweeps of all processes concurrently. */
  const look = () => Promise.all(world().all.map((portico) => sweep(portico)));
  const statusesOf = async (appId: string) =>
    (await client(appId).events())
      .filter(({ eventType }) => eventType === "customer.agent.status_v1")
      .map(({ agent, previousStatus }) => [agent.agentId, agent.status, agent.online, previousStatus]);
  const infoOf = (appId: string, sessionId: number) => {
    const app = client(appId);
    return app.value(app.get("session/info", { sessionId }));
  };
  const appOf = async (agent: DeskClient, appId: string) => {
    const { items } = await agent.ok("GET", "apps");
    return items.find((item: { appId: string }) => item.appId === appId);
  };

  test("an agent's status and presence are independent", async () => {
    const alice = await signIn();
    await beThere();
    assert.equal((await appOf(alice, "app_apart")).status, "OFFLINE", "a page that is open chooses nothing");
    assert.deepEqual(await statusesOf("app_apart"), []);
    await alice.choose("app_apart", "ONLINE");
    assert.equal((await appOf(alice, "app_apart")).online, true);
    turn(44);
    await look();
    assert.equal((await appOf(alice, "app_apart")).online, true);
    turn(1);
    await look();
    await look();
    const away = await appOf(alice, "app_apart");
    assert.deepEqual([away.status, away.online], ["ONLINE", false]);
    await beThere();
    assert.equal((await appOf(alice, "app_apart")).online, true);
    assert.deepEqual(await statusesOf("app_apart"), [
      ["alice", "ONLINE", true, "OFFLINE"],
      ["alice", "ONLINE", false, "ONLINE"],
      ["alice", "ONLINE", true, "ONLINE"],
    ]);
    await alice.choose("app_apart", "BUSY");
    turn(60);
    await look();
    assert.equal((await statusesOf("app_apart")).length, 4, "of who is not ONLINE nobody hears that they went");
    await alice.choose("app_apart", "OFFLINE");
  });

  test("after 60 s of absence an agent's sessions return to the head of the queue, in order", async () => {
    const alice = await signIn();
    const app = client("app_gone");
    await beThere();
    await alice.choose("app_gone", "ONLINE");
    const given = [];
    for (let n = 0; n < 10; n++) given.push((await app.newSession()).sessionId);
    const waiting = [(await app.newSession()).sessionId, (await app.newSession()).sessionId];
    turn(59);
    await look();
    assert.equal((await infoOf("app_gone", given[0] ?? 0)).agentId, "alice", "after 59 s they have them still");
    turn(1);
    await look();
    const { items } = await alice.ok("GET", "apps/app_gone/sessions?status=QUEUED");
    const queue = items.map(({ sessionId }: { sessionId: number }) => sessionId);
    assert.deepEqual(queue, [...given, ...waiting]);
    const now = world().clock.now();
    assert.deepEqual(
      items.map(({ queuedAt, createdAt }: { queuedAt: number; createdAt: number }) => [queuedAt, createdAt]),
      [...given.map(() => [now, now - 60_000]), ...waiting.map(() => [now - 60_000, now - 60_000])],
      "who comes back waits from then on",
    );
    const backs = (await app.events()).filter(({ change }) => change === "transferred");
    assert.deepEqual(
      backs.map(({ session, previousAgentId }) => [session.sessionId, session.status, previousAgentId]),
      given.map((sessionId) => [sessionId, "QUEUED", "alice"]),
    );
    const bob = await signIn("u_bob");
    await beThere("u_bob");
    await bob.choose("app_gone", "ONLINE");
    for (const sessionId of given) assert.equal((await infoOf("app_gone", sessionId)).agentId, "bob");
    for (const sessionId of waiting) assert.equal((await infoOf("app_gone", sessionId)).status, "QUEUED");
    await bob.choose("app_gone", "OFFLINE");
  });

  test("an agent who returns earlier keeps the sessions, and gets new ones at once", async () => {
    const alice = await signIn();
    const app = client("app_back");
    await beThere();
    await alice.choose("app_back", "ONLINE");
    const first = (await app.newSession()).sessionId;
    turn(50);
    const second = (await app.newSession()).sessionId;
    assert.equal((await infoOf("app_back", second)).status, "QUEUED");
    await beThere();
    assert.equal((await infoOf("app_back", second)).agentId, "alice");
    turn(30);
    await look();
    assert.equal((await infoOf("app_back", first)).agentId, "alice");
    assert.deepEqual(await statusesOf("app_back"), [["alice", "ONLINE", true, "OFFLINE"]]);
    await alice.choose("app_back", "OFFLINE");
  });

  test("a session that the application assigned to an absent agent stays with the agent", async () => {
    const app = client("app_else");
    turn(60);
    const { sessionId } = await app.newSession({ agentId: "alice" });
    turn(120);
    await look();
    assert.equal((await infoOf("app_else", sessionId)).agentId, "alice", "given while they were not there");
    await beThere();
    turn(50);
    const other = (await app.newSession({ agentId: "alice" })).sessionId;
    turn(50);
    await look();
    assert.equal((await infoOf("app_else", other)).agentId, "alice", "given after they had gone");
    assert.equal((await infoOf("app_else", sessionId)).status, "QUEUED", "they were there, and went");
  });

  test("free agents get equally many sessions, and none more than the maximum", async () => {
    const app = client("app_caps");
    await beAt(world(), "app_caps", "u_bob");
    const given: number[] = [];
    for (let n = 0; n < 7; n++) given.push((await app.newSession()).sessionId);
    turn(60);
    await beAt(world(), "app_caps", "u_alice", { max: 2 });
    await beAt(world(), "app_caps", "u_carol", { max: 12 });
    await look();
    const agents = [];
    for (const sessionId of given) agents.push((await infoOf("app_caps", sessionId)).agentId);
    assert.deepEqual(agents, ["alice", "carol", "alice", "carol", "carol", "carol", "carol"]);
  });

  test("a stalled queue is found and continued while an agent is free", async () => {
    const alice = await signIn();
    const app = client("app_stall");
    const { sessionId } = await app.newSession();
    await beThere();
    const row = { status: "ONLINE" } as const;
    await world().portico.ctx.storage.write((tx) =>
      tx.updateTable("desk_agents").set(row).where("app_id", "=", "app_stall").execute(),
    );
    await look();
    assert.equal((await infoOf("app_stall", sessionId)).agentId, "alice");
    await alice.choose("app_stall", "OFFLINE");
  });

  test("concurrent sweeps of several processes announce each change once; the latest heartbeat counts", async () => {
    const alice = await signIn();
    if (engine.name === "postgres") await world().start();
    await beThere();
    await alice.choose("app_two", "ONLINE");
    const app = client("app_two");
    const { sessionId } = await app.newSession();
    turn(30);
    const last = world().all.at(-1) ?? world().portico;
    await sendHeartbeat(last, "u_alice");
    turn(40);
    await Promise.all(Array.from({ length: 5 }, look));
    assert.equal((await appOf(alice, "app_two")).online, true);
    turn(20);
    await Promise.all(Array.from({ length: 5 }, look));
    assert.equal((await infoOf("app_two", sessionId)).status, "QUEUED");
    assert.equal((await app.events()).filter(({ change }) => change === "transferred").length, 1);
    assert.deepEqual(
      (await statusesOf("app_two")).map(([, , online]) => online),
      [true, false],
    );
  });
});

onBothEngines("console: agents' caps and their end", (engine, test) => {
  const service = (appId: string) => customerApp(appId, { owner: owner.phone });
  const world = suiteWorld(engine, consoleAcme(service("app_cap"), service("app_end")));
  const signIn = async () => (await ConsoleClient.logIn(world())).in("t_acme");

  test("a higher maximum assigns more sessions at once; a lower one removes none", async () => {
    const [developer, alice] = [await signIn(), await DeskClient.signIn(world(), "u_alice")];
    const app = new CustomerClient(world, "app_cap");
    const path = "apps/app_cap/agents/alice";
    const capped = await developer.ok("PATCH", path, { maxSessions: 1 });
    assert.deepEqual(capped, { agentId: "alice", name: "Alice", maxSessions: 1 });
    await sendHeartbeat(world().portico, "u_alice");
    await alice.choose("app_cap", "ONLINE");
    for (let n = 0; n < 4; n++) await app.newSession();
    const activeSessions = async () => (await alice.ok("GET", "apps")).items[0].activeSessions;
    assert.equal(await activeSessions(), 1);
    await developer.ok("PATCH", path, { maxSessions: 3 });
    assert.equal(await activeSessions(), 3);
    await developer.ok("PATCH", path, { maxSessions: 2 });
    assert.equal(await activeSessions(), 3);
    assert.equal((await developer.ok("GET", "apps/app_cap/agents"))[0].maxSessions, 2);
    for (const maxSessions of [0, 1_001, 1.5, "3", null, undefined]) {
      assertConsoleRefused(await developer.call("PATCH", path, { maxSessions }), 400);
    }
    assertConsoleRefused(await developer.call("PATCH", "apps/app_cap/agents/carol", { maxSessions: 2 }), 404);
  });

  test("a removed agent's sessions return to the queue, and the agent is absent", async () => {
    const [developer, alice] = [await signIn(), await DeskClient.signIn(world(), "u_alice")];
    const app = new CustomerClient(world, "app_end");
    await sendHeartbeat(world().portico, "u_alice");
    await alice.choose("app_end", "ONLINE");
    const { sessionId } = await app.newSession();
    assert.equal((await developer.call("DELETE", "apps/app_end/agents/alice")).status, 204);
    assert.equal((await app.value(app.get("session/info", { sessionId }))).status, "QUEUED");
    const events = await app.events();
    assert.deepEqual(events.at(-1).agent, { agentId: "alice", agentName: "Alice", status: "OFFLINE", online: false });
    await developer.ok("POST", "apps/app_end/agents", { username: "alice" });
    await sendHeartbeat(world().portico, "u_alice");
    assert.equal((await app.value(app.get("agent/status", { agentId: "alice" }))).status, "OFFLINE");
  });
});
