import assert from "node:assert/strict";
import { sql } from "kysely";
import { PAGE_BYTES, SLICE_BYTES } from "../src/platform/http/large-answers.ts";
import { acme, bob, botApp } from "./support/acme.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { DeskClient } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { WidgetClient } from "./support/widget.ts";
import { suiteWorld, type World } from "./support/world.ts";

const APP = "app_desk";
const TEXT_BYTES = 250 * 1024;
/** Together far more than fits on a page. */
const LARGE = 12;
const SMALL = 3;
const COUNT = LARGE + SMALL;
const seqs = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** JSON texts: large ones, then small ones. */
function contentOf(seq: number): string {
  const length = seq <= LARGE ? TEXT_BYTES : 10;
  return JSON.stringify("x".repeat(length - String(seq).length) + seq);
}

/** Stores messages in the team of alice and bob, one with an update, and in the conversation of a visitor. */
async function storeMessages(world: World, visitorId: string, sessionId: number): Promise<void> {
  const { storage, clock } = world.portico.ctx;
  const now = clock.now();
  await storage.write(async (tx) => {
    for (const seq of seqs(1, COUNT)) {
      const content = contentOf(seq);
      const message = { msg_type: "text", content, created_at: now } as const;
      await tx
        .insertInto("messages")
        .values({
          ...message,
          conversation_key: "group:g_team",
          msg_seq: seq,
          sender_type: "BOT",
          sender_id: "app_bot",
          content: `{"text":${content}}`,
          mentions: "[]",
        })
        .execute();
      const about = { app_id: APP, visitor_id: visitorId, session_id: sessionId, seq, sender_type: "VISITOR" } as const;
      await tx
        .insertInto("customer_messages")
        .values({ ...message, ...about })
        .execute();
    }
    await sql`insert into conversation_changes (conversation_key, msg_seq, type, message_id)
      select conversation_key, ${sql.lit(COUNT + 1)}, 'card.updated', message_id from messages where msg_seq = 1`.execute(
      tx,
    );
    for (const [conversation_key, last_seq] of [
      ["group:g_team", COUNT + 1],
      [`visitor:${visitorId}`, COUNT],
    ] as const) {
      await tx
        .insertInto("conversations")
        .values({ conversation_key, last_seq })
        .onConflict((conflict) => conflict.column("conversation_key").doUpdateSet({ last_seq }))
        .execute();
    }
    await tx.updateTable("customer_sessions").set({ first_seq: 1, last_seq: COUNT }).execute();
  });
}

