import assert from "node:assert/strict";
import { acme, alice, bob, botApp, call, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { cardOf, HELLO, reply, sendMessage, sentId, TO_ALICE } from "./support/card-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { uploadKey } from "./support/uploads.ts";
import { suiteWorld } from "./support/world.ts";

const NOT_DELIVERED = "消息未投递给此应用";
const OTHER_TARGET = "回复目标与父消息不匹配";
const TEAM = "group:g_team";

onBothEngines("POST /api/open/v2/bot/messages/{messageId}/reply", (engine, test) => {
  const world = suiteWorld(
    engine,
    acme(
      botApp("app_bot"),
      botApp("app_two"),
      botApp("app_replies", { scopes: ["bot.message.reply"] }),
      botApp("app_sends", { scopes: ["bot.message.send"] }),
      botApp("app_elsewhere", { installations: [] }),
      botApp("app_left"),
    ),
  );
  /** Posts a message as a member; returns its id. */
  const say = async (conversationId: string, mentions: unknown[] = [], account = alice) => {
    const member = await MemberClient.signIn(world(), account);
    const body = { msgType: "text", content: { text: "are you there?", mentions } };
    return await sentId(member.post(`conversations/${conversationId}/messages`, body));
  };
  const answerTo = (messageId: number | string, other = {}) => reply(world(), "app_bot", messageId, other);
  const history = async (conversationId: string, account = alice) =>
    (await MemberClient.signIn(world(), account)).history(conversationId);

  test("a reply to a group message that mentions the bot is seen by its members, with its parent", async () => {
    const parent = await say(TEAM, ["app_bot"], bob);
    const answer = await answerTo(parent);
    assertSuccess(answer);
    assert.deepEqual(Object.keys(answer.json.value), ["messageId", "msgSeq", "clientMessageId", "duplicate"]);
    const { messageId, msgSeq, ...rest } = answer.json.value;
    assert.deepEqual(rest, { clientMessageId: null, duplicate: false });
    for (const account of [alice, bob]) {
      assert.deepEqual((await history(TEAM, account)).at(-1), {
        messageId,
        msgSeq,
        msgType: "text",
        content: { text: "a reply" },
        sender: { type: "BOT", id: "app_bot", name: "Bot app_bot" },
        mentions: [],
        cardVersion: null,
        recalled: false,
        parentMessageId: parent,
        createTime: world().clock.now(),
      });
    }
  });
  test("a reply to a direct message is seen by its member, with its parent, and by nobody else", async () => {
    const parent = await say("bot:app_bot");
    assertSuccess(await answerTo(parent, { ...TO_ALICE, content: { text: "for alice alone" } }));
    const last = (await history("bot:app_bot")).at(-1);
    assert.deepEqual([last?.parentMessageId, last?.content], [parent, { text: "for alice alone" }]);
    assert.ok(!JSON.stringify(await history(TEAM)).includes("for alice alone"));
  });
  test("one message may be replied to many times, by each bot that it mentions", async () => {
    const parent = await say(TEAM, ["app_bot", "app_two"]);
    for (const appId of ["app_bot", "app_bot", "app_two"]) assertSuccess(await reply(world(), appId, parent));
    const replies = (await history(TEAM)).slice(-3);
    assert.deepEqual(
      replies.map(({ sender, parentMessageId }) => [sender.id, parentMessageId]),
      [
        ["app_bot", parent],
        ["app_bot", parent],
        ["app_two", parent],
      ],
    );
  });
  test("rule 3: card content and every other type are accepted", async () => {
    const parent = await say(TEAM, ["app_bot"]);
    const fileKey = await uploadKey(world(), "app_bot");
    for (const [msgType, content] of [
      ["card", { card: cardOf(HELLO) }],
      ["post", { title: "x" }],
      ["image", { fileKey, width: 1, height: 1 }],
      ["file", { fileKey }],
    ] as const) {
      assertSuccess(await answerTo(parent, { msgType, content }));
      const last = (await history(TEAM)).at(-1);
      assert.deepEqual([last?.msgType, last?.parentMessageId], [msgType, parent]);
    }
  });
  test("content is checked as on send", async () => {
    const parent = await say(TEAM, ["app_bot"]);
    const card = { msgType: "card", content: { card: { ...cardOf(HELLO), schema: "1.0" } } };
    assertRefused(await answerTo(parent, card), 400, "400006", "仅支持schema为2.0的卡片");
    const file = { msgType: "file", content: { fileKey: "file_unknown" } };
    assertRefused(await answerTo(parent, file), 403, "400008", "fileKey无效或已过期");
    assertRefused(await answerTo(parent, { msgType: "video" }), 400, "400006");
  });
  for (const field of ["receiveIdType", "receiveId", "msgType", "content"]) {
    test(`a reply without ${field} gives 400 + 400006 naming it`, async () => {
      const answer = await answerTo(await say(TEAM, ["app_bot"]), { [field]: undefined });
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes(field), answer.json.message);
    });
  }

  for (const [what, parentOf] of [
    ["a group message that mentions nobody", () => say(TEAM)],
    ["a group message that mentions another bot", () => say(TEAM, ["app_two"])],
    ["a group message that mentions the bot's name in its text alone", () => say(TEAM, ["Bot app_bot"])],
    ["a direct message to another bot", () => say("bot:app_two")],
    ["its own message", () => sentId(sendText(world(), "app_bot", "from the bot"))],
    ["its own reply", async () => sentId(answerTo(await say(TEAM, ["app_bot"])))],
    ["another bot's message", () => sentId(sendText(world(), "app_two", "from a bot"))],
    [
      "another bot's message that mentions it",
      () => sentId(sendMessage(world(), "app_two", "text", { text: "x", mentions: ["app_bot"] })),
    ],
    ["an unknown message", async () => 4_503_599_627_370_496],
    ["message 0", async () => 0],
    ["message -1", async () => -1],
    ["message 2^53", async () => "9007199254740992"],
    ["message 2^63 - 1", async () => "9223372036854775807"],
  ] as const) {
    test(`rule 1: a reply to ${what} gives 403 + 400008 ${NOT_DELIVERED}`, async () => {
      const parent = await parentOf();
      assertRefused(await answerTo(parent), 403, "400008", NOT_DELIVERED);
      assertRefused(await answerTo(parent, TO_ALICE), 403, "400008", NOT_DELIVERED);
    });
  }
  test("rule 1: a mention of a bot that is not in the group delivers nothing to it, not even after it joins", async () => {
    const parent = await say(TEAM, ["app_elsewhere"]);
    assertRefused(await reply(world(), "app_elsewhere", parent), 403, "400008", NOT_DELIVERED);
    const member = await MemberClient.signIn(world(), alice);
    const place = { appId: "app_elsewhere", targetType: "GROUP", targetId: "g_team" };
    assertSuccess(await member.post("installations", place));
    assertRefused(await reply(world(), "app_elsewhere", parent), 403, "400008", NOT_DELIVERED);
    assertSuccess(await reply(world(), "app_elsewhere", await say(TEAM, ["app_elsewhere"])));
  });
  for (const [what, parentOf, target] of [
    ["a group message addressed to a member", () => say(TEAM, ["app_bot"]), TO_ALICE],
    ["a group message addressed to another group", () => say(TEAM, ["app_bot"]), { receiveId: "g_other" }],
    ["a group message addressed to no group", () => say(TEAM, ["app_bot"]), { receiveId: "g_nowhere" }],
    [
      "a group message whose id is given as a user's",
      () => say(TEAM, ["app_bot"]),
      { receiveIdType: "user_id", receiveId: "g_team" },
    ],
    ["a direct message addressed to a group", () => say("bot:app_bot"), {}],
    [
      "a direct message addressed to another member",
      () => say("bot:app_bot"),
      { receiveIdType: "user_id", receiveId: "u_bob" },
    ],
    [
      "a direct message addressed by username",
      () => say("bot:app_bot"),
      { receiveIdType: "user_id", receiveId: "alice" },
    ],
    [
      "a direct message whose member is given as a group",
      () => say("bot:app_bot"),
      { receiveIdType: "group_id", receiveId: "u_alice" },
    ],
  ] as const) {
    test(`rule 2: a reply to ${what} gives 403 + 400008 ${OTHER_TARGET}`, async () => {
      assertRefused(await answerTo(await parentOf(), target), 403, "400008", OTHER_TARGET);
    });
  }
  for (const messageId of ["abc", "1.5", "1e3", "0x10", "7a", "%20", "%E4%B8%80", "__proto__", "null", "1%00"]) {
    test(`messageId ${messageId} gives 400 + 400006`, async () => {
      assertRefused(await answerTo(messageId), 400, "400006");
    });
  }
  test("a reply where the bot was uninstalled since gives 403 + 400008, and passes once installed again", async () => {
    const member = await MemberClient.signIn(world(), alice);
    for (const [conversationId, place, target] of [
      [TEAM, { targetType: "GROUP", targetId: "g_team" }, {}],
      ["bot:app_left", { targetType: "USER", targetId: "u_alice" }, TO_ALICE],
    ] as const) {
      const parent = await say(conversationId, ["app_left"]);
      assertSuccess(await member.delete("installations", { appId: "app_left", ...place }));
      assertRefused(await reply(world(), "app_left", parent, target), 403, "400008");
      assertSuccess(await member.post("installations", { appId: "app_left", ...place }));
      assertSuccess(await reply(world(), "app_left", parent, target));
    }
  });

  test("the scope bot.message.reply is needed, bot.message.send is not", async () => {
    const parent = await say(TEAM, ["app_replies", "app_sends"]);
    assertSuccess(await reply(world(), "app_replies", parent));
    assertSuccess(await reply(world(), "app_replies", parent, { msgType: "card", content: { card: cardOf(HELLO) } }));
    const message = "所需的开放平台Scope未被授权";
    assertRefused(await reply(world(), "app_sends", parent), 403, "400007", message);
    assertRefused(await sendText(world(), "app_replies", "x"), 403, "400007", message);
  });

  test("clientMessageIds are shared with send: a repeat there or here answers with the original", async () => {
    const parent = await say(TEAM, ["app_bot"]);
    for (const [clientMessageId, first, second] of [
      ["sent, then replied", send, answerWith],
      ["replied, then sent", answerWith, send],
      ["replied twice", answerWith, answerWith],
    ] as const) {
      const original = await first(clientMessageId);
      assertSuccess(original);
      assert.deepEqual([original.json.value.clientMessageId, original.json.value.duplicate], [clientMessageId, false]);
      assert.deepEqual((await second(clientMessageId)).json.value, { ...original.json.value, duplicate: true });
    }
    function send(clientMessageId: string) {
      return sendText(world(), "app_bot", "", { body: textBody("sent", { clientMessageId }) });
    }
    function answerWith(clientMessageId: string) {
      return answerTo(parent, { clientMessageId });
    }
  });
  test("a repeat is answered before its parent and target are checked", async () => {
    const clientMessageId = "repeated with another parent";
    const original = await answerTo(await say(TEAM, ["app_bot"]), { clientMessageId });
    for (const [parent, target] of [
      [0, {}],
      [await say(TEAM), {}],
      [await say("bot:app_bot"), { receiveId: "g_other" }],
    ] as const) {
      const repeat = await answerTo(parent, { clientMessageId, ...target });
      assert.deepEqual(repeat.json.value, { ...original.json.value, duplicate: true });
    }
  });
  test("a refused reply does not use its clientMessageId up", async () => {
    const clientMessageId = "refused first";
    const parent = await say(TEAM, ["app_bot"]);
    assertRefused(await answerTo(0, { clientMessageId }), 403, "400008", NOT_DELIVERED);
    assertRefused(await answerTo(parent, { clientMessageId, ...TO_ALICE }), 403, "400008", OTHER_TARGET);
    assertRefused(await answerTo(parent, { clientMessageId, content: {} }), 400, "400006");
    assert.equal((await answerTo(parent, { clientMessageId })).json.value.duplicate, false);
  });
  test("50 concurrent sends and replies with one clientMessageId create one message", async () => {
    const parent = await say(TEAM, ["app_bot"]);
    const before = (await history(TEAM)).length;
    const body = textBody("sent", { clientMessageId: "race" });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0 ? answerTo(parent, { clientMessageId: "race" }) : sendText(world(), "app_bot", "", { body }),
      ),
    );
    for (const answer of answers) assertSuccess(answer);
    assert.equal(answers.filter((answer) => !answer.json.value.duplicate).length, 1);
    assert.equal(new Set(answers.map((answer) => answer.json.value.messageId)).size, 1);
    assert.equal((await history(TEAM)).length, before + 1);
  });
  test("GET and PUT of a reply's path do not exist", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await call(world(), "app_bot", { method, target: `${MESSAGES}/1/reply` });
      assert.deepEqual([answer.status, answer.json.error], [404, "Not Found"]);
    }
  });
});
