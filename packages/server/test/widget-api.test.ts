import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { BOUNDS } from "@portico/protocol";
import { markRead } from "../src/domain/customer-service/mark-read.ts";
import { raiseReadMark } from "../src/domain/customer-service/read-store.ts";
import { insertStoringFile } from "../src/domain/files/file-store.ts";
import { alice } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { consoleAcme } from "./support/console.ts";
import { CustomerClient } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { PIXEL } from "./support/uploads.ts";
import { LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe } from "./support/webhooks.ts";
import { serviceApp, serviceCall, WIDGET, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_shop";

onBothEngines("widget: a visitor's session and messages", (engine, test) => {
  const file = consoleAcme(serviceApp(APP, { agents: ["alice"] }), serviceApp("app_other"));
  const world = suiteWorld(engine, file, { PORTICO_LIMITS_VISITOR_MESSAGES_PER_MINUTE: "60" });
  let count = 0;
  const open = (profile?: object) => WidgetClient.open(world(), APP, `c-${++count}`, profile);
  const v1 = async (path: string, body?: object) => {
    const answer = await serviceCall(world(), APP, path, body);
    assertSuccess(answer);
    return answer.json.value;
  };

  test("a visitor sees their own data, without the integrator's, and no session before the first message", async () => {
    const profile = { nickname: "Ann", avatar: "https://a.example/a.png", phone: "139", email: "a@b.example" };
    const widget = await open({ ...profile, extra: { vip: true } });
    const { visitor, session } = await widget.ok("session");
    const { lastSeenAt: _, ...shown } = visitor;
    assert.deepEqual(shown, {
      visitorId: widget.visitorId,
      thirdUserId: `c-${count}`,
      ...profile,
      status: 1,
      online: false,
      createdAt: world().clock.now(),
    });
    assert.equal(session, null);
    assert.deepEqual(await widget.ok("messages"), { items: [], lastSeq: 0, readSeq: 0, agentReadSeq: 0 });
  });
  test("the first message opens a session, the next one uses it, and one after its end opens another", async () => {
    const widget = await open();
    const first = await widget.say("hello");
    assert.deepEqual(Object.keys(first), ["messageId", "sessionId", "seq", "isDuplicate"]);
    assert.deepEqual([first.seq, first.isDuplicate], [1, false]);
    const { session } = await widget.ok("session");
    assert.deepEqual([session.sessionId, session.status, session.source], [first.sessionId, "QUEUED", "widget"]);
    assert.deepEqual(await v1(`session/info?sessionId=${first.sessionId}`), session);
    assert.equal((await widget.say("are you there?")).sessionId, first.sessionId);
    await v1("session/close", { sessionId: first.sessionId });
    assert.equal((await widget.ok("session")).session.status, "CLOSED");
    const third = await widget.say("one more thing");
    assert.notEqual(third.sessionId, first.sessionId);
    assert.equal(third.seq, 3);
    assert.equal((await widget.ok("session")).session.sessionId, third.sessionId);
    const { items } = await widget.ok("messages");
    assert.deepEqual(
      items.map(({ sessionId }: { sessionId: number }) => sessionId),
      [first.sessionId, first.sessionId, third.sessionId],
    );
  });
  test("an agent's message is in the list, and the integrator can list the visitor's messages", async () => {
    const widget = await open();
    const clientMessageId = randomUUID();
    const { sessionId } = await widget.say("hello", { clientMessageId });
    await v1("agent/message/send", { agentId: "alice", visitorId: widget.visitorId, content: "hi", thirdMsgId: "x-1" });
    const { items, lastSeq } = await widget.ok("messages");
    const [asked, answered] = items;
    assert.deepEqual(asked, {
      messageId: asked.messageId,
      sessionId,
      visitorId: widget.visitorId,
      agentId: null,
      agentName: null,
      senderType: "VISITOR",
      msgType: "text",
      content: "hello",
      seq: 1,
      createdAt: world().clock.now(),
      clientMessageId,
    });
    assert.deepEqual(
      [answered.senderType, answered.agentId, answered.content, answered.clientMessageId],
      ["AGENT", "alice", "hi", null],
    );
    assert.equal(lastSeq, 2);
    const { records } = await v1(`message/list?visitorId=${widget.visitorId}`);
    assert.deepEqual(
      records.map(({ content }: { content: unknown }) => content),
      ["hello", "hi"],
    );
  });
  test("messages are paged: the newest, before a position, after one, and between two", async () => {
    const widget = await open();
    for (let n = 1; n <= 7; n++) await widget.say(`message ${n}`);
    const seqs = async (query: string) => {
      const { items, lastSeq } = await widget.ok(`messages?${query}`);
      assert.equal(lastSeq, 7);
      return items.map(({ seq }: { seq: number }) => seq);
    };
    assert.deepEqual(await seqs(""), [1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(await seqs("limit=3"), [5, 6, 7]);
    assert.deepEqual(await seqs("limit=3&beforeSeq=5"), [2, 3, 4]);
    assert.deepEqual(await seqs("limit=3&beforeSeq=2"), [1]);
    assert.deepEqual(await seqs("beforeSeq=1"), []);
    assert.deepEqual(await seqs("limit=3&afterSeq=0"), [1, 2, 3]);
    assert.deepEqual(await seqs("limit=3&afterSeq=5"), [6, 7]);
    assert.deepEqual(await seqs("afterSeq=7"), []);
    assert.deepEqual(await seqs(`afterSeq=${Number.MAX_SAFE_INTEGER}`), []);
    assert.deepEqual(await seqs("afterSeq=2&beforeSeq=6"), [3, 4, 5]);
    assert.deepEqual(await seqs("afterSeq=6&beforeSeq=2"), []);
    for (const wrong of ["limit=0", "limit=101", "afterSeq=-1", "beforeSeq=0", "afterSeq=x"]) {
      assertRefused(await widget.call(`messages?${wrong}`), 400, "400006");
    }
  });
  test("read marks of both sides are shown", async () => {
    const widget = await open();
    for (const text of ["one", "two", "three"]) await widget.say(text);
    const { ctx } = world().portico;
    await markRead(ctx, { appId: APP, visitorId: widget.visitorId, by: "VISITOR", seq: 3 });
    await markRead(ctx, { appId: APP, visitorId: widget.visitorId, by: "AGENT", seq: 2 });
    const { readSeq, agentReadSeq } = await widget.ok("messages?limit=1");
    assert.deepEqual([readSeq, agentReadSeq], [3, 2]);
  });
  test("of two pages that mark at once, the one that has read less is told where the mark is", async () => {
    const widget = await open();
    for (const text of ["one", "two", "three"]) await widget.say(text);
    const { storage, deskLive } = world().portico.ctx;
    const { visitorId } = widget;
    const overtaken: typeof storage = {
      ...storage,
      async write(unit, lane) {
        await storage.write((tx) => raiseReadMark(tx, visitorId, "VISITOR", 3));
        return await storage.write(unit, lane);
      },
    };
    const ctx = { storage: overtaken, deskLive };
    assert.equal(await markRead(ctx, { appId: APP, visitorId, by: "VISITOR", seq: 2 }), 3);
  });
  test("a message is stored once per clientMessageId, also with concurrent calls", async () => {
    const widget = await open();
    const clientMessageId = "the same";
    const said = await Promise.all(Array.from({ length: 20 }, () => widget.say("once", { clientMessageId })));
    assert.equal(said.filter(({ isDuplicate }) => !isDuplicate).length, 1);
    assert.equal(new Set(said.map(({ messageId }) => messageId)).size, 1);
    assert.equal((await widget.ok("messages")).lastSeq, 1);
    const again = await widget.say("other words", { clientMessageId });
    assert.deepEqual(again, { ...said[0], isDuplicate: true });
  });
  test("clientMessageIds of two visitors, and the integrator's thirdMsgIds, are independent", async () => {
    const [one, two] = [await open(), await open()];
    const clientMessageId = "m-1";
    for (const widget of [one, two]) assert.equal((await widget.say("hi", { clientMessageId })).isDuplicate, false);
    const v1Send = (thirdMsgId: string) =>
      serviceCall(world(), APP, "message/send", { visitorId: one.visitorId, content: "hi", thirdMsgId });
    assert.equal((await v1Send(clientMessageId)).json.value.isDuplicate, false);
    const { db } = world().portico.ctx.storage;
    const stored = await db
      .selectFrom("customer_messages")
      .select("third_msg_id")
      .where("visitor_id", "=", one.visitorId)
      .orderBy("seq")
      .execute();
    const thirdMsgId = stored[0]?.third_msg_id ?? "";
    assert.ok(thirdMsgId.endsWith(clientMessageId));
    assertRefused(await v1Send(thirdMsgId), 400, "400006");
    const { records } = await v1(`message/list?visitorId=${one.visitorId}`);
    assert.deepEqual(
      records.map((record: { thirdMsgId: string | null }) => record.thirdMsgId),
      [null, clientMessageId],
    );
    assert.equal((await one.ok("messages")).items[1].clientMessageId, null);
  });
  test("20 concurrent first messages open one session", async () => {
    const widget = await open();
    const said = await Promise.all(Array.from({ length: 20 }, (_, n) => widget.say(`message ${n}`)));
    assert.equal(new Set(said.map(({ sessionId }) => sessionId)).size, 1);
    assert.deepEqual(
      said.map(({ seq }) => seq).sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
  });
  test("one visitor can send 60 messages a minute; more are 429 until the allowance returns, and others are not affected", async () => {
    const [eager, other] = [await open(), await open()];
    for (let n = 0; n < 60; n++) await eager.say(`message ${n}`);
    const refused = await eager.post("messages", { content: "one more" });
    assertRefused(refused, 429, "429001", "发送过于频繁,请稍后重试");
    assert.equal(refused.headers["retry-after"], "1");
    await other.say("hello");
    world().clock.turn(1_000);
    assert.equal((await eager.say("a second later")).seq, 61);
  });
  for (const [name, body, message] of [
    ["no content", { msgType: "text" }, "content不能为空"],
    ["a blank text", { content: " \u3000\n" }, "content不能为空"],
    ["an object as a text", { content: { text: "x" } }, "content类型错误,应为string"],
    ["a post", { msgType: "post", content: {} }, "不支持的消息类型: post"],
    ["a file without its key", { msgType: "file", content: {} }, "content.fileKey不能为空"],
    ["an empty clientMessageId", { content: "x", clientMessageId: "" }, undefined],
    ["a clientMessageId of 65 characters", { content: "x", clientMessageId: "x".repeat(65) }, undefined],
    ["a clientMessageId with NUL", { content: "x", clientMessageId: "\0" }, undefined],
    ["a list", [], undefined],
    ["no JSON", "{", "请求体不是合法的JSON"],
  ] as const) {
    test(`${name} is refused: 400006, and no session is opened`, async () => {
      const widget = await open();
      assertRefused(await widget.post("messages", body), 400, "400006", message);
      assert.equal((await widget.ok("session")).session, null);
    });
  }
  test("a body that is not JSON is 415001, one over the limit 413001", async () => {
    const widget = await open();
    assertRefused(await widget.post("messages", "x", { "content-type": "text/plain" }), 415, "415001");
    const body = JSON.stringify({ content: "x".repeat(300_000) });
    assertRefused(await widget.post("messages", body), 413, "413001");
  });
  test("an unknown path and a wrong method are the container's 404", async () => {
    const widget = await open();
    for (const [method, path] of [
      ["GET", "visitor"],
      ["PUT", "messages"],
      ["HEAD", "session"],
      ["DELETE", "files"],
    ] as const) {
      assert.equal((await widget.call(path, { method })).status, 404);
    }
  });
});

onBothEngines("widget: rating", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(serviceApp(APP)), LOOPBACK_CALLBACKS, LOOPBACK_NETWORK);
  let count = 0;
  const open = () => WidgetClient.open(world(), APP, `c-${++count}`);
  const close = async (sessionId: number) =>
    assertSuccess(await serviceCall(world(), APP, "session/close", { sessionId }));

  test("an open session is rated once, also with concurrent calls", async () => {
    const widget = await open();
    const { sessionId } = await widget.say("hi");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => widget.post("rating", { rating: (n % 5) + 1, comment: " 不错 " })),
    );
    const [done, ...others] = answers.filter(({ status }) => status === 200);
    assert.ok(done !== undefined && others.length === 0);
    for (const answer of answers) if (answer !== done) assertRefused(answer, 403, "400008", "会话已评价");
    assert.equal(done.json.value.sessionId, sessionId);
    assert.deepEqual((await widget.ok("session")).session, done.json.value);
    const { db } = world().portico.ctx.storage;
    const row = db.selectFrom("customer_sessions").selectAll().where("session_id", "=", sessionId);
    const { rating, rating_comment } = await row.executeTakeFirstOrThrow();
    assert.deepEqual([rating, rating_comment], [done.json.value.rating, "不错"]);
  });
  test("the integrator gets one event for a rating", async () => {
    const app = new CustomerClient(world, APP);
    await subscribe(world(), APP, "https://receiver.test:1/", "customer.session.changed_v1");
    const widget = await open();
    await widget.say("hi");
    const before = (await app.events()).length;
    const session = await widget.ok("rating", { rating: 5 });
    await widget.post("rating", { rating: 4 });
    const events = await app.events(before);
    assert.deepEqual(
      events.map(({ eventType, change, session: told }) => [eventType, change, told]),
      [["customer.session.changed_v1", "rated", session]],
    );
  });
  test("the open session and the last closed one can be rated; older ones cannot", async () => {
    const widget = await open();
    const oldest = (await widget.say("one")).sessionId;
    await close(oldest);
    const closed = (await widget.say("two")).sessionId;
    await close(closed);
    assertRefused(await widget.post("rating", { rating: 5, sessionId: oldest }), 403, "400008", "会话已不能评价");
    const current = (await widget.say("three")).sessionId;
    assertRefused(await widget.post("rating", { rating: 5, sessionId: oldest }), 403, "400008", "会话已不能评价");
    assert.equal((await widget.ok("rating", { rating: 4, sessionId: closed })).rating, 4);
    assert.equal((await widget.ok("rating", { rating: 3 })).sessionId, current);
    assertRefused(await widget.post("rating", { rating: 3, sessionId: closed }), 403, "400008", "会话已评价");
  });
  test("before the first message there is nothing to rate, and another visitor's session cannot be rated: 400300", async () => {
    const widget = await open();
    assertRefused(await widget.post("rating", { rating: 5 }), 404, "400300", "会话不存在");
    const { sessionId } = await (await open()).say("hi");
    assertRefused(await widget.post("rating", { rating: 5, sessionId }), 404, "400300");
    await widget.say("hi");
    assertRefused(await widget.post("rating", { rating: 5, sessionId }), 404, "400300");
    assertRefused(await widget.post("rating", { rating: 5, sessionId: Number.MAX_SAFE_INTEGER }), 404, "400300");
  });
  for (const body of [
    {},
    { rating: 0 },
    { rating: 6 },
    { rating: 4.5 },
    { rating: "5" },
    { rating: 5, comment: "x".repeat(1_001) },
    { rating: 5, comment: "\0" },
    { rating: 5, sessionId: 0 },
    { rating: 5, sessionId: "1" },
  ]) {
    test(`${JSON.stringify(body).slice(0, 40)} is not a valid rating: 400006`, async () => {
      const widget = await open();
      await widget.say("hi");
      assertRefused(await widget.post("rating", body), 400, "400006");
    });
  }
});

