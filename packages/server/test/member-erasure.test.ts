import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientMessage } from "@portico/protocol";
import { findDeveloperByPhone } from "../src/domain/accounts/developer-login-store.ts";
import { addMemberIdentity } from "../src/domain/accounts/oidc/identity-store.ts";
import { sweepFiles } from "../src/domain/files/sweep.ts";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { alice, bob, botApp, call, MESSAGES } from "./support/acme.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { cardOf, sendCard, sentId } from "./support/card-acme.ts";
import { assertConsoleRefused, ConsoleClient } from "./support/console.ts";
import { CustomerClient, customerApp, V1, visitorOf } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { erasureUntil, exported, memberPath } from "./support/erased-member.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { exchange, miniApp, newCode } from "./support/miniapp.ts";
import { startProcess } from "./support/process.ts";
import { patch, ScimDirectory } from "./support/scim.ts";
import { StreamClient } from "./support/stream-client.ts";
import { FORM_TYPE, filePart, form } from "./support/uploads.ts";
import { rowsOf } from "./support/versions.ts";
import { subscribe } from "./support/webhooks.ts";
import { suiteWorld, World } from "./support/world.ts";

const TEAM = "group:g_team";
/** Then no transaction is left on PostgreSQL that was under way when the member was shut out. */
const QUIET_MS = 16_000;
const DESK_APP = "app_desk";

/** Somebody whose traces are nowhere else. */
const MALLORY = {
  ...{ username: "mallory.q", name: "Mallory Quux", phone: "13955501234", password: "a long enough one 7" },
  ...{ externalId: "directory-id-77", subject: "sub-of-m" },
};
/** Another, by a name. */
function somebody(username: string): typeof MALLORY {
  const phone = "13955509999";
  return { ...MALLORY, username, name: username, phone, externalId: `x-${username}`, subject: `s-${username}` };
}
/** Words that are nowhere when they have been erased. */
const TRACES = [
  "mallory",
  "Mallory",
  "Quux",
  "13955501234",
  "directory-id-77",
  "sub-of-m",
  "my-holiday",
  "secret plan",
];