onBothEngines("pages of large messages", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), customerApp(APP, { agents: ["bob"], visitors: [] })));
  const app = new CustomerClient(world, APP);
  let visitor: WidgetClient;
  let sessionId: number;

  /** Reads pages until one is empty; asserts that each has at most a page's bytes, or one message. */
  async function readAll(
    read: (last: { msgSeq?: number; seq?: number } | null) => Promise<{ text: string; json: unknown }>,
    end: "first" | "last",
  ): Promise<{ all: { msgSeq?: number; seq?: number }[]; pages: number }> {
    const all: { msgSeq?: number; seq?: number }[] = [];
    for (let pages = 0; ; pages++) {
      const { text, json } = await read((end === "first" ? all.at(0) : all.at(-1)) ?? null);
      const { items } = (json as { value: { items: { seq?: number }[] } }).value;
      if (items.length === 0) return { all, pages };
      assert.ok(text.length < PAGE_BYTES + 16 * 1024 || items.length === 1, `${text.length} bytes`);
      if (end === "first") all.unshift(...items);
      else all.push(...items);
    }
  }

  test("setting: messages are stored", async () => {
    visitor = await WidgetClient.open(world(), APP, "ann");
    ({ sessionId } = await app.value(app.post("session/create", { visitorId: visitor.visitorId })));
    await storeMessages(world(), visitor.visitorId, sessionId);
  });
  test("a member's history comes in pages of at most a MiB, newest first; an empty one is the end", async () => {
    const member = await MemberClient.signIn(world(), bob);
    const path = "conversations/group:g_team/messages?limit=100";
    const read = (last: { msgSeq?: number } | null) =>
      member.get(last === null ? path : `${path}&beforeSeq=${last.msgSeq}`);
    const { all, pages } = await readAll(read, "first");
    assert.deepEqual(
      all.map(({ msgSeq }) => msgSeq),
      seqs(1, COUNT),
    );
    assert.equal(pages, 3);
  });
  test("so do changes, in their order", async () => {
    const member = await MemberClient.signIn(world(), bob);
    const path = "conversations/group:g_team/changes?limit=100";
    const read = (last: { msgSeq?: number } | null) => member.get(`${path}&afterSeq=${last?.msgSeq ?? 0}`);
    const { all } = await readAll(read, "last");
    assert.deepEqual(
      all.map(({ msgSeq }) => msgSeq),
      seqs(1, COUNT + 1),
    );
  });
  test("so do an agent's and a visitor's messages, from either end", async () => {
    const agent = await DeskClient.signIn(world(), "u_bob");
    const readers = [
      (query: string) => agent.call("GET", `apps/${APP}/sessions/${sessionId}/messages?limit=100${query}`),
      (query: string) => visitor.call(`messages?limit=100${query}`),
    ];
    for (const read of readers) {
      const back = await readAll((first) => read(first === null ? "" : `&beforeSeq=${first.seq}`), "first");
      const on = await readAll((last) => read(`&afterSeq=${last?.seq ?? 0}`), "last");
      for (const { all, pages } of [back, on]) {
        assert.deepEqual(
          all.map(({ seq }) => seq),
          seqs(1, COUNT),
        );
        assert.equal(pages, 3);
      }
    }
  });
  test("pages by number are complete, however large", async () => {
    const { visitorId } = visitor;
    const list = (query: Record<string, number>) => app.get("message/list", { visitorId, ...query });
    const { records, total } = await app.value(list({ pageSize: 100 }));
    assert.equal(total, COUNT);
    assert.deepEqual(
      records.map(({ seq, content }: { seq: number; content: string }) => [seq, JSON.stringify(content)]),
      seqs(1, COUNT).map((seq) => [seq, contentOf(seq)]),
    );
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push((await app.value(list({ page, pageSize: 5 }))).records);
    assert.deepEqual(
      pages.map((page) => page.map(({ seq }: { seq: number }) => seq)),
      [seqs(1, 5), seqs(6, 10), seqs(11, 15), []],
    );
    const after = await app.value(list({ afterSeq: LARGE, pageSize: 2 }));
    assert.deepEqual([after.records.map(({ seq }: { seq: number }) => seq), after.total], [[13, 14], SMALL]);
    const { text } = await list({ page: 9 });
    assert.match(text, /^\{"code":"000000","message":"success","value":\{"records":\[\],"total":15\},"reqNo":"\w+"\}$/);
  });
  test("lists of conversations and sessions show their last messages, however large", async () => {
    const { storage } = world().portico.ctx;
    const groups = seqs(1, 8).map((n) => `g_${n}`);
    await storage.write(async (tx) => {
      for (const group_id of groups) {
        await tx.insertInto("groups").values({ group_id, tenant_id: "t_acme", name: group_id }).execute();
        await tx.insertInto("group_members").values({ group_id, user_id: "u_bob" }).execute();
        await sql`insert into messages (conversation_key, msg_seq, sender_type, sender_id, msg_type, content, mentions, created_at)
          select ${sql.lit(`group:${group_id}`)}, 1, sender_type, sender_id, msg_type, content, mentions, created_at
          from messages where conversation_key = 'group:g_team' and msg_seq = 1`.execute(tx);
        await tx
          .insertInto("conversations")
          .values({ conversation_key: `group:${group_id}`, last_seq: 1 })
          .execute();
      }
    });
    const member = await MemberClient.signIn(world(), bob);
    const { items } = (await member.get("conversations")).json.value;
    // biome-ignore lint/suspicious/noExplicitAny: as the answer has it.
    const shown = items.map(({ name, lastSeq, lastMessage }: any) => [name, lastSeq, lastMessage?.content.text.length]);
    assert.deepEqual(shown, [["Team", COUNT + 1, 10], ...groups.map((name) => [name, 1, TEXT_BYTES])]);

    for (const n of seqs(1, 5)) {
      const { visitorId } = await WidgetClient.open(world(), APP, `visitor ${n}`);
      await app.value(app.post("message/send", { visitorId, content: "x".repeat(TEXT_BYTES) }));
    }
    const agent = await DeskClient.signIn(world(), "u_bob");
    const waiting = await agent.ok("GET", `apps/${APP}/sessions?status=QUEUED&limit=100`);
    assert.deepEqual(
      // biome-ignore lint/suspicious/noExplicitAny: as the answer has it.
      waiting.items.map(({ visitor, queuePosition, lastMessage }: any) => [
        visitor.thirdUserId,
        queuePosition,
        lastMessage.content.length,
      ]),
      [["ann", 1, 10], ...seqs(1, 5).map((n) => [`visitor ${n}`, n + 1, TEXT_BYTES])],
    );
  });
  test("memory for large changes is reserved even if the first change is small", async (t) => {
    const { storage, largeAnswers } = world().portico.ctx;
    await storage.write(async (tx) => {
      for (const [msg_seq, kib] of [
        [2, 10],
        [3, 250],
      ] as const) {
        const text = JSON.stringify({ text: "x".repeat(kib * 1024) });
        await sql`insert into messages (conversation_key, msg_seq, sender_type, sender_id, msg_type, content, mentions, created_at)
          values ('group:g_1', ${msg_seq}, 'BOT', 'app_bot', 'text', ${text}, '[]', 0)`.execute(tx);
      }
      await sql`update conversations set last_seq = 3 where conversation_key = 'group:g_1'`.execute(tx);
    });
    const entered = t.mock.method(largeAnswers, "reserve");
    const member = await MemberClient.signIn(world(), bob);
    const { items } = (await member.get("conversations/group:g_1/changes?afterSeq=1")).json.value;
    assert.deepEqual(
      items.map(({ msgSeq }: { msgSeq: number }) => msgSeq),
      [2, 3],
    );
    assert.deepEqual(
      entered.mock.calls.map(({ arguments: [caller, , bytes] }) => [caller, bytes]),
      [["MEMBER u_bob", SLICE_BYTES]],
    );
  });
});
