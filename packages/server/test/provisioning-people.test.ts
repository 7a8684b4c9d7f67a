import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { issueVisitorToken, visitorOfToken } from "../src/domain/customer-service/visitor-tokens.ts";
import { applyProvisioning } from "../src/domain/provisioning/apply.ts";
import { up as forgetNothing } from "../src/platform/storage/migrations/0007-provisioned.ts";
import { alice, credentialsOf } from "./support/acme.ts";
import { callWith, operatedAcme, operator, otherOperator } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { cardOf } from "./support/card-acme.ts";
import { ConsoleClient, fellow, logIn, ownedApp, owner } from "./support/console.ts";
import { CustomerClient, customerApp, visitorOf } from "./support/customer-acme.ts";
import { dumpComparable, dumpLasting, dumpTables } from "./support/dump.ts";
import { type Engine, onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { developerIdOf } from "./support/operator.ts";
import { apply, restartWith } from "./support/provisioning.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld, type World } from "./support/world.ts";

type File = ReturnType<typeof operatedAcme>;

const template = (cardId: string) => ({ cardId, version: 3, card: cardOf({ tag: "text", text: "from the file" }) });
const visitor = (name: string, status: number) => ({ visitorId: visitorOf("app_desk", name), nickname: name, status });
const desk = {
  owner: owner.phone,
  profile: { displayName: "Desk", avatar: "", allowedOrigins: ["https://a.example"] },
  visitors: [visitor("ann", 1), visitor("dora", 0)],
};

function fileOf(): File {
  return operatedAcme(
    ownedApp("app_bot", { cardTemplates: [template("tpl_kept"), template("tpl_gone")] }),
    ownedApp("app_off"),
    customerApp("app_desk", desk),
  );
}

/** The file, with some members of one entry replaced. */
function withEntry(file: File, kind: keyof File, index: number, other: Record<string, unknown>): File {
  return { ...file, [kind]: file[kind]?.map((entry, at) => (at === index ? { ...entry, ...other } : entry)) };
}

/** Everything in the file that people can change through the console and the operators' API. */
async function changeAll(world: World): Promise<void> {
  const asOwner = (await ConsoleClient.logIn(world)).in("t_acme");
  const asOperator = (await ConsoleClient.logIn(world, operator)).in("t_acme");
  await asOwner.ok("POST", "apps/app_bot/credentials");
  await asOwner.ok("POST", "apps/app_bot/credentials/revoke-old");
  await asOwner.ok("DELETE", "apps/app_bot/bot-installations", { targetType: "GROUP", targetId: "g_team" });
  await asOwner.ok("DELETE", "apps/app_bot/bot-installations", { username: "alice" });
  await asOwner.ok("DELETE", "apps/app_bot/scopes/bot.message.reply");
  await asOwner.ok("PATCH", "apps/app_bot", { displayName: "By people", avatar: "https://a.example/a.png" });
  await asOwner.ok("PUT", "apps/app_bot/card-templates/tpl_kept", { card: cardOf({ tag: "text", text: "newer" }) });
  await asOwner.ok("DELETE", "apps/app_bot/card-templates/tpl_gone", undefined, 204);
  await asOwner.ok("PATCH", `apps/app_desk/visitors/${visitorOf("app_desk", "ann")}`, { status: 0 });
  await asOwner.ok("PATCH", `apps/app_desk/visitors/${visitorOf("app_desk", "dora")}`, { status: 1 });
  await asOwner.ok("PATCH", "apps/app_desk", { allowedOrigins: ["https://b.example"] });
  await asOwner.ok("DELETE", "apps/app_desk/agents/bob", undefined, 204);
  await asOwner.ok("POST", "apps/app_desk/agents", { username: "carol" });
  await asOperator.ok("PUT", "operator/apps/app_bot/quota", { perMinute: 7, perDay: 8, concurrent: null });
  await asOperator.ok("POST", "operator/apps/app_off/disable", { reason: "off" });
  await asOperator.ok("PATCH", "operator/tenants/t_acme", { name: "By people" });
  await asOperator.ok("PATCH", "operator/groups/g_team", { name: "By people" });
  await asOperator.ok("PUT", "operator/groups/g_team/members", { members: ["alice", "carol"] });
  const member = { name: "By people", phone: "13999999999", password: "alice's own password" };
  await asOperator.ok("PATCH", "operator/members/u_alice", member);
  await asOperator.ok("PATCH", "operator/members/u_carol", { disabled: true });
  const demoted = { operator: false, name: "By people", password: "another password", tenants: ["t_acme"] };
  const otherId = await developerIdOf(asOperator, otherOperator.phone);
  await asOperator.ok("PATCH", `operator/developers/${otherId}`, demoted);
  const fellowId = await developerIdOf(asOperator, fellow.phone);
  await asOperator.ok("PATCH", `operator/developers/${fellowId}`, { tenants: [], disabled: true });
}

/** Entries of the audit log by SYSTEM, from the n-th on. */
async function systemEntries(world: World, from = 0) {
  const rows = await world.portico.ctx.storage.db
    .selectFrom("audit_entries")
    .selectAll()
    .where("actor_type", "=", "SYSTEM")
    .orderBy("audit_id")
    .execute();
  return rows.slice(from).map(({ action, target, actor_id, app_id, tenant_id, before, after, address }) => {
    assert.deepEqual([actor_id, address], ["provisioning", ""]);
    return { action, target, appId: app_id, tenantId: tenant_id, before: parse(before), after: parse(after) };
  });
}

const parse = (text: string | null) => (text === null ? null : JSON.parse(text));
const lines = (changes: { entity: string; item: string }[]) => changes.map(({ entity, item }) => `${entity} ${item}`);

onBothEngines("provisioning: changes that people have made since", (engine, test) => {
  const file = fileOf();
  const world = suiteWorld(engine, file);
  const signsIn = async (password: string) => (await MemberClient.signIn(world(), { ...alice, password })).token !== "";

  test("stay after a start with the unchanged file, which writes nothing", async () => {
    assertSuccess(await callWith(world(), credentialsOf("app_bot")));
    await changeAll(world());
    const before = await dumpComparable(world());
    await world().restart();
    assert.deepEqual(await dumpComparable(world()), before);
    assertRefused(await callWith(world(), credentialsOf("app_bot")), 401, "400001");
    assertRefused(await callWith(world(), credentialsOf("app_off")), 403, "400005");
    assert.ok(await signsIn("alice's own password"));
    await assert.rejects(signsIn(alice.password));
    assert.equal((await logIn(world(), otherOperator)).status, 401);
  });
  test("stay when another field of the same entity changes in the file", async () => {
    const [before, entries] = [await dumpLasting(world()), (await systemEntries(world())).length];
    const [bot, off, desk] = file.apps ?? [];
    assert.ok(bot && off && desk);
    const [ann, ...visitors] = desk.visitors ?? [];
    const changed = withEntry(
      withEntry({ ...file, apps: [bot, { ...off, quota: { ...off.quota, perMinute: 9 } }, desk] }, "members", 0, {
        phone: "13900000009",
      }),
      "apps",
      2,
      { visitors: [{ ...ann, nickname: "Anne" }, ...visitors], agents: ["alice"] },
    );
    await restartWith(world(), changed);
    const after = await dumpLasting(world());
    const differing = Object.keys(after).filter(
      (table) => JSON.stringify(after[table]) !== JSON.stringify(before[table]),
    );
    const traces = new Set(["credentials", "console_logins", "member_tokens"]);
    assert.deepEqual(differing.filter((table) => !traces.has(table) && !/^(nonces|search)_/.test(table)).sort(), [
      "apps",
      "audit_entries",
      "members",
      "provisioned",
      "visitors",
    ]);
    const app = { appId: "app_off", tenantId: "t_acme" };
    assert.deepEqual(await systemEntries(world(), entries), [
      {
        action: "member.update",
        target: "member:u_alice",
        appId: null,
        tenantId: "t_acme",
        before: { phone: "13999999999" },
        after: { phone: "13900000009" },
      },
      { ...app, action: "quota.set", target: "app:app_off", before: { perMinute: 1_000_000 }, after: { perMinute: 9 } },
      {
        action: "visitor.update",
        target: `visitor:${ann?.visitorId}`,
        appId: "app_desk",
        tenantId: "t_acme",
        before: { nickname: "ann" },
        after: { nickname: "Anne" },
      },
    ]);
    const changedVisitor = after.visitors?.find(({ visitor_id }) => visitor_id === ann?.visitorId);
    assert.deepEqual([changedVisitor?.nickname, changedVisitor?.status], ["Anne", 0]);
    assert.equal(after.apps?.find(({ app_id }) => app_id === "app_off")?.status, "DISABLED");
    assert.ok(await signsIn("alice's own password"));
  });
  test("a revoked credential is left out even when its entry changes, and the report says why", async () => {
    const { credentialId } = credentialsOf("app_bot");
    const changed = withEntry(file, "apps", 0, { credentials: [{ credentialId, appSecret: "another secret" }] });
    const { skipped } = await apply(world(), changed);
    assert.deepEqual(skipped, [
      {
        entity: "app:app_bot",
        item: `credentials/${credentialId}`,
        reason: "it was revoked; only --force brings it back",
      },
    ]);
    const moved = withEntry(file, "apps", 1, { credentials: [{ credentialId, appSecret: "another secret" }] });
    assert.equal((await apply(world(), moved)).skipped.length, 1, "nor does it come back as another app's");
    assertRefused(await callWith(world(), { ...credentialsOf("app_bot"), appSecret: "another secret" }), 401, "400001");
  });
  test("a dry run reports what would change and writes nothing, even with force", async () => {
    const before = await dumpLasting(world());
    const changed = withEntry(file, "tenants", 0, { name: "From the file" });
    const { changes, applied } = await apply(world(), changed, { dryRun: true });
    assert.deepEqual([lines(changes), applied], [["tenant:t_acme name"], 1]);
    assert.deepEqual([changes[0]?.before, changes[0]?.after], ["By people", "From the file"]);
    const forced = await apply(world(), changed, { dryRun: true, force: true });
    assert.ok(forced.changes.length > 20);
    assert.deepEqual(await dumpLasting(world()), before);
  });
  test("are overwritten by force, which reports it without secrets, and ends no tokens unnecessarily", async () => {
    const bob = await MemberClient.signIn(world(), { ...alice, username: "bob", password: "bob's password" });
    const report = await apply(world(), file, { force: true });
    const changed = lines(report.changes);
    for (const line of [
      "tenant:t_acme name",
      "member:u_alice name",
      "member:u_alice password",
      "group:g_team members/u_bob",
      "group:g_team members/u_carol",
      `developer:1:${otherOperator.phone} operator`,
      `developer:1:${otherOperator.phone} password`,
      `developer:1:${fellow.phone} tenants/t_acme`,
      "app:app_bot displayName",
      "app:app_bot perMinute",
      "app:app_bot scopes/bot.message.reply",
      "app:app_bot credentials/cred_app_bot",
      "app:app_bot installations/GROUP/g_team",
      "app:app_bot cardTemplates/tpl_kept",
      "app:app_bot cardTemplates/tpl_gone",
      "app:app_off status",
      "app:app_desk allowedOrigins/https://b.example",
      "app:app_desk agents/u_carol",
      `app:app_desk visitors/${visitorOf("app_desk", "ann")}`,
    ]) {
      assert.ok(changed.includes(line), `${line} is not among ${changed.join("\n")}`);
    }
    const revived = report.changes.find(({ item }) => item === "credentials/cred_app_bot");
    assert.deepEqual([revived?.before, revived?.after], ["revoked", "current"]);
    const told = JSON.stringify([report, await systemEntries(world())]);
    for (const secret of [alice.password, otherOperator.password, credentialsOf("app_bot").appSecret]) {
      assert.ok(!told.includes(secret));
    }
    world().clock.turn(1_000);
    assertSuccess(await callWith(world(), credentialsOf("app_bot")));
    assertSuccess(await callWith(world(), credentialsOf("app_off")));
    assert.ok(await signsIn(alice.password));
    assert.equal((await bob.get("conversations")).status, 200);
    assert.deepEqual(lines((await apply(world(), file, { force: true })).changes), [], "again there is nothing left");
  });
  test("list members added by people stay when the file adds or removes others", async () => {
    const asOperator = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    await asOperator.ok("PUT", "operator/groups/g_other/members", { members: ["alice", "carol"] });
    const members = async (accounts: string[]) => {
      await apply(world(), withEntry(file, "groups", 1, { members: accounts }));
      const { group_members: rows = [] } = await dumpTables(world());
      return rows.filter(({ group_id }) => group_id === "g_other").map(({ user_id }) => user_id);
    };
    assert.deepEqual(await members(["bob", "u_carol"]), ["u_alice", "u_bob", "u_carol"]);
    assert.deepEqual(await members(["bob"]), ["u_alice", "u_bob"]);
    await asOperator.ok("PUT", "operator/groups/g_other/members", { members: ["alice"] });
    assert.deepEqual(await members(["bob"]), ["u_alice"]);
    assert.deepEqual(await members([]), ["u_alice"]);
    assert.deepEqual(await members(["bob"]), ["u_alice", "u_bob"], "named again, it is news");
  });
  test("a credential that people rotated is not restored after its grace period, whatever its entry says", async () => {
    const asOwner = await ConsoleClient.logIn(world());
    await asOwner.ok("POST", "apps/app_off/credentials");
    const { credentialId } = credentialsOf("app_off");
    const secret = (appSecret: string) =>
      apply(world(), withEntry(file, "apps", 1, { credentials: [{ credentialId, appSecret }] }));
    assert.deepEqual((await secret("a new secret")).skipped, []);
    world().clock.turn(1_000);
    assertSuccess(await callWith(world(), { ...credentialsOf("app_off"), appSecret: "a new secret" }));
    world().clock.turn(86_400_000);
    assert.equal((await secret("a newer secret")).skipped.length, 1);
    assertRefused(await callWith(world(), { ...credentialsOf("app_off"), appSecret: "a newer secret" }), 401, "400001");
  });
});

onBothEngines("provisioning: changes by the file take effect everywhere", (engine, test) => {
  const file = fileOf();
  const world = suiteWorld(engine, file);

  test("everything it created is in the audit log with the actor SYSTEM, without secrets", async () => {
    const entries = await systemEntries(world());
    const of = (action: string) => entries.filter((entry) => entry.action === action).map(({ target }) => target);
    assert.deepEqual(of("tenant.create"), ["tenant:t_acme", "tenant:t_other"]);
    assert.deepEqual(of("member.create"), ["member:u_alice", "member:u_bob", "member:u_carol"]);
    assert.deepEqual(of("app.create"), ["app:app_bot", "app:app_off", "app:app_desk"]);
    assert.equal(of("credential.create").length, 3);
    assert.equal(of("agent.add").length, 2);
    assert.equal(of("visitor.create").length, 2);
    const told = JSON.stringify(entries);
    assert.ok(!told.includes(alice.password) && !told.includes(credentialsOf("app_bot").appSecret));
    const client = await ConsoleClient.logIn(world(), operator);
    const { items } = await client.ok("GET", "operator/audit?action=tenant.create&limit=1");
    assert.deepEqual(items[0].actor, { type: "SYSTEM", id: "provisioning", name: null });
  });
  test("a changed password ends all tokens and streams of a member, and all logins of a developer, and is audited", async () => {
    const elsewhere = engine.name === "postgres" ? await world().start() : world().portico;
    const member = await MemberClient.signIn(world(), alice);
    const stream = await StreamClient.open(elsewhere.url, member.token);
    const developer = await ConsoleClient.logIn(world(), fellow);
    const entries = (await systemEntries(world())).length;
    const index = (file.developers ?? []).findIndex(({ phone }) => phone === fellow.phone);
    const changed = withEntry(withEntry(file, "members", 0, { password: "new" }), "developers", index, {
      password: "n",
    });
    await apply(world(), changed);
    const closed = await Promise.race([stream.closed, setTimeout(10_000, null, { ref: false })]);
    assert.equal(closed?.code, 4401);
    assert.equal((await member.get("conversations")).status, 401);
    assert.equal((await developer.get("me")).status, 401);
    const password = { before: {}, after: { password: "changed" } };
    assert.deepEqual(
      (await systemEntries(world(), entries)).map(({ action, before, after }) => ({ action, before, after })),
      [
        { action: "member.update", ...password },
        { action: "developer.update", ...password },
      ],
    );
    await apply(world(), file);
  });
  test("a removed agent's sessions are returned, and a disabled visitor is signed out", async () => {
    const app = new CustomerClient(world, "app_desk");
    const { sessionId } = await app.newSession();
    await app.value(app.post("agent/assign", { sessionId, agentId: "bob" }));
    const { ctx } = world().portico;
    const visitorId = visitorOf("app_desk", "ann");
    const token = await ctx.storage.write((tx) => issueVisitorToken(tx, visitorId, ctx.clock.now()));
    const told: string[] = [];
    const leave = ctx.deskLive.listen((appId, hint) => told.push(`${appId} ${hint.type}`));
    const desk = file.apps?.findIndex(({ appId }) => appId === "app_desk") ?? -1;
    const without = withEntry(file, "apps", desk, { agents: ["alice"], visitors: [{ visitorId, status: 0 }] });
    await apply(world(), without);
    leave();
    const { customer_sessions: sessions = [] } = await dumpTables(world());
    const session = sessions.find(({ session_id }) => session_id === sessionId);
    assert.deepEqual([session?.status, session?.agent_user_id], ["QUEUED", null]);
    assert.equal(await visitorOfToken(ctx.storage.db, token?.visitorToken ?? "", ctx.clock.now()), null);
    for (const hint of ["agents", "session", "visitor"]) assert.ok(told.includes(`app_desk ${hint}`), told.join());
    await apply(world(), file);
  });
  test("two concurrent runs make each change once", async () => {
    const entries = (await systemEntries(world())).length;
    const changed = withEntry(withEntry(file, "tenants", 0, { name: "Once" }), "members", 2, { password: "once" });
    const [one, other] = [world().all[0], world().all.at(-1)];
    assert.ok(one && other);
    const [first, second] = await Promise.all([one, other].map(({ ctx }) => applyProvisioning(ctx, changed)));
    assert.ok(first && second);
    assert.equal(first.applied + second.applied, 2);
    assert.deepEqual(
      (await systemEntries(world(), entries)).map(({ action }) => action),
      ["tenant.update", "member.update"],
    );
  });
});

/** Changes the store to that of an earlier version, and opens it with this version. */
async function upgrade(world: World, engine: Engine): Promise<void> {
  const { storage } = world.portico.ctx;
  await storage.write(async (tx) => {
    await tx.schema.dropTable("provisioned").execute();
    await tx.schema.dropTable("revoked_credentials").execute();
    await tx.deleteFrom("meta").where("name", "=", "provisioning").execute();
    await forgetNothing(tx, engine.name);
  });
}

onBothEngines("provisioning: a store provisioned by an earlier version", (engine, test) => {
  const file = fileOf();
  const world = suiteWorld(engine, file);

  test("keeps people's changes at its first start, and reports how to apply the whole file", async () => {
    await changeAll(world());
    await upgrade(world(), engine);
    const { provisioned: _, revoked_credentials: __, ...before } = await dumpComparable(world());
    world().logLines.length = 0;
    await world().restart();
    const { provisioned: ___, revoked_credentials: ____, ...after } = await dumpComparable(world());
    assert.deepEqual(after, before);
    assert.equal(world().logLines.filter((line) => line.includes("--force")).length, 1);
    world().logLines.length = 0;
    await world().restart();
    assert.equal(world().logLines.filter((line) => line.includes("--force")).length, 0);
  });
  test("gets new entries, also in lists, but no credential that may have been revoked", async () => {
    await upgrade(world(), engine);
    const bot = file.apps?.[0];
    const dave = { tenant: "t_acme", userId: "u_dave", username: "dave" };
    const { skipped, changes } = await apply(world(), {
      ...withEntry(file, "groups", 0, { members: ["alice", "bob", "dave"] }),
      members: [...(file.members ?? []), dave],
      apps: [{ ...bot, installations: [...(bot?.installations ?? []), { targetType: "GROUP", targetId: "g_other" }] }],
    });
    assert.deepEqual(lines(changes), [
      "member:u_dave ",
      "group:g_team members/u_dave",
      "app:app_bot installations/GROUP/g_other",
    ]);
    assert.ok(lines(skipped).includes("app:app_bot credentials/cred_app_bot"));
    assert.ok(lines(skipped).includes("group:g_team members/u_bob"));
    const { credentialId } = credentialsOf("app_bot");
    const again = withEntry(file, "apps", 0, { credentials: [{ credentialId, appSecret: "another secret" }] });
    assert.ok(lines((await apply(world(), again)).skipped).includes("app:app_bot credentials/cred_app_bot"));
    await apply(world(), file, { force: true });
    world().clock.turn(1_000);
    assertSuccess(await callWith(world(), credentialsOf("app_bot")));
  });
});
