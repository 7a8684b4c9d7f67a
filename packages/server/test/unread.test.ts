import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Conversation } from "@portico/protocol";
import type { KyselyPlugin } from "kysely";
import { listConversations } from "../src/api/client/conversations/list-conversations.ts";
import { markRead } from "../src/api/client/conversations/mark-read.ts";
import { InSlices } from "../src/platform/http/in-slices.ts";
import { alice, bob, sendText } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { carol, clientAcme } from "./support/client-acme.ts";
import { onBothEngines, sqlite } from "./support/engines.ts";
import type { Answer } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld } from "./support/world.ts";

const TEAM = "conversations/group:g_team";

const OF_TEAM = { conversationId: "group:g_team" };
/** A call of alice's, received by no server. */
const CALL = {
  member: { userId: "u_alice", username: "alice", name: "Alice", tenantId: "t_acme" },
  ...{ params: {}, body: undefined, rawBody: Buffer.of(), query: undefined, upload: null },
  ...{ address: "", origin: { address: "", userAgent: "" }, cookies: "", accessToken: "" },
  audit: async () => {},
  setCookie: () => {},
  room: async () => {},
};

/** A member's mark and count of the team's conversation. */
async function teamOf(member: MemberClient): Promise<[readSeq: number, unreadCount: number, lastSeq: number]> {
  const items: Conversation[] = (await member.get("conversations")).json.value.items;
  const team = items.find(({ conversationId }) => conversationId === "group:g_team");
  return [team?.readSeq ?? -1, team?.unreadCount ?? -1, team?.lastSeq ?? -1];
}

async function say(member: MemberClient, text: string): Promise<number> {
  const answer = await member.post(`${TEAM}/messages`, { msgType: "text", content: { text } });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.value.msgSeq;
}

const read = (member: MemberClient, seq: unknown) => member.post(`${TEAM}/read`, { seq }, "PUT");

onBothEngines("what a member has not read", (engine, test) => {
  const world = suiteWorld(engine, clientAcme());

  test("counts what others have said after the mark, not what the member did", async () => {
    const [a, b] = [await MemberClient.signIn(world(), alice), await MemberClient.signIn(world(), bob)];
    await say(b, "one");
    const two = await say(b, "two");
    await say(a, "mine");
    await sendText(world(), "app_bot", "the bot's");
    assert.deepEqual(await teamOf(a), [0, 3, 4]);
    assert.deepEqual(await teamOf(b), [0, 2, 4]);
    assert.deepEqual((await read(a, two)).json.value, { readSeq: 2 });
    assert.deepEqual(await teamOf(a), [2, 1, 4]);
    assert.deepEqual(await teamOf(b), [0, 2, 4]);
  });
  test("a mark never moves back, and not beyond the newest change", async () => {
    const a = await MemberClient.signIn(world(), alice);
    assert.deepEqual((await read(a, 1)).json.value, { readSeq: 2 });
    assert.deepEqual((await read(a, 0)).json.value, { readSeq: 2 });
    assert.deepEqual((await read(a, Number.MAX_SAFE_INTEGER)).json.value, { readSeq: 4 });
    assert.deepEqual(await teamOf(a), [4, 0, 4]);
    await say(await MemberClient.signIn(world(), bob), "new");
    assert.deepEqual(await teamOf(a), [4, 1, 5]);
  });
  test("a mark that does not move writes nothing", async () => {
    const { storage, ...ctx } = world().portico.ctx;
    const write = () => Promise.reject(new Error("nothing is to be written"));
    const parts = { ...ctx, storage: { db: storage.db, write } as unknown as typeof storage };
    for (const seq of [0, 3, 4]) {
      assert.deepEqual(await markRead().handle(parts, { ...CALL, params: OF_TEAM, body: { seq } }), { readSeq: 4 });
    }
  });
  test("of marks that are set at once, in any order, the highest stays", async () => {
    const b = await MemberClient.signIn(world(), bob);
    for (let n = 0; n < 10; n++) await say(await MemberClient.signIn(world(), alice), `${n}`);
    const answers = await Promise.all([3, 15, 7, 11, 1, 14, 9].map((seq) => read(b, seq)));
    for (const answer of answers) assert.equal(answer.status, 200, answer.text);
    assert.equal((await teamOf(b))[0], 15);
  });
  test("at most 100 are counted, among the newest 300", async () => {
    const [a, b] = [await MemberClient.signIn(world(), alice), await MemberClient.signIn(world(), bob)];
    const last = await say(b, "begins");
    await read(a, last);
    for (let n = 0; n < 99; n++) await say(b, `${n}`);
    assert.equal((await teamOf(a))[1], 99);
    for (let n = 0; n < 5; n++) await say(b, `${n}`);
    assert.equal((await teamOf(a))[1], 100);
    for (let n = 0; n < 250; n++) await say(a, `${n}`);
    assert.equal((await teamOf(a))[1], 50);
  });
  test("all streams of the member are told, in every process, and nobody else's", async () => {
    const [a, b] = [await MemberClient.signIn(world(), alice), await MemberClient.signIn(world(), bob)];
    const other = engine.name === "postgres" ? (await world().start()).url : world().url;
    const [here, there, bobs] = [
      await StreamClient.open(world().url, a.token),
      await StreamClient.open(other, a.token),
      await StreamClient.open(world().url, b.token),
    ];
    const last = await say(b, "read this");
    await read(a, last);
    for (const stream of [here, there]) {
      const frame = await stream.find(({ type }) => type === "conversation.read");
      assert.deepEqual(frame, { type: "conversation.read", conversationId: "group:g_team", seq: last });
    }
    // Nothing moves, so nothing is told.
    await read(a, last);
    const next = await say(b, "the last");
    for (const stream of [here, there, bobs]) {
      await stream.find(({ msgSeq }) => msgSeq === next);
      const told = stream.frames.filter(({ type }) => type === "conversation.read");
      assert.equal(told.length, stream === bobs ? 0 : 1);
      await stream.close();
    }
  });
  if (engine.name === "postgres") {
    test("a message of another process that cannot be read is logged, and those after it count", async () => {
      const [a, b] = [await MemberClient.signIn(world(), alice), await MemberClient.signIn(world(), bob)];
      const other = await StreamClient.open((await world().start()).url, a.token);
      world().portico.ctx.coordination.topics.tell({ kind: "member", key: "u_alice" }, "{");
      const last = await say(b, "and now");
      await read(a, last);
      await other.find(({ type, seq }) => type === "conversation.read" && seq === last);
      assert.ok(world().logLines.some((line) => line.includes("a message from another process cannot be read")));
      await other.close();
    });
  }
  test("a conversation that is not the member's, or a seq that is none, is refused", async () => {
    const c = await MemberClient.signIn(world(), carol);
    assertRefused(await read(c, 1), 403, "400008", "会话不存在或无权访问");
    assertRefused(await c.get(`${TEAM}/members`), 403, "400008", "会话不存在或无权访问");
    const a = await MemberClient.signIn(world(), alice);
    for (const seq of [undefined, -1, 1.5, "1", 2 ** 53]) assertRefused(await read(a, seq), 400, "400006");
  });
});

