import assert from "node:assert/strict";
import { acme, credentialsOf } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CustomerClient, customerApp, V1, visitorOf } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { sendSigned } from "./support/http.ts";
import { LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe } from "./support/webhooks.ts";
import { suiteWorld, type World } from "./support/world.ts";

const APP = "app_desk";
const SENDS = ["message/send", "agent/message/send"] as const;

/** Stores a file that its owner can send. */
async function keepFile(world: World, type: "APP" | "VISITOR" | "MEMBER", ownerId: string): Promise<string> {
  const { storage, clock } = world.portico.ctx;
  const fileKey = `file_${type}_${Math.random()}`;
  const row = { file_key: fileKey, blob_key: fileKey, owner_type: type, owner_id: ownerId, state: "READY" } as const;
  const what = { file_name: "a.png", mime_type: "image/png", size: 7, sha256: "", created_at: 1, sent_at: null };
  await storage.write(async (tx) => {
    await tx
      .insertInto("files")
      .values({ ...row, ...what, expires_at: clock.now() + 1000 })
      .execute();
  });
  return fileKey;
}

onBothEngines("customer service: messages", (engine, test) => {
  const world = suiteWorld(engine, acme(customerApp(APP)), LOOPBACK_CALLBACKS, LOOPBACK_NETWORK);
  const app = new CustomerClient(world, APP);
  const send = (said: object) => app.value(app.post("message/send", said));
  const sendAs = (said: object) => app.value(app.post("agent/message/send", { agentId: "alice", ...said }));
  const list = (query: Record<string, string | number>) => app.value(app.get("message/list", query));
  const session = (sessionId: number) => app.value(app.get("session/info", { sessionId }));

  test("message/send opens a session if none is open, and uses it until it is closed", async () => {
    const visitorId = await app.newVisitor();
    const first = await send({ visitorId, content: "  hello 你好 🎉\n\u0000 " });
    assert.deepEqual(first, { ...first, seq: 1, isDuplicate: false });
    const second = await send({ visitorId, content: "again", thirdMsgId: `m-${visitorId}` });
    assert.deepEqual([second.seq, second.sessionId], [2, first.sessionId]);
    assert.ok(second.messageId > first.messageId);
    const opened = await session(first.sessionId);
    assert.deepEqual([opened.status, opened.source, opened.visitorId], ["QUEUED", "api", visitorId]);
    const common = { sessionId: first.sessionId, visitorId, agentId: null, senderType: "VISITOR", msgType: "text" };
    const createdAt = world().clock.now();
    assert.deepEqual(await list({ visitorId }), {
      records: [
        {
          messageId: first.messageId,
          thirdMsgId: null,
          ...common,
          content: "  hello 你好 🎉\n\u0000 ",
          seq: 1,
          createdAt,
        },
        { messageId: second.messageId, thirdMsgId: `m-${visitorId}`, ...common, content: "again", seq: 2, createdAt },
      ],
      total: 2,
    });
    await app.value(app.post("session/close", { sessionId: first.sessionId }));
    const third = await send({ visitorId, content: "a new matter" });
    assert.equal(third.seq, 3);
    assert.ok(third.sessionId > first.sessionId);
    assert.equal((await session(first.sessionId)).status, "CLOSED");
  });
  test("agent/message/send opens a session for this agent, takes one from the queue, and does not change another agent's", async () => {
    const visitorId = await app.newVisitor();
    const opening = await sendAs({ visitorId, content: "may I help?" });
    const opened = await session(opening.sessionId);
    assert.deepEqual([opened.status, opened.agentId, opened.agentName], ["ACTIVE", "alice", "Alice"]);
    assert.equal(opened.firstReplyAt, world().clock.now());
    const [message] = (await list({ visitorId })).records;
    assert.deepEqual([message.senderType, message.agentId], ["AGENT", "alice"]);

    await sendAs({ visitorId, content: "I too", agentId: "bob" });
    assert.equal((await session(opening.sessionId)).agentId, "alice");

    const queued = await app.newSession();
    assert.equal((await session(queued.sessionId)).status, "QUEUED");
    const reply = await sendAs({ visitorId: queued.visitorId, content: "here", agentId: "bob" });
    assert.equal(reply.sessionId, queued.sessionId);
    assert.equal((await session(queued.sessionId)).agentId, "bob");
  });
  for (const path of SENDS) {
    test(`${path}: sessionId is a number or digits, and must be the visitor's open session`, async () => {
      const { visitorId, sessionId } = await app.newSession();
      const said = { agentId: "alice", visitorId, content: "x" };
      for (const given of [sessionId, String(sessionId), `0${sessionId}`, null, "", undefined]) {
        const value = await app.value(app.post(path, { ...said, sessionId: given }));
        assert.equal(value.sessionId, sessionId);
      }
      const others = await app.newSession();
      const strangers = ["abc", "-1", 1.5, 0, 99999999, "9".repeat(30), true, {}, [], others.sessionId];
      for (const given of strangers) {
        assertRefused(await app.post(path, { ...said, sessionId: given }), 404, "400300", "会话不存在");
      }
      await app.value(app.post("session/close", { sessionId }));
      assertRefused(await app.post(path, { ...said, sessionId }), 404, "400300", "会话不存在");
      const next = await app.value(app.post(path, said));
      assert.notEqual(next.sessionId, sessionId);
      assertRefused(await app.post(path, { ...said, sessionId }), 404, "400300", "会话不存在");
    });
    test(`${path}: blank content gives 400 + 400006 content不能为空`, async () => {
      const visitorId = await app.newVisitor();
      const blanks = [
        "",
        " ",
        "\u3000\u3000",
        "\n\r\n",
        "\t",
        "\u00a0",
        "\u200b\u200d\ufeff\u2060",
        "\u00ad",
        " \u3000\n\t\u00a0\u200b",
        "\u2800\u3164",
      ];
      for (const content of [...blanks, null, undefined]) {
        const refused = await app.post(path, { agentId: "alice", visitorId, content });
        assertRefused(refused, 400, "400006", "content不能为空");
      }
      for (const content of [".", "\u200b.", "❤️", "👨‍👩‍👧"]) {
        assertSuccess(await app.post(path, { agentId: "alice", visitorId, content }));
      }
      assert.equal((await list({ visitorId })).total, 4);
    });
    test(`${path}: content of the wrong shape and other types of messages give 400 + 400006`, async () => {
      const visitorId = await app.newVisitor();
      const said = { agentId: "alice", visitorId };
      for (const [other, named] of [
        [{ content: 7 }, "content"],
        [{ content: { text: "x" } }, "content"],
        [{ content: ["x"], msgType: "text" }, "content"],
        [{ content: "x", msgType: "image" }, "content"],
        [{ content: [], msgType: "file" }, "content"],
        [{ content: {}, msgType: "file" }, "content.fileKey"],
        [{ content: { fileKey: 7 }, msgType: "file" }, "content.fileKey"],
        [{ content: { fileKey: "x", height: 1 }, msgType: "image" }, "content.width"],
        [{ content: { fileKey: "x", width: 1.5, height: 1 }, msgType: "image" }, "content.width"],
        [{ content: "x", msgType: "card" }, "card"],
        [{ content: "x", msgType: "TEXT" }, "TEXT"],
        [{ content: "x", msgType: "__proto__" }, "__proto__"],
        [{ content: "x", msgType: 7 }, "msgType"],
        [{ content: "x", thirdMsgId: "" }, "thirdMsgId"],
        [{ content: "x", thirdMsgId: "x".repeat(129) }, "thirdMsgId"],
        [{ content: "x", thirdMsgId: 7 }, "thirdMsgId"],
        [{ content: "x", thirdMsgId: "\u0000" }, "thirdMsgId"],
        [{ content: "x", visitorId: 7 }, "visitorId"],
      ] as const) {
        const refused = await app.post(path, { ...said, ...other });
        assertRefused(refused, 400, "400006");
        assert.ok(refused.json.message.includes(named), refused.json.message);
      }
      assert.deepEqual(await list({ visitorId }), { records: [], total: 0 });
      assert.equal((await app.value(app.get("visitor/info", { visitorId }))).currentSessionId, null);
    });
    test(`${path}: a picture and a file of the application's or of the visitor's; 403 + 400008 for anybody else's`, async () => {
      const visitorId = await app.newVisitor();
      const said = { agentId: "alice", visitorId };
      for (const [type, ownerId] of [
        ["APP", APP],
        ["VISITOR", visitorId],
      ] as const) {
        const fileKey = await keepFile(world(), type, ownerId);
        const content = { fileKey, width: 3, height: 4, more: "not kept" };
        await app.value(app.post(path, { ...said, msgType: "image", content }));
        await app.value(app.post(path, { ...said, msgType: "file", content: { fileKey } }));
        const [image, file] = (await list({ visitorId })).records.slice(-2);
        const { url } = image.content;
        const attachment = { fileKey, url, fileName: "a.png", mimeType: "image/png", size: 7 };
        assert.match(url, /^http/);
        assert.deepEqual([image.msgType, image.content], ["image", { ...attachment, width: 3, height: 4 }]);
        assert.deepEqual([file.msgType, file.content], ["file", attachment]);
      }
      for (const fileKey of [
        "file_nothing",
        "a\u0000",
        await keepFile(world(), "APP", "app_other"),
        await keepFile(world(), "VISITOR", visitorOf(APP, "ben")),
        await keepFile(world(), "MEMBER", visitorId),
      ]) {
        const refused = await app.post(path, { ...said, msgType: "file", content: { fileKey } });
        assertRefused(refused, 403, "400008", "fileKey无效或已过期");
      }
      const expired = await keepFile(world(), "APP", APP);
      world().clock.turn(1000);
      const refused = await app.post(path, { ...said, msgType: "file", content: { fileKey: expired } });
      assertRefused(refused, 403, "400008", "fileKey无效或已过期");
    });
    test(`${path}: a thirdMsgId of 128 characters is accepted; a refused send does not use it up`, async () => {
      const visitorId = await app.newVisitor();
      const said = { agentId: "alice", visitorId, content: "x", thirdMsgId: `${path} ${"键".repeat(100)}` };
      for (const [other, status] of [
        [{ content: " " }, 400],
        [{ visitorId: "v_nobody" }, 404],
        [{ visitorId: visitorOf(APP, "dora") }, 403],
        [{ sessionId: "abc" }, 404],
        [{ msgType: "file", content: { fileKey: "x" } }, 403],
      ] as const) {
        assert.equal((await app.post(path, { ...said, ...other })).status, status);
      }
      const first = await app.value(app.post(path, said));
      assert.equal(first.isDuplicate, false);
      // A repeat is detected before anything else is checked.
      for (const other of [
        {},
        { visitorId: "v_nobody" },
        { visitorId: visitorOf(APP, "dora") },
        { sessionId: 99999 },
        { agentId: "nobody" },
      ]) {
        assert.deepEqual(await app.value(app.post(path, { ...said, ...other })), { ...first, isDuplicate: true });
      }
      assertRefused(await app.post(path, { ...said, content: " " }), 400, "400006");
      assert.equal((await list({ visitorId })).total, 1);
    });
    test(`${path}: 50 concurrent sends with one thirdMsgId create one message, to one visitor or to many`, async () => {
      for (const count of [1, 5]) {
        const visitors = await Promise.all(Array.from({ length: count }, () => app.newVisitor()));
        const thirdMsgId = `race ${path} ${count}`;
        const values = await Promise.all(
          Array.from({ length: 50 }, (_, n) =>
            app.value(app.post(path, { agentId: "alice", visitorId: visitors[n % count], content: "x", thirdMsgId })),
          ),
        );
        assert.equal(values.filter(({ isDuplicate }) => !isDuplicate).length, 1);
        for (const name of ["messageId", "sessionId", "seq"]) {
          assert.equal(new Set(values.map((value) => value[name])).size, 1, name);
        }
        const totals = await Promise.all(visitors.map(async (visitorId) => (await list({ visitorId })).total));
        assert.equal(
          totals.reduce((sum, total) => sum + total, 0),
          1,
        );
      }
    });
  }
  test("visitors' and agents' thirdMsgIds are independent", async () => {
    const visitorId = await app.newVisitor();
    const said = { visitorId, content: "x", thirdMsgId: "both ways" };
    const [asked, answered] = [await send(said), await sendAs(said)];
    assert.equal(answered.isDuplicate, false);
    assert.deepEqual((await send(said)).messageId, asked.messageId);
    assert.deepEqual((await sendAs(said)).messageId, answered.messageId);
  });
  test("seq has no gaps under concurrent sends of both sides, including refused ones", async () => {
    const visitorId = await app.newVisitor();
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, n) =>
        n % 3 === 0
          ? app.post("message/send", { visitorId, content: n % 2 === 0 ? " " : { x: 1 } })
          : app.post(SENDS[n % 2] ?? "", { agentId: "bob", visitorId, content: `${n}` }),
      ),
    );
    const sent = answers.filter(({ status }) => status === 200).map(({ json }) => json.value);
    assert.deepEqual(
      sent.map(({ seq }) => seq).sort((a, b) => a - b),
      Array.from({ length: 60 }, (_, n) => n + 1),
    );
    assert.equal(new Set(sent.map(({ sessionId }) => sessionId)).size, 1);
  });
  if (engine.name === "postgres") {
    test("two processes: one thirdMsgId creates one message, and one visitor gets one session", async () => {
      const urls = [world().url, (await world().start()).url];
      const visitorId = await app.newVisitor();
      const body = JSON.stringify({ visitorId, content: "x", thirdMsgId: "across" });
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => {
          const timestamp = world().clock.now();
          const call = { method: "POST", target: `${V1}/message/send`, timestamp, body };
          return sendSigned(urls[n % 2] ?? "", credentialsOf(APP), call);
        }),
      );
      for (const answer of answers) assertSuccess(answer);
      assert.equal(answers.filter(({ json }) => !json.value.isDuplicate).length, 1);
      assert.equal(new Set(answers.map(({ json }) => json.value.messageId)).size, 1);
      assert.equal((await list({ visitorId })).total, 1);
    });
  }

  test("message/list: pages from the oldest, after a seq, and of one session", async () => {
    const visitorId = await app.newVisitor();
    const sessions: number[] = [];
    for (let n = 1; n <= 25; n++) {
      const { sessionId } = await send({ visitorId, content: `${n}` });
      if (n === 10 || n === 12) await app.value(app.post("session/close", { sessionId }));
      if (sessions.at(-1) !== sessionId) sessions.push(sessionId);
    }
    const page = async (query: Record<string, string | number>) => {
      const { records, total } = await list({ visitorId, ...query });
      return { seqs: records.map(({ seq }: { seq: number }) => seq), total };
    };
    const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);
    assert.deepEqual(await page({}), { seqs: from(1, 20), total: 25 });
    assert.deepEqual(await page({ page: 2 }), { seqs: from(21, 25), total: 25 });
    assert.deepEqual(await page({ page: 3 }), { seqs: [], total: 25 });
    assert.deepEqual(await page({ page: 1_000_000, pageSize: 100 }), { seqs: [], total: 25 });
    assert.deepEqual(await page({ page: 3, pageSize: 7 }), { seqs: from(15, 21), total: 25 });
    assert.deepEqual(await page({ pageSize: 100 }), { seqs: from(1, 25), total: 25 });
    assert.deepEqual(await page({ afterSeq: 22 }), { seqs: from(23, 25), total: 3 });
    assert.deepEqual(await page({ afterSeq: 2, pageSize: 3, page: 2 }), { seqs: from(6, 8), total: 23 });
    assert.deepEqual(await page({ afterSeq: 25 }), { seqs: [], total: 0 });
    assert.deepEqual(await page({ afterSeq: Number.MAX_SAFE_INTEGER }), { seqs: [], total: 0 });
    const [first = 0, second = 0, third = 0] = sessions;
    assert.deepEqual(await page({ sessionId: first }), { seqs: from(1, 10), total: 10 });
    assert.deepEqual(await page({ sessionId: second }), { seqs: from(11, 12), total: 2 });
    assert.deepEqual(await page({ sessionId: third, afterSeq: 15, pageSize: 5, page: 2 }), {
      seqs: from(21, 25),
      total: 10,
    });
    assert.deepEqual(await page({ sessionId: second, afterSeq: 12 }), { seqs: [], total: 0 });
    const others = await app.newSession();
    for (const sessionId of ["abc", "-1", "0", "1.5", 99999999, others.sessionId]) {
      assert.deepEqual(await page({ sessionId }), { seqs: [], total: 0 });
    }
    assert.deepEqual(await list({ visitorId: others.visitorId, sessionId: others.sessionId }), {
      records: [],
      total: 0,
    });
    for (const [query, named] of [
      [{ page: 0 }, "page"],
      [{ page: "x" }, "page"],
      [{ pageSize: 0 }, "pageSize"],
      [{ pageSize: 101 }, "pageSize"],
      [{ afterSeq: -1 }, "afterSeq"],
      [{ afterSeq: "1.5" }, "afterSeq"],
    ] as const) {
      const refused = await app.get("message/list", { visitorId, ...query });
      assertRefused(refused, 400, "400006");
      assert.ok(refused.json.message.startsWith(named), refused.json.message);
    }
  });

  test("every message and session is announced once and in order; repeats and refusals are not", async () => {
    for (const type of ["customer.message.created_v1", "customer.session.changed_v1"] as const) {
      await subscribe(world(), APP, "https://receiver.test:1/", type);
    }
    const visitorId = await app.newVisitor();
    const from = (await app.events()).length;
    const said = { visitorId, content: "hello", thirdMsgId: "told once" };
    const { sessionId, messageId } = await send(said);
    await send(said);
    await app.post("message/send", { visitorId, content: " " });
    await app.post("message/send", { visitorId, content: "x", sessionId: 99999999 });
    await app.post("message/send", { visitorId, content: { fileKey: "x" }, msgType: "file" });
    const reply = await sendAs({ visitorId, content: "hi" });
    const events = await app.events(from);
    assert.deepEqual(
      events.map((event) => [event.eventType, event.change ?? event.message.messageId]),
      [
        ["customer.session.changed_v1", "created"],
        ["customer.message.created_v1", messageId],
        ["customer.session.changed_v1", "assigned"],
        ["customer.message.created_v1", reply.messageId],
      ],
    );
    const [created, first, assigned, second] = events;
    assert.deepEqual([created.session.sessionId, created.previousAgentId], [sessionId, null]);
    assert.equal(first.message.content, "hello");
    assert.equal(first.session.status, "QUEUED");
    assert.deepEqual([assigned.session.agentId, assigned.previousAgentId], ["alice", null]);
    assert.deepEqual([second.message.agentId, second.message.senderType], ["alice", "AGENT"]);
    assert.deepEqual(second.session, await session(sessionId));
    assert.deepEqual([first.message, second.message], (await list({ visitorId })).records);
    const { db } = world().portico.ctx.storage;
    const all = db.selectFrom("deliveries").select("status").where("app_id", "=", APP).orderBy("delivery_id");
    const rows = await all.execute();
    assert.ok(rows.slice(from).every(({ status }) => status !== "DROPPED"));
  });
});
