import assert from "node:assert/strict";
import type { ClientMessage } from "@portico/protocol";
import { alice, bob, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT, carol, clientAcme, foreignConversations, logIn } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Sending, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

const BODY_LIMIT = 262_144;

const texts = (messages: ClientMessage[]) => messages.map(({ content }) => (content as { text: string }).text);

onBothEngines("client API: conversations and messages", (engine, test) => {
  const world = suiteWorld(engine, clientAcme());
  const list = async (account: typeof alice) => {
    const answer = await (await MemberClient.signIn(world(), account)).get("conversations");
    assertSuccess(answer);
    return answer.json.value.items;
  };
  const quiet = { lastMessage: null, lastSeq: 0, readSeq: 0, unreadCount: 0 };

  test("without messages: the member's groups, then their bots, each without lastMessage", async () => {
    assert.deepEqual(await list(alice), [
      { conversationId: "group:g_team", chatType: "group", name: "Team", ...quiet },
      { conversationId: "bot:app_bot", chatType: "user", name: "Bot app_bot", ...quiet },
      { conversationId: "bot:app_gone", chatType: "user", name: "Bot app_gone", ...quiet },
    ]);
    assert.deepEqual(await list(bob), [
      { conversationId: "group:g_pages", chatType: "group", name: "Pages", ...quiet },
      { conversationId: "group:g_team", chatType: "group", name: "Team", ...quiet },
    ]);
    assert.deepEqual(await list(carol), [
      { conversationId: "group:g_other", chatType: "group", name: "Other", ...quiet },
    ]);
  });
  test("with messages: the last message of each conversation as in its history, and its position", async () => {
    for (const text of ["one", "two"]) assertSuccess(await sendText(world(), "app_bot", text));
    const toAlice = textBody("for alice", { receiveIdType: "user_id", receiveId: "u_alice" });
    assertSuccess(await sendText(world(), "app_bot", "", { body: toAlice }));
    const member = await MemberClient.signIn(world(), alice);
    for (const { conversationId, lastMessage, lastSeq } of await list(alice)) {
      const history = await member.history(conversationId);
      assert.deepEqual(lastMessage, history.at(-1) ?? null);
      assert.equal(lastSeq, history.at(-1)?.msgSeq ?? 0);
    }
    const [team, direct] = await list(alice);
    assert.deepEqual([team.lastMessage.content, team.lastSeq], [{ text: "two" }, 2]);
    assert.deepEqual([direct.lastMessage.content, direct.lastSeq], [{ text: "for alice" }, 1]);
  });

  test("messages are paged backwards, newest last", async () => {
    const body = (n: number) => textBody(`${n}`, { receiveId: "g_pages" });
    for (let n = 1; n <= 120; n++) assertSuccess(await sendText(world(), "app_pages", "", { body: body(n) }));
    const member = await MemberClient.signIn(world(), bob);
    const page = async (query: string): Promise<ClientMessage[]> => {
      const answer = await member.get(`conversations/group:g_pages/messages${query}`);
      assertSuccess(answer);
      return answer.json.value.items;
    };
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `${from + n}`);

    assert.deepEqual(texts(await page("")), range(71, 120));
    assert.deepEqual(texts(await page("?limit=1")), ["120"]);
    assert.deepEqual(texts(await page("?limit=100")), range(21, 120));
    assert.deepEqual(texts(await page("?beforeSeq=21&limit=100")), range(1, 20));
    assert.deepEqual(texts(await page("?beforeSeq=21&limit=2")), ["19", "20"]);
    assert.deepEqual(texts(await page("?beforeSeq=1")), []);
    assert.deepEqual(texts(await page("?beforeSeq=9007199254740991&limit=1")), ["120"]);
    assert.deepEqual(texts(await page("?limit=&beforeSeq=&other=1")), range(71, 120));
    assert.deepEqual(
      (await page("?limit=3")).map(({ msgSeq }) => msgSeq),
      [118, 119, 120],
    );
  });
  for (const [query, named] of [
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=abc", "limit"],
    ["limit=1.5", "limit"],
    ["limit=true", "limit"],
    ["limit=0x10", "limit"],
    ["limit=1&limit=2", "limit"],
    ["beforeSeq=0", "beforeSeq"],
    ["beforeSeq=abc", "beforeSeq"],
    ["beforeSeq=1.5", "beforeSeq"],
    ["beforeSeq=99999999999999999999", "beforeSeq"],
    ["beforeSeq=1e300", "beforeSeq"],
  ] as const) {
    test(`messages with ${query} are refused with a message naming it`, async () => {
      const member = await MemberClient.signIn(world(), bob);
      const answer = await member.get(`conversations/group:g_pages/messages?${query}`);
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes(named), answer.json.message);
    });
  }

  for (const [who, account, conversationId] of foreignConversations("app_pages")) {
    test(`${who} can neither read nor post: 403 + 400008`, async () => {
      const member = await MemberClient.signIn(world(), account);
      const path = `conversations/${conversationId}/messages`;
      assertRefused(await member.get(path), 403, "400008");
      assertRefused(await member.post(path, { msgType: "text", content: { text: "let me in" } }), 403, "400008");
    });
  }
});