onBothEngines("a member's data", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme(botApp("app_bot"), miniApp("app_mini"), customerApp(DESK_APP)));
  const asOperator = () => ConsoleClient.logIn(world(), operator);
  const storage = () => world().portico.ctx.storage;

  /** A member made by a directory, in a group of it and in the team, with an identity and a bot. */
  async function joined({ username, name, phone, externalId, password, subject } = MALLORY) {
    const console = await asOperator();
    const directory = await ScimDirectory.connect(world().url, console);
    const { id: userId } = await directory.ok(
      "POST",
      "/Users",
      {
        userName: username,
        displayName: name,
        externalId,
        password,
        phoneNumbers: [{ type: "mobile", value: phone }],
      },
      201,
    );
    await directory.ok("POST", "/Groups", { displayName: "Sales", members: [{ value: userId }] }, 201);
    const now = world().clock.now();
    const identity = { issuer: "https://provider.example", subject };
    await storage().write((tx) => addMemberIdentity(tx, { tenantId: "t_acme", userId }, identity, now));
    const inAcme = console.in("t_acme");
    await inAcme.ok("POST", "operator/groups/g_team/members", { members: [username] });
    const member = await MemberClient.signIn(world(), { tenantId: "t_acme", username, password });
    await member.api.installBot({ body: { appId: "app_bot", targetType: "USER", targetId: userId } });
    return { console, inAcme, directory, userId, member };
  }

  const post = (member: MemberClient, conversationId: string, text: string, other: object = {}) =>
    member.api.postMessage({ params: { conversationId }, body: { msgType: "text", content: { text }, ...other } });

  async function uploadAs(member: MemberClient, fileName = "my-holiday.png"): Promise<string> {
    const answer = await send(`${world().url}/api/client/v1/files`, {
      method: "POST",
      headers: { authorization: `Bearer ${member.token}`, "content-type": FORM_TYPE },
      body: form(filePart({ fileName })),
    });
    return answer.json.value.fileKey;
  }

  test("is exported whole, a page at a time, to operators alone", async () => {
    const { console, userId, member } = await joined(somebody("nina"));
    for (let n = 0; n < 205; n++) await post(member, TEAM, `message ${n}`);
    await post(member, "bot:app_bot", "to the bot");
    await uploadAs(member, "other.png");
    const items = await exported(console, userId);
    const count = (kind: string) => items.filter((item) => item.kind === kind).length;
    const kinds = ["member", "identity", "directory", "directoryGroup", "group", "login", "installation", "file"];
    assert.deepEqual(kinds.map(count), [1, 1, 1, 1, 1, 1, 1, 1]);
    assert.equal(count("message"), 206);
    const [profile] = items;
    assert.equal(profile?.record.name, "nina");
    assert.equal(profile?.record.phone, "13955509999");
    assert.ok(!JSON.stringify(items).includes("password_hash"), "no hash, not even of a password");
    assert.ok(count("change") >= 1);
    const path = `${memberPath(userId)}/export`;
    assertConsoleRefused(await console.call("POST", path, { cursor: "x" }), 400);
    assertConsoleRefused(await console.call("POST", `${memberPath("u_none")}/export`, {}), 404, "成员不存在");
    assertConsoleRefused(await console.call("POST", `${memberPath(userId, "t_other")}/export`, {}), 404);
    assertConsoleRefused(await (await ConsoleClient.logIn(world())).call("POST", path, {}), 403);
  });

  test("is erased: nothing of it is anywhere, others' conversations hold together, and clients hear of it", async () => {
    const { username } = MALLORY;
    const { console, inAcme, directory, userId, member } = await joined();
    const other = await MemberClient.signIn(world(), bob);
    await subscribe(world(), "app_bot", "https://127.0.0.1:9/");
    // What she says, to others and to a bot, and what others say to her.
    const said = await post(member, TEAM, "the secret plan", { clientMessageId: "mallory-1" });
    await post(member, "bot:app_bot", "my secret plan for the bot");
    const mention = await post(other, TEAM, "please look", { content: { text: "look", mentions: [username] } });
    const fileKey = await uploadAs(member);
    const file = await member.api.postMessage({
      params: { conversationId: TEAM },
      body: { msgType: "file", content: { fileKey } },
    });
    await uploadAs(member);
    const answered = {
      receiveIdType: "user_id",
      receiveId: userId,
      msgType: "text",
      content: { text: "Dear Mallory" },
    };
    assert.equal(
      (await call(world(), "app_bot", { method: "POST", target: MESSAGES, body: JSON.stringify(answered) })).status,
      200,
    );
    const card = cardOf({ tag: "button", text: "OK", name: "secret plan" });
    const cardId = await sentId(sendCard(world(), "app_bot", card));
    await member.api.actOnCard({ params: { messageId: String(cardId) }, body: { tag: "button", name: "secret plan" } });
    await exchange(world(), "app_mini", await newCode(member, "app_mini"));
    // As an agent.
    await storage().write(async (tx) => {
      await tx.insertInto("app_agents").values({ app_id: DESK_APP, user_id: userId }).execute();
    });
    const customer = new CustomerClient(world, DESK_APP);
    const visitorId = visitorOf(DESK_APP, "ann");
    await customer.value(customer.post("session/create", { visitorId, agentId: username }));
    await customer.value(
      customer.post("agent/message/send", { visitorId, agentId: username, content: "How can I help?" }),
    );
    // A refused call that names her.
    const target = `${V1}/agent/status?agentId=${username}`;
    assert.equal((await call(world(), DESK_APP, { method: "GET", target, timestamp: 1 })).status, 401);
    await world().portico.ctx.requestLog.flush();
    await inAcme.ok("PATCH", `operator/members/${userId}`, { name: "Mallory Quux II" });

    const stream = await StreamClient.open(world().url, member.token);
    const watching = await StreamClient.open(world().url, other.token);
    const before = await other.history(TEAM);
    assert.ok(before.some(({ sender }) => sender.name === "Mallory Quux II"));

    const begun = await console.ok("POST", `${memberPath(userId)}/erase`);
    assert.equal(begun.userId, userId);
    // At once, whatever is still to be removed.
    assert.equal((await member.get("conversations")).status, 401);
    assert.equal((await stream.closed).code >= 1000, true);
    assert.equal((await directory.call("GET", `/Users/${userId}`)).status, 404);
    world().clock.turn(QUIET_MS);
    const done = await erasureUntil(console, userId);
    assert.equal(done.progress, 100);
    assert.ok(done.erased.messages >= 4 && done.erased.mentions === 1 && done.erased.files === 2, JSON.stringify(done));
    assert.ok(done.erased.deliveries >= 1 && done.erased.customerMessages === 1 && done.erased.cardActions >= 1);
    assert.ok(done.erased.requests >= 1 && done.erased.auditEntries >= 2, JSON.stringify(done));

    const after = await other.history(TEAM);
    assert.deepEqual(
      after.map(({ msgSeq }) => msgSeq),
      before.map(({ msgSeq }) => msgSeq),
      "numbers have no gaps",
    );
    const shown = (messageId: number) => after.find((message: ClientMessage) => message.messageId === messageId);
    for (const { messageId } of [said, file]) {
      const message = shown(messageId);
      assert.deepEqual([message?.recalled, message?.content, message?.sender.name], [true, null, ""]);
      assert.equal(message?.sender.id, userId);
      await watching.find((frame) => frame.type === "message.recalled" && frame.message.messageId === messageId);
    }
    assert.deepEqual(shown(mention.messageId)?.mentions, [{ userId, name: "", isBot: false }]);
    assert.equal(after.filter(({ recalled }) => !recalled).length, before.length - 2);

    await sweepFiles(world().portico.ctx);
    await world().portico.ctx.requestLog.flush();
    const found = [...(await rowsOf(storage().db))].flatMap(([table, rows]) =>
      rows
        .map((row) => `${table}: ${JSON.stringify(row)}`)
        // The card is the bot's.
        .filter((row) => !row.startsWith("messages: ") || !row.includes(`"message_id":${cardId}`))
        .filter((row) => TRACES.some((trace) => row.includes(trace))),
    );
    assert.deepEqual(found, []);
    assert.deepEqual((await checkStore(world().env, { contents: false })).findings, []);

    // Repeated, it changes nothing; the audit log tells of it once.
    const again = await console.ok("POST", `${memberPath(userId)}/erase`);
    assert.deepEqual(again, done);
    const entries = await storage()
      .db.selectFrom("audit_entries")
      .select("action")
      .where("target", "=", `member:${userId}`)
      .execute();
    assert.equal(entries.filter(({ action }) => action === "member.erase").length, 1);
    assertConsoleRefused(await inAcme.call("PATCH", `operator/members/${userId}`, { disabled: false }), 404);
    const { items } = await inAcme.ok("GET", `operator/members?keyword=${userId}`);
    assert.deepEqual(items, [{ userId, username: `~${userId}`, name: "", phone: null, disabled: true, erased: true }]);
    // The name is free; who has it is somebody new.
    const newcomer = await directory.ok("POST", "/Users", { userName: username, displayName: "Another" }, 201);
    assert.notEqual(newcomer.id, userId);
    const active = patch({ op: "Replace", path: "active", value: "False" });
    assert.equal((await directory.ok("PATCH", `/Users/${newcomer.id}`, active)).active, false);
    await stream.close();
    await watching.close();
  });

  test("other processes refuse the member at once, and show nothing of them within a second", async () => {
    const { console, userId, member } = await joined(somebody("petra"));
    const { messageId } = await post(member, TEAM, "what petra said");
    const url = engine.name === "postgres" ? (await world().start()).url : world().url;
    const reader = await MemberClient.signIn({ url }, bob);
    const there = (client: { token: string }, path: string) =>
      send(`${url}/api/client/v1/${path}`, { headers: { authorization: `Bearer ${client.token}` } });
    // Each of them remembers what it has shown, and whose the token is.
    const paths = [
      `conversations/${TEAM}/messages`,
      `conversations/${TEAM}/changes?afterSeq=0&limit=100`,
      "conversations",
    ];
    for (const path of [...paths, ...paths]) assert.equal((await there(reader, path)).status, 200);
    assert.ok((await reader.history(TEAM)).some((message) => message.messageId === messageId && !message.recalled));
    assert.equal((await there(member, "conversations")).status, 200);
    const stream = await StreamClient.open(url, member.token);
    await console.ok("POST", `${memberPath(userId)}/erase`);
    await stream.closed;
    assert.equal((await there(member, "conversations")).status, 401);
    world().clock.turn(QUIET_MS);
    await erasureUntil(console, userId);
    world().clock.turn(1_000);
    for (const path of paths) assert.doesNotMatch((await there(reader, path)).text, /petra/);
    const shown = (await reader.history(TEAM)).find((message) => message.messageId === messageId);
    assert.deepEqual([shown?.recalled, shown?.content], [true, null]);
  });

  test("somebody who was not erased has no erasure", async () => {
    const console = await asOperator();
    assertConsoleRefused(await console.call("GET", `${memberPath("u_alice")}/erasure`), 404, "成员数据未被清除");
    assertConsoleRefused(await console.call("POST", `${memberPath("u_none")}/erase`), 404, "成员不存在");
    assertConsoleRefused(await console.call("POST", `${memberPath("u_alice", "t_other")}/erase`), 404);
    assert.equal((await (await MemberClient.signIn(world(), alice)).get("conversations")).status, 200);
  });

  test("an identity is listed and unlinked: all sign-ins of the member end, and the log tells who it was", async () => {
    const { console, userId, member } = await joined(somebody("ines"));
    const path = `${memberPath(userId)}/identities`;
    const { items } = await console.ok("GET", path);
    assert.deepEqual(
      items.map(({ issuer, subject }: { issuer: string; subject: string }) => [issuer, subject]),
      [["https://provider.example", "s-ines"]],
    );
    const [{ identityId }] = items;
    assertConsoleRefused(await console.call("DELETE", `${path}/idn_none`), 404, "未关联该身份");
    assert.equal((await console.call("DELETE", `${path}/${identityId}`)).status, 204);
    assert.deepEqual((await console.ok("GET", path)).items, []);
    assert.equal((await member.get("conversations")).status, 401);
    assertConsoleRefused(await console.call("DELETE", `${path}/${identityId}`), 404);
  });

  test("developers unlink their own identity, if they have another way in", async () => {
    const console = await asOperator();
    const { developerId } = await console.ok("GET", "me");
    const now = world().clock.now();
    await storage().write(async (tx) => {
      const rows = ["https://a.example", "https://b.example"].map((issuer) => ({
        ...{ issuer, subject: "s-1", developer_id: developerId, created_at: now },
      }));
      await tx.insertInto("developer_identities").values(rows).execute();
    });
    const { items } = await console.ok("GET", "me/identities");
    assert.equal(items.length, 2);
    assert.equal((await console.call("DELETE", `me/identities/${items[0].identityId}`)).status, 204);
    assertConsoleRefused(await console.call("DELETE", `me/identities/${items[0].identityId}`), 404);
    assert.equal((await console.get("me")).status, 200, "the login that asks goes on");
    const known = await findDeveloperByPhone(storage().db, operator.channelId, operator.phone);
    await storage().write(async (tx) => {
      await tx.updateTable("developers").set({ password_hash: null }).where("developer_id", "=", developerId).execute();
    });
    assertConsoleRefused(await console.call("DELETE", `me/identities/${items[1].identityId}`), 409, /密码/);
    await storage().write(async (tx) => {
      const password_hash = known?.passwordHash ?? null;
      await tx.updateTable("developers").set({ password_hash }).where("developer_id", "=", developerId).execute();
    });
  });
});

