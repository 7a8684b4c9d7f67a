import assert from "node:assert/strict";
import type { Conversation } from "@portico/protocol";
import { markRead } from "../src/domain/conversations/read-marks.ts";
import { alice, bob, sendText } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { carol, clientAcme } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import type { Answer } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld } from "./support/world.ts";

const TEAM = "conversations/group:g_team";

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
  test("marking as read what was read already writes nothing", async () => {
    const { db } = world().portico.ctx.storage;
    const write = () => Promise.reject(new Error("nothing is to be written"));
    for (const seq of [4, 3]) {
      assert.deepEqual(await markRead({ db, write }, "u_alice", "group:g_team", seq), { moved: false, readSeq: 4 });
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
  test("a conversation that is not the member's, or a seq that is none, is refused", async () => {
    const c = await MemberClient.signIn(world(), carol);
    assertRefused(await read(c, 1), 403, "400008", "会话不存在或无权访问");
    assertRefused(await c.get(`${TEAM}/members`), 403, "400008", "会话不存在或无权访问");
    const a = await MemberClient.signIn(world(), alice);
    for (const seq of [undefined, -1, 1.5, "1", 2 ** 53]) assertRefused(await read(a, seq), 400, "400006");
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