onBothEngines("client API: posting", (engine, test) => {
  const world = suiteWorld(engine, clientAcme());
  const TEAM = "conversations/group:g_team/messages";
  const text = (text: string, other: Record<string, unknown> = {}) => ({
    msgType: "text",
    content: { text },
    ...other,
  });

  test("a text to a group is shown to all its members with its sender", async () => {
    const said = 'a text with "quotes", 😀, \u0000 and \ud800';
    const answer = await (await MemberClient.signIn(world(), alice)).post(TEAM, text(said));
    assertSuccess(answer);
    const { messageId, msgSeq } = answer.json.value;
    assert.deepEqual(Object.keys(answer.json.value), ["messageId", "msgSeq"]);
    const history = await (await MemberClient.signIn(world(), bob)).history("group:g_team");
    assert.deepEqual(history.at(-1), {
      messageId,
      msgSeq,
      msgType: "text",
      content: { text: said },
      sender: { type: "MEMBER", id: "u_alice", name: "Alice" },
      mentions: [],
      cardVersion: null,
      recalled: false,
      parentMessageId: null,
      createTime: world().clock.now(),
    });
  });
  test("a text to a bot is shown in the member's own conversation with it, next to the bot's messages", async () => {
    const member = await MemberClient.signIn(world(), alice);
    assertSuccess(await member.post("conversations/bot:app_bot/messages", text("hello, bot")));
    const reply = textBody("hello, alice", { receiveIdType: "user_id", receiveId: "u_alice" });
    assertSuccess(await sendText(world(), "app_bot", "", { body: reply }));
    assert.deepEqual(texts(await member.history("bot:app_bot")), ["hello, bot", "hello, alice"]);
  });
  test("a repeated clientMessageId returns the original and posts nothing", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const first = await member.post(TEAM, text("once", { clientMessageId: "repeat" }));
    assertSuccess(first);
    const again = await member.post(TEAM, text("twice", { clientMessageId: "repeat" }));
    assert.deepEqual(again.json.value, first.json.value);
    assert.ok(!texts(await member.history("group:g_team")).includes("twice"));
  });
  test("50 concurrent posts with one clientMessageId create one message, and leave no gap", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const before = (await member.post(TEAM, text("before"))).json.value.msgSeq;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => member.post(TEAM, text("race", { clientMessageId: "race" }))),
    );
    for (const answer of answers) {
      assertSuccess(answer);
      assert.deepEqual(answer.json.value, answers[0]?.json.value);
    }
    assert.equal((await member.post(TEAM, text("after"))).json.value.msgSeq, before + 2);
    assert.equal(texts(await member.history("group:g_team")).filter((said) => said === "race").length, 1);
  });
  test("clientMessageIds of different members, and of members and bots, are independent", async () => {
    const posts = [];
    for (const account of [alice, bob]) {
      const member = await MemberClient.signIn(world(), account);
      posts.push(await member.post(TEAM, text("shared", { clientMessageId: "shared" })));
    }
    posts.push(await sendText(world(), "app_bot", "", { body: textBody("shared", { clientMessageId: "shared" }) }));
    for (const answer of posts) assertSuccess(answer);
    assert.equal(new Set(posts.map((answer) => answer.json.value.messageId)).size, 3);
  });
  test("a clientMessageId of 64 characters is accepted, null counts as absent, others are refused", async () => {
    const member = await MemberClient.signIn(world(), alice);
    for (const clientMessageId of ["构".repeat(64), null]) {
      assertSuccess(await member.post(TEAM, text("x", { clientMessageId })));
    }
    for (const clientMessageId of ["x".repeat(65), "", 7]) {
      assertRefused(await member.post(TEAM, text("x", { clientMessageId })), 400, "400006");
    }
  });

  for (const [what, body, named] of [
    ["no msgType", { content: { text: "x" } }, "msgType"],
    ["an unsupported msgType", { msgType: "video", content: { text: "x" } }, "video"],
    ["no content", { msgType: "text" }, "content"],
    ["a content that is null", { msgType: "text", content: null }, "content"],
    ["a content that is a text", { msgType: "text", content: "x" }, "content"],
    ["no text", { msgType: "text", content: {} }, "content.text"],
    ["an empty text", { msgType: "text", content: { text: "" } }, "content.text"],
    ["a text that is null", { msgType: "text", content: { text: null } }, "content.text"],
    ["a text that is a list", { msgType: "text", content: { text: ["x"] } }, "content.text"],
    ["mentions that are no list", { msgType: "text", content: { text: "x", mentions: "bob" } }, "content.mentions"],
  ] as const) {
    test(`a post with ${what} is refused with a message naming it`, async () => {
      const answer = await (await MemberClient.signIn(world(), alice)).post(TEAM, body);
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes(named), answer.json.message);
    });
  }

  test("nobody can post to an uninstalled bot, but the history stays readable", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const path = "conversations/bot:app_gone/messages";
    const kept = await member.post(path, text("while it was there", { clientMessageId: "while" }));
    assertSuccess(kept);
    await world().portico.ctx.storage.write(async (tx) => {
      await tx.updateTable("installations").set({ status: "UNINSTALLED" }).where("app_id", "=", "app_gone").execute();
    });
    assertRefused(await member.post(path, text("too late")), 403, "400008");
    assert.deepEqual(texts(await member.history("bot:app_gone")), ["while it was there"]);
    const repeat = await member.post(path, text("while it was there", { clientMessageId: "while" }));
    assert.deepEqual(repeat.json.value, kept.json.value);
  });

  test("members are mentioned by username or userId, bots by appId; unknown accounts stay as given", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const mentions = ["bob", { userId: "u_bob" }, "app_bot", { userId: "u_carol" }, "zed", "", null];
    assertSuccess(await member.post(TEAM, { msgType: "text", content: { text: "you there", mentions } }));
    const message = (await member.history("group:g_team")).at(-1);
    assert.deepEqual(message?.mentions, [
      { userId: "u_bob", name: "Bob", isBot: false },
      { userId: "app_bot", name: "Bot app_bot", isBot: true },
      { userId: "u_carol", name: "Carol", isBot: false },
      { userId: "zed", name: "zed", isBot: false },
    ]);
    assert.deepEqual(message?.content, { text: "you there", mentions: ["u_bob", "app_bot", "u_carol", "zed"] });
  });

  for (const [what, at, limit] of [
    ["signing in", "auth/login", 8_192],
    ["a post", TEAM, BODY_LIMIT],
  ] as const) {
    const post = async (sending: Sending) => {
      const { accessToken } = (await logIn(world(), alice)).json.value;
      const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
      return send(`${world().url}${CLIENT}/${at}`, {
        method: "POST",
        ...sending,
        headers: { ...headers, ...sending.headers },
      });
    };
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense", null]) {
      test(`${what} with Content-Type ${type ?? "missing"} gives 415 + 415001`, async () => {
        const body = JSON.stringify({ ...alice, ...text("x") });
        assertRefused(await post({ headers: { "content-type": type }, body }), 415, "415001");
      });
    }
    test(`${what} with Content-Type application/json in any spelling passes`, async () => {
      for (const type of ["application/json; charset=UTF-8", "Application/JSON"]) {
        const body = JSON.stringify({ ...alice, ...text("x") });
        assertSuccess(await post({ headers: { "content-type": type }, body }));
      }
    });
    test(`${what} of ${limit} bytes reaches the parser, of one more gives 413 + 413001`, async () => {
      const bodyOf = (bytes: number) => `{"pad":"${"x".repeat(bytes - 10)}"}`;
      for (const chunked of [false, true]) {
        assertRefused(await post({ body: bodyOf(limit), chunked }), 400, "400006");
        assertRefused(await post({ body: bodyOf(limit + 1), chunked }), 413, "413001");
      }
    });
    test(`${what} with malformed JSON, or none, gives 400 + 400006`, async () => {
      for (const body of ["{", "[]", "null", "nul", '"text"', " ", ""]) {
        assertRefused(await post({ body }), 400, "400006");
      }
    });
  }
});