describe("how often a member may move marks", () => {
  const world = suiteWorld(sqlite, clientAcme());

  test("600 times a minute; others are not affected, and what moves nothing is not counted", async () => {
    await say(await MemberClient.signIn(world(), bob), "the first of many");
    const { ctx } = world().portico;
    await ctx.storage.write(async (tx) => {
      const many = tx.updateTable("conversations").set({ last_seq: 1_000 });
      await many.where("conversation_key", "=", "group:g_team").execute();
    });
    const route = markRead();
    const move = (seq: number, member = CALL.member) =>
      route.handle(ctx, { ...CALL, member, params: OF_TEAM, body: { seq } });
    for (let seq = 1; seq <= 600; seq++) await move(seq);
    await assert.rejects(move(601), { kind: "QUOTA_EXCEEDED", retryAfterSeconds: 1 });
    assert.deepEqual(await move(600), { readSeq: 600 });
    assert.deepEqual(await move(1, { ...CALL.member, userId: "u_bob", username: "bob" }), { readSeq: 1 });
    world().clock.turn(1_000);
    assert.deepEqual(await move(601), { readSeq: 601 });
  });
});

onBothEngines("a message that arrives while the list of conversations is read", (engine, test) => {
  const world = suiteWorld(engine, clientAcme());

  test("is the last message, or comes after lastSeq: who goes on from there misses none", async () => {
    const b = await MemberClient.signIn(world(), bob);
    await say(b, "begins");
    const { storage, ...ctx } = world().portico.ctx;
    let queries = Number.POSITIVE_INFINITY;
    for (let arrivesAfter = 1; arrivesAfter <= queries; arrivesAfter++) {
      // What has been shown before is not read again.
      await say(b, "unknown");
      queries = 0;
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (++queries === arrivesAfter) await say(b, `${arrivesAfter}`);
          return result;
        },
      };
      const db = storage.db.withPlugin(plugin);
      const ask: typeof storage.ask = (query, params) => query.alone(db, params);
      const spied = { db, ask, lists: storage.lists.withPlugin(plugin), synced: () => storage.synced() };
      const answer = await listConversations.handle(
        { ...ctx, storage: spied as typeof storage },
        { ...CALL, query: {} },
      );
      assert.ok(answer instanceof InSlices);
      const items: unknown[] = [];
      for await (const slice of answer.slices) items.push(...JSON.parse(`[${slice.take()}]`));
      const team = (items as Conversation[]).find(({ conversationId }) => conversationId === "group:g_team");
      const { lastMessage, lastSeq = 0 } = team ?? {};
      assert.ok(
        (lastMessage?.msgSeq ?? 0) >= lastSeq,
        `after query ${arrivesAfter}: ${lastMessage?.msgSeq}, ${lastSeq}`,
      );
    }
    assert.ok(queries >= 3);
  });
});