onBothEngines("widget: files", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(serviceApp(APP)));
  let count = 0;
  const open = () => WidgetClient.open(world(), APP, `c-${++count}`);

  test("a visitor uploads a picture and sends it; the message has the picture's address", async () => {
    const widget = await open();
    const fileKey = await widget.uploadKey({ fileName: "pixel.png" });
    await widget.ok("messages", { msgType: "image", content: { fileKey, width: 1, height: 1 } });
    const { url, ...content } = (await widget.ok("messages")).items[0].content;
    const described = { fileName: "pixel.png", mimeType: "image/png", size: PIXEL.length };
    assert.deepEqual(content, { fileKey, width: 1, height: 1, ...described });
    assert.deepEqual((await send(url.replace("localhost", "127.0.0.1"))).bytes, PIXEL);
  });
  test("a fileKey of another visitor, or an expired one, cannot be sent: 400008", async () => {
    const [one, two] = [await open(), await open()];
    const fileKey = await one.uploadKey();
    const body = { msgType: "file", content: { fileKey } };
    assertRefused(await two.post("messages", body), 403, "400008", "fileKey无效或已过期");
    world().clock.turn(600_000);
    assertRefused(await one.post("messages", body), 403, "400008", "fileKey无效或已过期");
  });
  test("a file over 20 MiB is 400006, a body over 22 MiB 413001, no file 400006", async () => {
    const widget = await open();
    assertRefused(await widget.upload({ content: Buffer.alloc(20 * 1024 * 1024 + 1) }), 400, "400006");
    assertRefused(await widget.upload({ content: Buffer.alloc(22 * 1024 * 1024) }), 413, "413001");
    assertRefused(await widget.post("files", "{}"), 415, "415001");
  });
  test("a visitor with the maximum of unsent files cannot upload until they expire: 429001", async () => {
    const widget = await open();
    const { clock, portico } = world();
    const [owner, now] = [{ type: "VISITOR", id: widget.visitorId } as const, clock.now()];
    const file = { fileName: "a", mimeType: "image/png", size: 1, sha256: "", owner, now, expiresAt: now + 600_000 };
    await portico.ctx.storage.write(async (tx) => {
      for (let n = 1; n < BOUNDS.unsentFiles; n++) {
        const [fileKey, blobKey] = [`file_${randomUUID()}`, randomBytes(24).toString("hex")];
        await insertStoringFile(tx, { ...file, fileKey, blobKey });
      }
    });
    const answers = await Promise.all([widget.upload(), widget.upload(), widget.upload()]);
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 2);
    for (const answer of refused) {
      assertRefused(answer, 429, "429001");
      assert.equal(answer.headers["retry-after"], "600");
    }
    assertSuccess(await (await open()).upload());
    clock.turn(600_001);
    assertSuccess(await widget.upload());
  });
});

