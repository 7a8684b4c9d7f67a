import { acme, alice, botApp, call, MESSAGES } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { cardOf, HELLO, sendMessage } from "./support/card-acme.ts";
import { CustomerClient, customerApp, visitorOf } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

/** Contents of the wrong shape: the type, the content, and the expected message. */
const MISSHAPEN = [
  ["text", {}, "content.text不能为空"],
  ["text", { text: null }, "content.text不能为空"],
  ["text", { text: "" }, "content.text不能为空"],
  ["text", { text: 7 }, "content.text类型错误,应为string"],
  ["image", { fileKey: "file_x", height: 1 }, "content.width不能为空"],
  ["image", { fileKey: "file_x", width: 1, height: 1.5 }, "content.height类型错误,应为integer"],
  ["image", { fileKey: "file_x", width: 1, height: -1 }, "content.height必须在0到1000000之间"],
  ["image", { width: 1, height: 1 }, "content.fileKey不能为空"],
  ["file", {}, "content.fileKey不能为空"],
  ["file", { fileKey: ["file_x"] }, "content.fileKey类型错误,应为string"],
] as const;
const MISSHAPEN_CARDS = [
  ["card", {}, "content.cardId不能为空"],
  ["card", { card: null, cardId: "" }, "content.cardId不能为空"],
  ["card", { cardId: 7 }, "content.cardId类型错误,应为string"],
  ["card", { card: cardOf(HELLO), cardId: "tpl" }, "content.card与content.cardId只能提供一个"],
  ["card", { card: "{}" }, "仅支持schema为2.0的卡片"],
] as const;
/** Mentions, of every type of message. */
const MISSHAPEN_MENTIONS = [
  ["text", { text: "x", mentions: "alice" }, "content.mentions必须为数组"],
  ["post", { mentions: ["alice", 7] }, "content.mentions包含非法账号"],
] as const;
const ALL = [
  ...MISSHAPEN,
  ...MISSHAPEN_CARDS,
  ...MISSHAPEN_MENTIONS,
  ["video", {}, "不支持的消息类型: video"],
] as const;

onBothEngines("the shape of content is checked before its meaning", (engine, test) => {
  const world = suiteWorld(
    engine,
    acme(botApp("app_bot"), botApp("app_nowhere", { installations: [] }), customerApp("app_desk")),
  );

  test("before the installation on a send", async () => {
    for (const [msgType, content, message] of ALL) {
      assertRefused(await sendMessage(world(), "app_nowhere", msgType, content), 400, "400006", message);
    }
  });
  test("before everything that needs the database: files, templates, rules of a card", async () => {
    for (const [msgType, content] of [
      ["file", { fileKey: "file_unknown" }],
      ["image", { fileKey: "file_unknown", width: 1, height: 1 }],
      ["card", { cardId: "tpl_unknown" }],
      ["card", { card: { schema: "1.0" } }],
    ] as const) {
      const refused = await sendMessage(world(), "app_nowhere", msgType, content);
      assertRefused(refused, 403, "400008", "机器人未安装到目标会话");
    }
  });
  test("before a repeat is detected", async () => {
    const clientMessageId = "shape";
    assertSuccess(await sendMessage(world(), "app_bot", "text", { text: "once" }, { clientMessageId }));
    for (const [msgType, content, message] of ALL) {
      const refused = await sendMessage(world(), "app_bot", msgType, content, { clientMessageId });
      assertRefused(refused, 400, "400006", message);
    }
  });
  test("before the parent of a reply", async () => {
    for (const [msgType, content, message] of ALL) {
      const body = JSON.stringify({ receiveIdType: "group_id", receiveId: "g_team", msgType, content });
      const refused = await call(world(), "app_bot", { method: "POST", target: `${MESSAGES}/999/reply`, body });
      assertRefused(refused, 400, "400006", message);
    }
  });
  test("before the membership on a member's post", async () => {
    const member = await MemberClient.signIn(world(), alice);
    for (const [msgType, content, message] of [...MISSHAPEN, ...MISSHAPEN_MENTIONS]) {
      const refused = await member.post("conversations/group:g_other/messages", { msgType, content });
      assertRefused(refused, 400, "400006", message);
    }
  });
  test("before visitor and agent in customer service", async () => {
    const app = new CustomerClient(world, "app_desk");
    for (const [msgType, content, message] of MISSHAPEN.filter(([msgType]) => msgType !== "text")) {
      const said = { visitorId: "v_nobody", agentId: "nobody", msgType, content };
      assertRefused(await app.post("message/send", said), 400, "400006", message);
      assertRefused(await app.post("agent/message/send", said), 400, "400006", message);
    }
    const extra = { long: "x".repeat(8 * 1024) };
    const auth = { thirdUserId: "c-9", appId: "app_other", extra };
    assertRefused(await app.post("visitor/auth", auth), 400, "400006", "extra不能超过8KiB");
  });
  test("before the owner of a file, for a disabled visitor", async () => {
    const app = new CustomerClient(world, "app_desk");
    const visitorId = visitorOf("app_desk", "dora");
    const said = { visitorId, msgType: "file", content: { fileKey: "file_unknown" } };
    assertRefused(await app.post("message/send", said), 403, "400101");
  });
});