onBothEngines("whom a message may mention", (engine, test) => {
  const world = suiteWorld(engine, clientAcme());
  const namesOf = ({ json }: Answer) => json.value.items.map(({ name }: { name: string }) => name);

  test("a group's members and bots, by name", async () => {
    const a = await MemberClient.signIn(world(), alice);
    const answer = await a.get(`${TEAM}/members`);
    assert.deepEqual(answer.json.value.items, [
      { userId: "u_alice", name: "Alice", isBot: false },
      { userId: "u_bob", name: "Bob", isBot: false },
      { userId: "app_bot", name: "Bot app_bot", isBot: true },
    ]);
    assert.deepEqual(namesOf(await a.get(`${TEAM}/members?limit=1`)), ["Alice"]);
  });
  test("those whose name, a word of it, or user name begins so, in whatever capitals", async () => {
    const a = await MemberClient.signIn(world(), alice);
    for (const [prefix, names] of [
      ["b", ["Bob", "Bot app_bot"]],
      ["BO", ["Bob", "Bot app_bot"]],
      ["app", ["Bot app_bot"]],
      ["ali", ["Alice"]],
      ["lice", []],
      ["%", []],
      ["_", []],
    ] as const) {
      assert.deepEqual(namesOf(await a.get(`${TEAM}/members?prefix=${encodeURIComponent(prefix)}`)), names, prefix);
    }
  });
  test("those whose name holds a keyword, those whose name begins so first; Chinese names by their initials too", async () => {
    const a = await MemberClient.signIn(world(), alice);
    const rename = (name: string) =>
      world().portico.ctx.storage.write((tx) =>
        tx.updateTable("members").set({ name }).where("user_id", "=", "u_bob").execute(),
      );
    await rename("王小明");
    for (const [keyword, names] of [
      ["小", ["王小明"]],
      ["WXM", ["王小明"]],
      ["xm", ["王小明"]],
      ["bob", ["王小明"]],
      ["mw", []],
      ["Bot a", ["Bot app_bot"]],
      ["lic", ["Alice"]],
      ["%", []],
    ] as const) {
      assert.deepEqual(namesOf(await a.get(`${TEAM}/members?keyword=${encodeURIComponent(keyword)}`)), names, keyword);
    }
    await rename("Bob");
    assert.deepEqual(namesOf(await a.get(`${TEAM}/members?keyword=bo`)), ["Bob", "Bot app_bot"]);
    assert.deepEqual(namesOf(await a.get(`${TEAM}/members?keyword=a`)), ["Alice", "Bot app_bot"]);
  });
  test("in a conversation with a bot, the member and the bot", async () => {
    const a = await MemberClient.signIn(world(), alice);
    assert.deepEqual(namesOf(await a.get("conversations/bot:app_bot/members")), ["Alice", "Bot app_bot"]);
  });
  test("the bot of a conversation is listed however many other bots the member has", async () => {
    const a = await MemberClient.signIn(world(), alice);
    await world().portico.ctx.storage.write(async (tx) => {
      const app = await tx.selectFrom("apps").selectAll().where("app_id", "=", "app_bot").executeTakeFirstOrThrow();
      const installed = await tx
        .selectFrom("installations")
        .selectAll()
        .where("app_id", "=", "app_bot")
        .where("target_id", "=", "u_alice")
        .executeTakeFirstOrThrow();
      const ids = Array.from({ length: 500 }, (_, n) => `app_a${n}`);
      await tx
        .insertInto("apps")
        .values(ids.map((app_id) => ({ ...app, app_id })))
        .execute();
      await tx
        .insertInto("installations")
        .values(ids.map((app_id) => ({ ...installed, app_id })))
        .execute();
    });
    assert.deepEqual(namesOf(await a.get("conversations/bot:app_bot/members")), ["Alice", "Bot app_bot"]);
  });
});
