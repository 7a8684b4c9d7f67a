import assert from "node:assert/strict";
import { test } from "node:test";
import { card, createTestBot, markdown } from "@portico/sdk";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

test("a listener to messages gets the text and the sender, and replies to the message in its conversation", async () => {
  const bot = createTestBot();
  bot.on("message", async (ctx) => ctx.reply(`${ctx.sender.name} said ${ctx.text}`));
  const { handled, said, sent } = await bot.receive("message", {
    message: { messageId: 7, chatId: "g_1", content: { text: "ping" } },
  });
  assert.equal(handled, true);
  assert.deepEqual(said, [{ msgType: "text", content: { text: "Alice said ping" } }]);
  const [call] = sent;
  assert.deepEqual([call?.operation, call?.params], ["replyMessage", { messageId: "7" }]);
  assert.partialDeepStrictEqual(call?.body, { receiveIdType: "group_id", receiveId: "g_1" });
});

const BOT = { userId: "app_test", name: "Lunch bot", isBot: true };
for (const [text, command, mentions] of [
  ["hello", "hello", []],
  ["@Lunch bot hello", "hello", [BOT]],
  ["  @Lunch bot\thello ", "hello", [BOT]],
  ["hello @Lunch bot", "hello", [BOT]],
  ["what, @Lunch bot, is there?", "what, is there?", [BOT]],
  ["what is @Lunch bot there", "what is there", [BOT]],
  ["@Lunch bot: menu", "menu", [BOT]],
  ["@Lunch bot，菜单", "菜单", [BOT]],
  ["＠Lunch bot hello @lunch  bot", "hello", [BOT]],
  ["line one\n@Lunch bot line two", "line one\nline two", [BOT]],
  ["@app_test hello", "hello", [BOT]],
  ["@Lunch botanist hello", "@Lunch botanist hello", [BOT]],
  ["mail@Lunch bot hello", "mail@Lunch bot hello", [BOT]],
  ["@Lunch bot hello", "@Lunch bot hello", []],
  ["@Lunch bot @Ann hello", "@Ann hello", [BOT, { userId: "u_ann", name: "Ann", isBot: false }]],
  [
    "@Lunch @Lunch bot hi",
    "@Lunch bot hi",
    [
      { ...BOT, name: "Lunch" },
      { ...BOT, userId: "app_other" },
    ],
  ],
  ["@小助手你好", "你好", [{ ...BOT, name: "小助手" }]],
  ["@C++ (beta) [x] run", "run", [{ ...BOT, name: "C++ (beta) [x]" }]],
  ["@Lunch bot", "", [BOT]],
] as const) {
  test(`the command in ${JSON.stringify(text)} is ${JSON.stringify(command)}, with ${mentions.length} mentions`, async () => {
    const bot = createTestBot();
    bot.on("message", async (ctx) => ctx.reply(`${ctx.text} → ${ctx.command}`));
    const { said } = await bot.receive("message", { message: { content: { text }, mentions: [...mentions] } });
    assert.deepEqual(said, [{ msgType: "text", content: { text: `${text} → ${command}` } }]);
  });
}

test("an event that nobody hears is warned of once for each type and each control", async () => {
  const warnings: string[] = [];
  const bot = createTestBot({ logger: { ...quiet, warn: (text) => void warnings.push(text) } });
  bot.use(async ({ event }, next) => void (event.eventType !== "customer.session.changed_v1" && (await next())));
  bot.onCardAction("approve", () => {});
  for (const name of ["approve", "run", "run", null, null, "two\nlines"]) {
    await bot.receive("card.interaction", { action: { name } });
  }
  for (let times = 0; times < 2; times++) {
    await bot.receive("message");
    await bot.receive("customer.session.changed_v1");
  }
  assert.deepEqual(warnings, [
    'nobody listens to the "button" named "run" in a card: bot.onCardAction("run", …) hears it',
    'nobody listens to a "button" without a name in a card: give it a "name", and bot.onCardAction(name, …) hears it',
    'nobody listens to the "button" named "two\\nlines" in a card: bot.onCardAction("two\\nlines", …) hears it',
    'nobody listens to im.message.receive_v1, so these events are lost: bot.on("im.message.receive_v1", …) hears them',
  ]);
  for (let name = 0; name < 1_000; name++)
    await bot.receive("card.interaction", { action: { name: `made up ${name}` } });
  assert.equal(warnings.length, 100);
});

test("a message can be answered by a card, and by a message of any type", async () => {
  const bot = createTestBot();
  const made = card({ elements: [markdown("**done**")] });
  bot.on("im.message.receive_v1", async (ctx) => {
    await ctx.send(made);
    await ctx.reply({ msgType: "file", content: { fileKey: "key_1" } });
  });
  const { said } = await bot.receive("message");
  assert.deepEqual(said, [
    { msgType: "card", content: { card: made } },
    { msgType: "file", content: { fileKey: "key_1" } },
  ]);
});