onBothEngines("widget: who may call", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(serviceApp(APP), serviceApp("app_off")));
  const calls = (token: string | null) => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const json = { ...headers, "content-type": "application/json" };
    const url = (path: string) => `${world().url}${WIDGET}/${path}`;
    return Promise.all([
      send(url("session"), { headers }),
      send(url("messages"), { headers }),
      send(url("messages"), { method: "POST", headers: json, body: JSON.stringify({ content: "hi" }) }),
      send(url("messages"), { method: "POST", headers: json, body: "{" }),
      send(url("rating"), { method: "POST", headers: json, body: JSON.stringify({ rating: 5 }) }),
      send(url("files"), { method: "POST", headers: { ...headers, "content-type": "x" }, body: "x" }),
    ]);
  };
  const assertNobody = async (token: string | null) => {
    for (const answer of await calls(token)) assertRefused(answer, 401, "400001", "访客未登录或登录已过期");
  };

  for (const token of [null, "", "x", "x".repeat(2_000), "\u00e9"]) {
    test(`${JSON.stringify(token)?.slice(0, 20)} is not a valid token: 400001, even if the call has other faults`, async () => {
      await assertNobody(token);
    });
  }
  test("a member's token is refused", async () => {
    await assertNobody((await MemberClient.signIn(world(), alice)).token);
  });
  test("a token is valid for two hours", async () => {
    const widget = await WidgetClient.open(world(), APP, "c-1");
    world().clock.turn(2 * 3_600_000 - 1);
    await widget.ok("session");
    world().clock.turn(1);
    await assertNobody(widget.token);
  });
  test("while the application is not ACTIVE its visitors are refused: 400005", async () => {
    const widget = await WidgetClient.open(world(), "app_off", "c-1");
    const set = async (status: "DISABLED" | "ACTIVE") => {
      const { apps, storage } = world().portico.ctx;
      await storage.write(async (tx) => {
        await tx.updateTable("apps").set({ status }).where("app_id", "=", "app_off").execute();
      });
      apps.forget("app_off");
    };
    await set("DISABLED");
    assertRefused(await widget.call("session"), 403, "400005");
    assertRefused(await widget.post("messages", { content: "hi" }), 403, "400005");
    await set("ACTIVE");
    await widget.ok("session");
  });
});
