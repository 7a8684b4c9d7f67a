import assert from "node:assert/strict";
import { changesText, historyText } from "../src/domain/conversations/message-texts.ts";
import { listConversationChanges, listConversationMessages } from "../src/domain/conversations/message-view.ts";
import { JsonItems } from "../src/platform/http/json-items.ts";
import { acme, alice, bob, botApp } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

const KEY = "group:g_team";
const ALL = { from: 0, to: 1_000, limit: 100 };
const ODD_NAME = 'Ann "the\\best" \u0001\t\n\u2028 安娜 😀 / </script>';
/** The same without what JSON has to escape by a code. */
const MENTIONED_NAME = ODD_NAME.replace("\u0001", "");

/** What members and bots write, as it is stored. */
const STORED = [
  { sender_type: "MEMBER", sender_id: "u_alice", content: '{"text":"plain"}' },
  { sender_type: "MEMBER", sender_id: "u_gone", content: '{"text":"of nobody"}' },
  {
    sender_type: "BOT",
    sender_id: "app_bot",
    content: '{"n":1.50e400,"deep":[[[[]]]]}',
    msg_type: "card",
    card_version: 3,
  },
  { sender_type: "BOT", sender_id: "app_bot", content: '{"text":"recalled"}', msg_type: "card", recalled_at: 9 },
  {
    sender_type: "MEMBER",
    sender_id: "u_bob",
    content: '{"text":"@Bob 你好 \\u0000\\"😀"}',
    mentions: [
      { userId: "u_bob", name: MENTIONED_NAME, isBot: false },
      { userId: 'odd "\\ id 安', name: "x", isBot: false },
    ],
  },
  {
    sender_type: "MEMBER",
    sender_id: "u_bob",
    content: '{ "a" : 1 }',
    msg_type: "post",
    mentions: [{ userId: "u", name: "n", isBot: true }],
  },
  {
    sender_type: "MEMBER",
    sender_id: "u_bob",
    content: '{"text":"gone"}',
    mentions: [{ userId: "u", name: "n", isBot: true }],
    recalled_at: 5,
  },
] as const;

onBothEngines("messages as JSON that the database writes", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const bytesOf = (items: JsonItems) => items.take().toString();
  let seq = 0;
  const store = async (rows: readonly object[]) => {
    const { storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      for (const { mentions = [], ...row } of rows as readonly { mentions?: unknown[] }[]) {
        const defaults = { conversation_key: KEY, msg_seq: ++seq, msg_type: "text", created_at: 1_700_000_000_000 };
        await tx
          .insertInto("messages")
          .values({ ...defaults, ...(row as object), mentions: JSON.stringify(mentions) } as never)
          .execute();
      }
      await tx
        .insertInto("conversations")
        .values({ conversation_key: KEY, last_seq: seq })
        .onConflict((conflict) => conflict.column("conversation_key").doUpdateSet({ last_seq: seq }))
        .execute();
    });
  };

  test("it is character for character what is written from their rows", async () => {
    const { storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      await tx.updateTable("members").set({ name: ODD_NAME }).where("user_id", "=", "u_bob").execute();
    });
    await store(STORED);
    const { db } = storage;
    const rows = await listConversationMessages(db, KEY, ALL);
    assert.equal(rows.length, STORED.length);
    const { items: text, lastSeq } = await historyText(storage, KEY, { beforeSeq: undefined, limit: 100 });
    assert.equal(lastSeq, seq);
    assert.equal(text, bytesOf(JsonItems.of(rows)));
    const parsed = JSON.parse(`[${text}]`);
    assert.equal(parsed[3].content, null);
    assert.deepEqual(parsed[4].content.mentions, ["u_bob", 'odd "\\ id 安']);
    assert.equal(parsed[4].sender.name, ODD_NAME);
    assert.equal(parsed[1].sender.name, "");
  });

  test("pages begin and end where those of rows do", async () => {
    const { storage } = world().portico.ctx;
    const { items: page } = await historyText(storage, KEY, { beforeSeq: 5, limit: 2 });
    assert.equal(
      page,
      bytesOf(JsonItems.of(await listConversationMessages(storage.db, KEY, { from: 3, to: 4, limit: 2 }))),
    );
    assert.deepEqual(await historyText(storage, KEY, { beforeSeq: 1, limit: 2 }), { items: "", lastSeq: seq });
    const none = await historyText(storage, "group:none", { beforeSeq: undefined, limit: 2 });
    assert.deepEqual(none, { items: "", lastSeq: 0 });
  });

  test("changes are those of the rows, in their order", async () => {
    const { storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      const { message_id } = await tx
        .selectFrom("messages")
        .select("message_id")
        .where("conversation_key", "=", KEY)
        .where("msg_seq", "=", 3)
        .executeTakeFirstOrThrow();
      const change = { conversation_key: KEY, msg_seq: ++seq, type: "card.updated", message_id } as const;
      await tx.insertInto("conversation_changes").values(change).execute();
    });
    await store([{ sender_type: "MEMBER", sender_id: "u_alice", content: '{"text":"after the update"}' }]);
    for (const range of [
      { afterSeq: 0, limit: 100 },
      { afterSeq: 3, limit: 5 },
      { afterSeq: seq, limit: 5 },
    ]) {
      const rows = await listConversationChanges(storage.db, KEY, range);
      assert.deepEqual(await changesText(storage, KEY, range), { items: bytesOf(JsonItems.of(rows)), lastSeq: seq });
    }
  });

  test("long contents are not read here", async () => {
    const { storage } = world().portico.ctx;
    const long = { sender_type: "MEMBER", sender_id: "u_alice", content: JSON.stringify({ text: "x".repeat(65_536) }) };
    await store([long]);
    assert.equal((await historyText(storage, KEY, { beforeSeq: undefined, limit: 1 })).items, null);
    assert.equal((await changesText(storage, KEY, { afterSeq: seq - 1, limit: 1 })).items, null);
  });

  test("mentions that PostgreSQL cannot read are shown all the same", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const params = { conversationId: KEY };
    const mentions = ["a\0b", "lone \ud800", bob.username];
    await member.api.postMessage({ params, body: { msgType: "text", content: { text: "odd", mentions } } });
    assert.equal((await historyText(world().portico.ctx.storage, KEY, { beforeSeq: undefined, limit: 1 })).items, null);
    const { items } = await member.api.listMessages({ params, query: { limit: 1 } });
    assert.equal(items[0]?.mentions.length, 3);
    assert.equal(items[0]?.mentions[0]?.userId, "a\0b");
    const { items: changes } = await member.api.listChanges({
      params,
      query: { afterSeq: (items[0]?.msgSeq ?? 0) - 1 },
    });
    assert.equal(changes[0]?.message.mentions[0]?.userId, "a\0b");
  });
});