onBothEngines("the erasure of a member", (engine, test) => {
  // So many that a kill comes in between. PostgreSQL takes several times as long for each.
  const MESSAGES_OF_ALICE = engine.name === "sqlite" ? 12_000 : 3_000;

  test("killed in between, goes on after the next start, and nothing is left", async (t) => {
    const instance = await engine.create("migrated");
    t.after(() => instance.dispose());
    const seeded = await World.on(engine, instance, operatedAcme(botApp("app_bot")), {}, {});
    const { storage, clock } = seeded.portico.ctx;
    await storage.write(async (tx) => {
      for (let from = 0; from < MESSAGES_OF_ALICE; from += 500) {
        const rows = Array.from({ length: 500 }, (_, n) => ({
          ...{ conversation_key: TEAM, msg_seq: from + n + 1, sender_type: "MEMBER" as const, sender_id: "u_alice" },
          ...{
            client_message_id: null,
            msg_type: "text" as const,
            content: '{"text":"Alice was here"}',
            mentions: "[]",
          },
          ...{ card_version: null, parent_message_id: null, recalled_at: null, created_at: clock.now() },
        }));
        await tx.insertInto("messages").values(rows).execute();
      }
      await tx.insertInto("conversations").values({ conversation_key: TEAM, last_seq: MESSAGES_OF_ALICE }).execute();
    });
    const client = await ConsoleClient.logIn(seeded, operator);
    await seeded.stop();
    const file = join(instance.env.PORTICO_DATA_DIR ?? "", "provision.json");
    writeFileSync(file, JSON.stringify(operatedAcme(botApp("app_bot"))));
    const env = { ...seeded.env, PORTICO_PORT: "0", PORTICO_PROVISION: file, PORTICO_LOG_LEVEL: "warn" };

    const first = await startProcess(env);
    await client.at(first).ok("POST", `${memberPath("u_alice")}/erase`);
    const cut = await erasureUntil(client.at(first), "u_alice", ({ erased }) => erased.messages > 500);
    assert.equal(await first.end("SIGKILL"), "SIGKILL");
    assert.equal(cut.state, "RUNNING", "it was killed in between");

    // The provisioning file still names her, in groups too: she stays erased, and the service starts.
    const second = await startProcess(env);
    t.after(() => second.end("SIGKILL"));
    const done = await erasureUntil(client.at(second), "u_alice");
    assert.equal(done.erased.messages, MESSAGES_OF_ALICE, "each counted once");
    const { items } = await client.at(second).in("t_acme").ok("GET", "operator/members?keyword=u_alice");
    assert.deepEqual([items[0].name, items[0].erased], ["", true]);
    assert.equal(await second.end("SIGTERM"), 0);
    const later = await World.on(engine, instance, null, {}, {});
    t.after(() => later.stop());
    const { db } = later.portico.ctx.storage;
    const left = await db.selectFrom("messages").select("content").where("content", "like", "%Alice%").execute();
    assert.deepEqual(left, []);
    const counter = await db.selectFrom("conversations").select("last_seq").executeTakeFirst();
    const changes = await db
      .selectFrom("conversation_changes")
      .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("msg_seq").as("last")])
      .executeTakeFirst();
    assert.deepEqual([Number(changes?.count), changes?.last], [MESSAGES_OF_ALICE, counter?.last_seq]);
  });
});
