import assert from "node:assert/strict";
import type { AppEntry } from "../src/domain/provisioning/schema.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import { auditOf } from "./support/audit.ts";
import {
  type Account,
  assertConsoleRefused,
  ConsoleClient,
  consoleAcme,
  consoleCall,
  fellow,
  ownedApp,
  owner,
  stranger,
} from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const CUSTOMER: Partial<AppEntry> = { installations: [], type: "CUSTOMER_SERVICE", scopes: [] };
const path = (appId: string) => `apps/${appId}/agents`;

onBothEngines("console: agents", (engine, test) => {
  const file = consoleAcme(
    ownedApp("app_desk", CUSTOMER),
    ownedApp("app_given", { ...CUSTOMER, agents: ["carol", "alice"] }),
    ownedApp("app_race", CUSTOMER),
    ownedApp("app_full", CUSTOMER),
    ownedApp("app_draft", { ...CUSTOMER, status: "UNPUBLISHED" }),
    ownedApp("app_bot"),
    ownedApp("app_mini", { installations: [], type: "MINI_PROGRAM", scopes: [] }),
  );
  const member = (tenant: string, username: string) => ({ tenant, userId: `u_${username}`, username, name: username });
  file.members?.push(member("t_acme", "gone"), member("t_acme", "0.b@c-d_"), member("t_other", "olga"));
  const world = suiteWorld(engine, file);
  const signIn = async (account: Account = owner, tenantId = "t_acme") =>
    (await ConsoleClient.logIn(world(), account)).in(tenantId);
  const write = (work: (tx: Db) => Promise<unknown>) => world().portico.ctx.storage.write(work);

  test("a member can be added as an agent, by account; adding again changes nothing", async () => {
    const client = await signIn();
    assert.deepEqual(await client.ok("GET", path("app_desk")), []);
    const bob = { agentId: "bob", name: "Bob", maxSessions: 10 };
    assert.deepEqual(await client.ok("POST", path("app_desk"), { username: "bob" }), bob);
    assert.deepEqual(await client.ok("POST", path("app_desk"), { username: "bob" }), bob);
    const alice = await client.ok("POST", path("app_desk"), { username: "alice" });
    assert.deepEqual(await client.ok("GET", path("app_desk")), [alice, bob]);
    assert.deepEqual(await client.ok("GET", path("app_given")), [
      alice,
      { agentId: "carol", name: "Carol", maxSessions: 10 },
    ]);
  });
  test("a removed agent is no agent any more; removing again is 404", async () => {
    const client = await signIn();
    assert.equal((await client.call("DELETE", `${path("app_desk")}/bob`)).status, 204);
    assert.deepEqual(await client.ok("GET", path("app_desk")), [{ agentId: "alice", name: "Alice", maxSessions: 10 }]);
    assertConsoleRefused(await client.call("DELETE", `${path("app_desk")}/bob`), 404, "客服不存在");
    assertConsoleRefused(await client.call("DELETE", `${path("app_desk")}/nobody`), 404, "客服不存在");
    assertConsoleRefused(await client.call("DELETE", `${path("app_desk")}/al%00ice`), 400);
  });
  test("each change is in the audit log, in its order", async () => {
    const at = world().clock.now();
    const change = { at, actor: "DEVELOPER", tenantId: "t_acme", address: "127.0.0.1" };
    const entries = await auditOf(world(), "app_desk");
    const [alice, bob] = [
      { agentId: "alice", name: "Alice", maxSessions: 10 },
      { agentId: "bob", name: "Bob", maxSessions: 10 },
    ];
    assert.deepEqual(
      entries.map(({ actor, ...entry }) => ({ ...entry, actor: /^\w+/.exec(actor)?.[0] })),
      [
        { ...change, action: "agent.add", target: "agent:u_bob", before: null, after: bob },
        { ...change, action: "agent.add", target: "agent:u_alice", before: null, after: alice },
        { ...change, action: "agent.remove", target: "agent:u_bob", before: bob, after: null },
      ],
    );
  });
  test("accounts with any characters can be added and removed, in any state of the application", async () => {
    const client = await signIn();
    await client.ok("POST", path("app_draft"), { username: "0.b@c-d_" });
    assert.equal((await client.call("DELETE", `${path("app_draft")}/${encodeURIComponent("0.b@c-d_")}`)).status, 204);
    assert.deepEqual(await client.ok("GET", path("app_draft")), []);
  });
  for (const [username, status] of [
    ["nobody", 404],
    ["olga", 404],
    ["u_alice", 404],
    ["", 400],
    [null, 400],
    ["al\0ice", 400],
    ["x".repeat(129), 400],
  ] as const) {
    test(`adding ${JSON.stringify(username)?.slice(0, 20)}: ${status}`, async () => {
      assertConsoleRefused(await (await signIn()).call("POST", path("app_desk"), { username }), status);
    });
  }
  test("a disabled member cannot become an agent, but can be removed", async () => {
    const client = await signIn();
    const setDisabled = (disabled: number) =>
      write((tx) => tx.updateTable("members").set({ disabled }).where("user_id", "=", "u_gone").execute());
    await setDisabled(1);
    assertConsoleRefused(await client.call("POST", path("app_desk"), { username: "gone" }), 409, "成员已停用");
    await setDisabled(0);
    await client.ok("POST", path("app_desk"), { username: "gone" });
    await setDisabled(1);
    assert.equal((await client.call("DELETE", `${path("app_desk")}/gone`)).status, 204);
  });
  for (const appId of ["app_bot", "app_mini"]) {
    test(`${appId} has no agents: 409`, async () => {
      const client = await signIn();
      const refused = [
        await client.get(path(appId)),
        await client.call("POST", path(appId), { username: "alice" }),
        await client.call("DELETE", `${path(appId)}/alice`),
      ];
      for (const answer of refused) assertConsoleRefused(answer, 409, "只有CUSTOMER_SERVICE类型的应用有客服");
    });
  }
  for (const [method, url, body] of [
    ["GET", path("app_race"), undefined],
    ["POST", path("app_race"), { username: "alice" }],
    ["DELETE", `${path("app_race")}/alice`, undefined],
  ] as const) {
    test(`${method} ${url}: 401, 400 without a tenant, 403 and 404 for the callers they apply to`, async () => {
      assertConsoleRefused(await consoleCall(world(), method, url, { body }), 401);
      const client = await ConsoleClient.logIn(world());
      assertConsoleRefused(await client.call(method, url, body), 400, "tenant context required");
      assertConsoleRefused(await client.in("t_other").call(method, url, body), 403);
      assertConsoleRefused(await (await signIn(fellow, "t_other")).call(method, url, body), 404, "应用不存在");
      assertConsoleRefused(await (await signIn(stranger, "t_other")).call(method, url, body), 404, "应用不存在");
      const answer = await (await signIn(fellow)).call(method, url, body);
      if (method === "GET") assert.deepEqual(answer.json, []);
      else assertConsoleRefused(answer, 403, "只有应用的所有者可以执行此操作");
    });
  }
  test("20 concurrent additions of one member create one agent and one audit entry, as do 20 removals", async () => {
    const client = await signIn();
    const add = () => client.call("POST", path("app_race"), { username: "bob" });
    for (const answer of await Promise.all(Array.from({ length: 20 }, add))) assert.equal(answer.status, 200);
    assert.equal((await client.ok("GET", path("app_race"))).length, 1);
    const remove = () => client.call("DELETE", `${path("app_race")}/bob`);
    const statuses = (await Promise.all(Array.from({ length: 20 }, remove))).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [204, ...Array(19).fill(404)]);
    assert.equal((await auditOf(world(), "app_race")).length, 2);
  });
  test("an application has at most 1,000 agents, also with concurrent additions", async () => {
    const names = Array.from({ length: 1_010 }, (_, n) => `full${n}`);
    await write(async (tx) => {
      const shared = { tenant_id: "t_acme", password_hash: null, phone: null };
      const members = names.map((username) => ({ ...shared, user_id: username, username, name: username }));
      await tx.insertInto("members").values(members).execute();
      const agents = names.slice(0, 995).map((username) => ({ app_id: "app_full", user_id: username }));
      await tx.insertInto("app_agents").values(agents).execute();
    });
    const client = await signIn();
    const add = (username: string) => client.call("POST", path("app_full"), { username });
    const answers = await Promise.all(names.slice(995).map(add));
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    for (const answer of answers) if (answer.status !== 200) assertConsoleRefused(answer, 409, "客服不能超过1000个");
    assert.equal((await client.ok("GET", path("app_full"))).length, 1_000);
    assert.equal((await auditOf(world(), "app_full")).length, 5);
    assert.equal((await add("full0")).status, 200);
  });
});
