import assert from "node:assert/strict";
import { acme, alice, bob, sendText } from "./support/acme.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { carol } from "./support/client-acme.ts";
import { assertConsoleRefused, ConsoleClient, ownedApp } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { lastEntry } from "./support/operator.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld } from "./support/world.ts";

onBothEngines("operator: groups", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme(ownedApp("app_bot")));
  const inAcme = async () => (await ConsoleClient.logIn(world(), operator)).in("t_acme");
  const namesOf = ({ members }: { members: { username: string }[] }) => members.map(({ username }) => username);

  test("a group is created with members by username or userId, each once, and is read with them", async () => {
    const client = await inAcme();
    const body = { groupId: "g_new", name: "New", members: ["bob", "u_alice", "alice"] };
    const group = await client.ok("POST", "operator/groups", body);
    assert.deepEqual(Object.keys(group).sort(), ["groupId", "memberCount", "members", "name"]);
    assert.deepEqual([group.groupId, group.name, group.memberCount], ["g_new", "New", 2]);
    assert.deepEqual(namesOf(group), ["alice", "bob"]);
    assert.deepEqual(await client.ok("GET", "operator/groups/g_new"), group);
    const { action, target, before, after } = await lastEntry(client);
    assert.deepEqual([action, target, before], ["group.create", "group:g_new", null]);
    assert.deepEqual(after, { groupId: "g_new", name: "New", members: ["u_bob", "u_alice"] });
    const conversations = await (await MemberClient.signIn(world(), alice)).get("conversations");
    assert.ok(JSON.stringify(conversations.json).includes("group:g_new"));

    const { items, total } = await client.ok("GET", "operator/groups?keyword=NEW");
    assert.deepEqual([items, total], [[{ groupId: "g_new", name: "New", memberCount: 2 }], 1]);
    assert.match((await client.ok("POST", "operator/groups", { name: "Empty" })).groupId, /^g_[0-9a-f]{24}$/);
  });
  test("a group is renamed; an update without a difference is not recorded", async () => {
    const client = await inAcme();
    assert.equal((await client.ok("PATCH", "operator/groups/g_other", { name: "Others" })).name, "Others");
    const entry = await lastEntry(client);
    assert.deepEqual(
      [entry.action, entry.before, entry.after],
      ["group.update", { name: "Other" }, { name: "Others" }],
    );
    await client.ok("PATCH", "operator/groups/g_other", { name: "Others" });
    await client.ok("PATCH", "operator/groups/g_other", {});
    assert.deepEqual(await lastEntry(client), entry);
  });
  test("members are replaced, added and removed; the audit log names those added and removed", async () => {
    const client = await inAcme();
    const { groupId } = await client.ok("POST", "operator/groups", { name: "Changing", members: ["alice", "bob"] });
    const path = `operator/groups/${groupId}/members`;
    assert.deepEqual(namesOf(await client.ok("PUT", path, { members: ["bob", "carol"] })), ["bob", "carol"]);
    const { action, before, after } = await lastEntry(client);
    assert.equal(action, "group.members");
    assert.deepEqual(before, { memberCount: 2, removed: ["u_alice"] });
    assert.deepEqual(after, { memberCount: 2, added: ["u_carol"] });
    assert.deepEqual(namesOf(await client.ok("POST", path, { members: ["u_alice"] })), ["alice", "bob", "carol"]);
    assert.deepEqual(namesOf(await client.ok("DELETE", `${path}/u_bob`)), ["alice", "carol"]);
    assertConsoleRefused(await client.call("DELETE", `${path}/u_bob`), 404, "成员不在群组中");
    const last = await lastEntry(client);
    await client.ok("PUT", path, { members: ["carol", "alice"] });
    assert.deepEqual(await lastEntry(client), last);
  });
  test("an account that is not in the tenant cannot be in its groups, and another tenant's groups do not exist", async () => {
    const client = await inAcme();
    const other = client.in("t_other");
    await other.ok("POST", "operator/members", { username: "elsewhere", userId: "u_elsewhere" });
    for (const stranger of ["elsewhere", "u_elsewhere", "nobody"]) {
      const refused = await client.call("PUT", "operator/groups/g_team/members", { members: ["alice", stranger] });
      assertConsoleRefused(refused, 400, `成员不存在: ${stranger}`);
    }
    assert.deepEqual(namesOf(await client.ok("GET", "operator/groups/g_team")), ["alice", "bob"]);
    for (const [method, path, body] of [
      ["GET", "operator/groups/g_team"],
      ["PATCH", "operator/groups/g_team", { name: "x" }],
      ["PUT", "operator/groups/g_team/members", { members: [] }],
      ["POST", "operator/groups/g_team/members", { members: [] }],
      ["DELETE", "operator/groups/g_team/members/u_alice"],
    ] as const) {
      assertConsoleRefused(await other.call(method, path, body), 404, "群组不存在");
    }
    assert.equal((await other.ok("GET", "operator/groups")).total, 0);
    assertConsoleRefused(await other.call("POST", "operator/groups", { groupId: "g_team", name: "x" }), 409);
  });
  test("in the live stream, an added member gets messages from then on, and a removed one gets no more", async () => {
    const client = await inAcme();
    const stream = async (account: typeof alice) =>
      StreamClient.open(world().url, (await MemberClient.signIn(world(), account)).token);
    const [comes, goes] = [await stream(carol), await stream(bob)];
    await client.ok("PUT", "operator/groups/g_team/members", { members: ["alice", "carol"] });
    const sent = await sendText(world(), "app_bot", "to those who are here");
    assert.equal(sent.status, 200, sent.text);
    await comes.find(({ msgSeq }) => msgSeq === sent.json.value.msgSeq);
    assert.equal(goes.frames.length, 0);
    await client.ok("PUT", "operator/groups/g_team/members", { members: ["alice", "bob"] });
    const later = await sendText(world(), "app_bot", "to those who are here again");
    await goes.find(({ msgSeq }) => msgSeq === later.json.value.msgSeq);
    assert.equal(comes.frames.length, 1);
    await Promise.all([comes.close(), goes.close()]);
  });
  test("concurrent additions all succeed", async () => {
    const client = await inAcme();
    const { groupId } = await client.ok("POST", "operator/groups", { name: "Race" });
    const names = Array.from({ length: 12 }, (_, n) => `racer_${n}`);
    for (const username of names) await client.ok("POST", "operator/members", { username });
    const path = `operator/groups/${groupId}/members`;
    const answers = await Promise.all(names.map((name) => client.call("POST", path, { members: [name] })));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal((await client.ok("GET", `operator/groups/${groupId}`)).memberCount, names.length);
    const { items } = await client.ok("GET", `operator/audit?action=group.members&limit=${names.length}`);
    const counts = items.map(({ after }: { after: { memberCount: number } }) => after.memberCount);
    assert.deepEqual(
      counts.sort((a: number, b: number) => a - b),
      names.map((_, n) => n + 1),
    );
  });
  for (const [what, body] of [
    ["no members", {}],
    ["members that are no list", { members: "alice" }],
    ["a member that is no text", { members: [1] }],
    ["an empty member", { members: [""] }],
    ["a member with NUL", { members: ["a\0"] }],
    ["more than 5,000 members", { members: Array.from({ length: 5_001 }, () => "alice") }],
  ] as const) {
    test(`${what}: 400`, async () => {
      assertConsoleRefused(await (await inAcme()).call("PUT", "operator/groups/g_team/members", body), 400);
    });
  }
});

onBothEngines("operator: large groups", (engine, test) => {
  const everybody = Array.from({ length: 5_000 }, (_, n) => `many_${n}`);
  const file = operatedAcme();
  const members = everybody.map((username) => ({ tenant: "t_acme", userId: `u_${username}`, username }));
  const world = suiteWorld(engine, { ...file, members: [...(acme().members ?? []), ...members] });

  test("a group has at most 5,000 members", async () => {
    const client = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    const path = "operator/groups/g_team/members";
    const group = await client.ok("PUT", path, { members: everybody });
    assert.deepEqual([group.memberCount, group.members.length], [5_000, 5_000]);
    assertConsoleRefused(await client.call("POST", path, { members: ["alice"] }), 400, "群组成员不能超过5000人");
    assert.equal((await client.ok("POST", path, { members: ["many_1"] })).memberCount, 5_000);
  });
});