test("an event that comes again, because a listener failed, sends nothing twice: its messages have the same keys", async () => {
  const bot = createTestBot({ logger: quiet });
  let failures = 1;
  bot.on("message", async (ctx) => {
    await ctx.reply("first");
    await ctx.reply("second");
    if (failures-- > 0) throw new Error("not now");
  });
  const event = { eventId: "evt_again" };
  const keys = [];
  for (const expected of [false, true]) {
    const { handled, sent } = await bot.receive("message", event);
    assert.equal(handled, expected);
    keys.push(sent.map(({ body }) => (body as { clientMessageId: string }).clientMessageId));
  }
  assert.deepEqual(keys, [
    ["evt_again:1", "evt_again:2"],
    ["evt_again:1", "evt_again:2"],
  ]);
});

test("card actions are heard by their name, and the card can be replaced", async () => {
  const bot = createTestBot();
  const heard: string[] = [];
  bot.onCardAction("approve", async (ctx) => {
    heard.push(`approve by ${ctx.operator.name}`);
    await ctx.updateCard(card({ elements: [markdown("approved")] }));
    await ctx.send("it is approved");
  });
  bot.onCardAction("reject", () => heard.push("reject"));
  bot.on("card.interaction", (ctx) => heard.push(`any: ${ctx.action.name}`));
  const { sent } = await bot.receive("card.interaction", { action: { name: "approve" }, message: { messageId: 9 } });
  assert.deepEqual(
    sent.map(({ operation, params }) => [operation, params]),
    [
      ["updateCard", { messageId: "9" }],
      ["sendMessage", {}],
    ],
  );
  await bot.receive("card.interaction", { action: { name: null } });
  assert.deepEqual(heard, ["approve by Alice", "any: approve", "any: null"]);
});

test("events of customer service have contexts of their types", async () => {
  const bot = createTestBot({
    answers: { sendAgentMessage: { messageId: 1, sessionId: 4, seq: 2, isDuplicate: false } },
  });
  bot.on("customer.message.created_v1", async ({ event, client }) => {
    const { visitorId, sessionId } = event.session;
    const answer = { agentId: "alice", visitorId, sessionId, content: `You said: ${event.message.content}` };
    assert.equal((await client.customer.sendAgentMessage(answer)).seq, 2);
  });
  const { sent } = await bot.receive("customer.message.created_v1", { session: { sessionId: 4 } });
  assert.partialDeepStrictEqual(sent[0]?.body, { sessionId: 4, content: "You said: hello" });
});

test("middlewares run around the listeners, in their order, and may keep an event from them", async () => {
  const bot = createTestBot();
  const order: string[] = [];
  bot.use(async (ctx, next) => {
    order.push("first");
    ctx.state.language = "en";
    await next();
    order.push("last");
  });
  bot.use(async (ctx, next) => {
    order.push(`second: ${ctx.state.language}`);
    if (ctx.event.eventType !== "card.interaction") await next();
  });
  bot.on("message", () => order.push("one"));
  bot.on("message", () => order.push("two"));
  bot.on("card.interaction", () => order.push("never"));
  await bot.receive("message");
  await bot.receive("card.interaction");
  assert.deepEqual(order, ["first", "second: en", "one", "two", "last", "first", "second: en", "last"]);
});

test("an error goes to the one place for errors, and the event is refused all the same", async () => {
  const bot = createTestBot();
  const caught: unknown[] = [];
  const fault = new Error("broken");
  bot.catch((error, ctx) => caught.push([error, ctx.event.eventId]));
  bot.on("message", () => {
    throw fault;
  });
  bot.on("message", () => assert.fail("the listeners after one that failed do not run"));
  const { handled, error } = await bot.receive("message", { eventId: "evt_1" });
  assert.deepEqual([handled, error], [false, fault]);
  assert.deepEqual(caught, [[fault, "evt_1"]]);
});

test("a middleware that calls next twice is told so", async () => {
  const bot = createTestBot({ logger: quiet });
  bot.use(async (_ctx, next) => {
    await next();
    await next();
  });
  assert.match(String((await bot.receive("message")).error), /next\(\) twice/);
});

test("events of one conversation are handled one after another, those of others meanwhile", async () => {
  const bot = createTestBot();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  bot.on("message", async ({ text }) => {
    order.push(`begin ${text}`);
    if (text === "1") await gate.promise;
    order.push(`end ${text}`);
  });
  const say = (chatId: string, text: string) => bot.receive("message", { message: { chatId, content: { text } } });
  const first = say("g_1", "1");
  const second = say("g_1", "2");
  await say("g_2", "3");
  assert.deepEqual(order, ["begin 1", "begin 3", "end 3"]);
  gate.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(order.slice(3), ["end 1", "begin 2", "end 2"]);
});

test("made-up answers have the shapes that calls promise, and a test can give its own", async () => {
  const bot = createTestBot({
    answers: {
      listApps: { items: [{ appId: "a", type: "BOT", status: "ACTIVE", displayName: "", avatar: "", scopes: [] }] },
    },
  });
  assert.equal((await bot.client.bot.listApps())[0]?.appId, "a");
  assert.deepEqual(await bot.client.bot.listInstallations(), []);
  assert.equal((await bot.client.customer.getVisitor("v_1")).visitorId, "");
  assert.equal((await bot.client.bot.uploadFile(new Uint8Array([1]))).fileKey, "");
  assert.equal(await bot.client.bot.recallCard(7), false);
  assert.deepEqual(bot.sent.at(-1), { operation: "recallCard", params: { messageId: "7" }, body: undefined });
  await assert.rejects(bot.start(), /does not connect/);
});
