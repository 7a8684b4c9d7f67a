import assert from "node:assert/strict";
import { MAX_CANDIDATES, SEARCH_WINDOW } from "../src/domain/customer-service/message-search.ts";
import { acme } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { DeskClient } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const APPS = ["app_find", "app_other", "app_pages", "app_large", "app_many", "app_file", "app_past", "app_long"];

onBothEngines("search at the desk", (engine, test) => {
  const world = suiteWorld(
    engine,
    acme(...APPS.map((appId) => customerApp(appId)), customerApp("app_bobs", { agents: ["bob"] })),
  );
  const client = (appId: string) => new CustomerClient(world, appId);
  const signIn = (userId = "u_alice") => DeskClient.signIn(world(), userId);
  const say = async (appId: string, visitorId: string, content: string) => {
    const app = client(appId);
    return await app.value(app.post("message/send", { visitorId, content }));
  };
  const search = async (appId: string, q: string, other = "") =>
    await (await signIn()).ok("GET", `apps/${appId}/search?q=${encodeURIComponent(q)}${other}`);
  const contents = ({ messages }: { messages: { message: { content: unknown } }[] }) =>
    messages.map(({ message }) => message.content);

  test("finds visitors and messages of the application alone, newest first, whatever characters they have", async () => {
    const app = client("app_find");
    const thirdUserId = "c-find";
    const { visitorId } = await app.value(
      app.post("visitor/auth", { thirdUserId, nickname: "Order Lee", extra: { a: 1 } }),
    );
    const texts = ["Where is my Order 4711?", 'a "quoted"\nline', "订单在哪里", "100%_\\ sure", "order again", "n"];
    for (const text of texts) await say("app_find", visitorId, text);
    await say("app_other", await client("app_other").newVisitor(), "order of another");
    const found = await search("app_find", "ORDER");
    assert.deepEqual(
      found.visitors.map(({ nickname, extra }: Record<string, unknown>) => [nickname, extra]),
      [["Order Lee", undefined]],
    );
    assert.deepEqual(contents(found), ["order again", "Where is my Order 4711?"]);
    const [{ message, visitor }] = found.messages;
    assert.deepEqual([message.senderType, message.seq, message.visitorId], ["VISITOR", 5, visitorId]);
    assert.equal(visitor.thirdUserId, thirdUserId);
    for (const [q, expected] of [
      ["订", ["订单在哪里"]],
      ["哪里", ["订单在哪里"]],
      ["%_\\", ["100%_\\ sure"]],
      ['"quoted"\nl', ['a "quoted"\nline']],
      ["nline", []],
      ["quoted\\", []],
      ["4711?", ["Where is my Order 4711?"]],
      ["unknown", []],
    ] as const) {
      assert.deepEqual(contents(await search("app_find", q)), expected, q);
    }
  });

  test("pages go back by messageId, without visitors, until an empty one", async () => {
    const visitorId = await client("app_pages").newVisitor();
    for (let n = 0; n < 25; n++) await say("app_pages", visitorId, `needle ${n}`);
    await say("app_pages", visitorId, "hay");
    const read: unknown[] = [];
    for (let before = ""; ; ) {
      const page = await search("app_pages", "needle", `&limit=10${before}`);
      if (page.messages.length === 0) break;
      if (before !== "") assert.deepEqual(page.visitors, []);
      read.push(...contents(page));
      before = `&before=${page.messages.at(-1).message.messageId}`;
    }
    assert.deepEqual(
      read,
      Array.from({ length: 25 }, (_, n) => `needle ${24 - n}`),
    );
  });

  test("large messages make a page shorter; only the beginning of a long text is searched", async () => {
    const visitorId = await client("app_large").newVisitor();
    const long = `needle ${"x".repeat(100_000)} tail`;
    for (let n = 0; n < 4; n++) await say("app_large", visitorId, long);
    const page = await search("app_large", "needle");
    assert.equal(page.messages.length, 2);
    const rest = await search("app_large", "needle", `&before=${page.messages.at(-1).message.messageId}`);
    assert.deepEqual(contents(rest), [long, long]);
    assert.deepEqual(contents(await search("app_large", "tail")), []);
    const cut = `${"x".repeat(499)}😀`;
    await say("app_long", await client("app_long").newVisitor(), cut);
    assert.deepEqual(contents(await search("app_long", "xxx")), [cut], "a text may be cut within a character");
  });

  test("one search looks at so many messages, and says where to go on; none is left out or found twice", async () => {
    const visitorId = await client("app_many").newVisitor();
    const { sessionId } = await say("app_many", visitorId, "a rare word");
    const hits = MAX_CANDIDATES + 50;
    // Newer than all hits: PostgreSQL's index names too many, and the search goes on by windows.
    const others = SEARCH_WINDOW[engine.name] + 10;
    await store(visitorId, sessionId, [
      ...Array.from({ length: hits }, (_, n) => `common ${n}`),
      ...Array.from({ length: others }, (_, n) => `other ${n}`),
    ]);
    assert.deepEqual(contents(await search("app_many", "rare word")), ["a rare word"]);
    const read: unknown[] = [];
    let calls = 0;
    for (let next: number | null = Number.MAX_SAFE_INTEGER; next !== null; calls++) {
      const page = await search("app_many", "common", `&limit=50&before=${next}`);
      assert.ok(page.nextBefore === null || page.nextBefore < next, "each page goes on");
      read.push(...contents(page));
      next = page.nextBefore;
    }
    assert.deepEqual(
      read,
      Array.from({ length: hits }, (_, n) => `common ${hits - 1 - n}`),
    );
    assert.ok(calls <= hits / 50 + 4, `${calls} calls`);
  });

  /** Stores messages as an earlier time has left them. */
  async function store(visitorId: string, sessionId: number, texts: readonly string[]): Promise<void> {
    const message = {
      app_id: "app_many",
      visitor_id: visitorId,
      session_id: sessionId,
      sender_type: "VISITOR" as const,
      agent_user_id: null,
      third_msg_id: null,
      msg_type: "text" as const,
      created_at: 1,
    };
    for (let from = 0; from < texts.length; from += 500) {
      const part = texts.slice(from, from + 500);
      await world().portico.ctx.storage.write(async (tx) => {
        const rows = part.map((text, n) => ({ ...message, seq: from + n + 2, content: JSON.stringify(text) }));
        const stored = await tx
          .insertInto("customer_messages")
          .values(rows)
          .returning(["message_id", "content"])
          .execute();
        const said = stored.map(({ message_id, content }) => ({
          message_id,
          app_id: "app_many",
          said: String(JSON.parse(content)),
        }));
        await tx.insertInto("customer_texts").values(said).execute();
      });
    }
  }

  test("a file is found by its name", async () => {
    const widget = await WidgetClient.open(world(), "app_file", "c-file");
    const fileKey = await widget.uploadKey({ fileName: "Invoice-2026.pdf" });
    await widget.ok("messages", { msgType: "file", content: { fileKey } });
    const { messages } = await search("app_file", "invoice");
    assert.equal(messages[0].message.content.fileName, "Invoice-2026.pdf");
    assert.deepEqual((await search("app_file", fileKey.slice(0, 12))).messages, []);
  });

  test("a visitor is shown with the integrator's data and the newest sessions, why they ended and how they were rated", async () => {
    const [app, alice] = [client("app_past"), await signIn()];
    const widget = await WidgetClient.open(world(), "app_past", "c-past", { nickname: "Pat", extra: { vip: true } });
    const { visitorId } = widget;
    for (let n = 0; n < 20; n++) {
      const { sessionId } = await app.value(app.post("session/create", { visitorId }));
      await app.value(app.post("session/close", { sessionId }));
    }
    const open = await app.value(app.post("session/create", { visitorId, subject: "Refund" }));
    const shown = await alice.ok("GET", `apps/app_past/visitors/${visitorId}`);
    assert.deepEqual([shown.nickname, shown.extra, shown.sessions.length], ["Pat", { vip: true }, 20]);
    const { visitorId: _, queuePosition: __, isExisting: ___, ...rest } = open;
    assert.deepEqual(shown.sessions[0], { ...rest, closeReason: null, ratingComment: null });
    const other = await WidgetClient.open(world(), "app_past", "c-rated");
    const rated = await app.value(app.post("session/create", { visitorId: other.visitorId, agentId: "alice" }));
    await alice.ok("POST", `apps/app_past/sessions/${rated.sessionId}/close`, { reason: "solved" });
    await other.ok("rating", { rating: 4, comment: "quick" });
    const { sessions } = await alice.ok("GET", `apps/app_past/visitors/${other.visitorId}`);
    const { agentId, closedBy, closeReason, rating, ratingComment } = sessions[0];
    assert.deepEqual([agentId, closedBy, closeReason, rating, ratingComment], ["alice", "alice", "solved", 4, "quick"]);
  });

  test("what is unknown or foreign is refused", async () => {
    const alice = await signIn();
    const foreign = await client("app_bobs").newVisitor();
    for (const id of [foreign, "v_unknown"]) {
      assertRefused(await alice.call("GET", `apps/app_find/visitors/${id}`), 404, "400100", "访客不存在");
    }
    for (const path of [`visitors/${foreign}`, "search?q=x"]) {
      assertRefused(await alice.call("GET", `apps/app_bobs/${path}`), 403, "400008", "不是该应用的客服");
    }
    for (const query of ["", "q=", `q=${"x".repeat(65)}`, "q=x&limit=51", "q=x&before=0", "q=%00"]) {
      assertRefused(await alice.call("GET", `apps/app_find/search?${query}`), 400, "400006");
    }
  });
});
