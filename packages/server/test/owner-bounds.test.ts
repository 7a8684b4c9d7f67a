import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { LIMITS } from "@portico/protocol";
import { APPS, alice, bob, botApp, call, sendText } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { ConsoleClient, consoleAcme } from "./support/console.ts";
import { DeskClient } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { FORM_TYPE, filePart, form, upload } from "./support/uploads.ts";
import { SITE, serviceApp, WIDGET, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const KIB = 1024;
const BOUNDS = {
  PORTICO_LIMITS_MEMBER_MESSAGES_PER_MINUTE: "3",
  PORTICO_LIMITS_VISITOR_MESSAGES_PER_MINUTE: "3",
  PORTICO_LIMITS_MEMBER_BYTES_PER_HOUR: "200KiB",
  PORTICO_LIMITS_VISITOR_BYTES_PER_HOUR: "100KiB",
  PORTICO_LIMITS_APP_BYTES_PER_HOUR: "150KiB",
  PORTICO_LIMITS_ANONYMOUS_ADDRESS_BYTES_PER_HOUR: "120KiB",
  PORTICO_LIMITS_ANONYMOUS_APP_BYTES_PER_HOUR: "140KiB",
  PORTICO_TRUSTED_PROXIES: "127.0.0.1/32",
};
const TOO_FAST = "发送过于频繁,请稍后重试";
const TOO_MUCH = "存储的内容过多,请稍后重试";

function formOf(kib: number): Buffer {
  return form(filePart({ content: randomBytes(kib * KIB) }));
}

function post(url: string, path: string, token: string, body: string | Buffer): Promise<Answer> {
  const type = typeof body === "string" ? "application/json" : FORM_TYPE;
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
  return send(`${url}/api/${path}`, { method: "POST", headers, body });
}

onBothEngines("the storage allowance of an owner", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(
      botApp("app_bot"),
      botApp("app_two"),
      serviceApp("app_shop"),
      serviceApp("app_other"),
      serviceApp("app_desk", { agents: ["bob"] }),
    ),
    BOUNDS,
  );

  test("a member's messages in a minute: more are 429 until they come back evenly; others' and reads go on", async () => {
    const [member, other] = [await MemberClient.signIn(world(), alice), await MemberClient.signIn(world(), bob)];
    const say = (who: MemberClient) =>
      who.post("conversations/group:g_team/messages", { msgType: "text", content: { text: "hi" } });
    for (let n = 0; n < 3; n++) assertSuccess(await say(member));
    const refused = await say(member);
    assertRefused(refused, 429, "429001", TOO_FAST);
    assert.equal(refused.headers["retry-after"], "20");
    assertSuccess(await say(other));
    assertSuccess(await member.get("conversations/group:g_team/messages"));
    world().clock.turn(20_000);
    assertSuccess(await say(member));
    assertRefused(await say(member), 429, "429001", TOO_FAST);
  });

  test("a member's bytes in an hour, messages and files alike; what was refused is not counted", async () => {
    world().clock.turn(3_600_000);
    const { token } = await MemberClient.signIn(world(), alice);
    const uploaded = (kib: number) => post(world().url, "client/v1/files", token, formOf(kib));
    assertSuccess(await uploaded(100));
    // Its body was not a form, so nothing of it is stored.
    assertRefused(await post(world().url, "client/v1/files", token, Buffer.alloc(80 * KIB)), 400, "400006");
    assertSuccess(await uploaded(50));
    assertRefused(await uploaded(60), 429, "429001", TOO_MUCH);
    const text = "x".repeat(60 * KIB);
    const message = JSON.stringify({ msgType: "text", content: { text } });
    const messages = "client/v1/conversations/group:g_team/messages";
    assertRefused(await post(world().url, messages, token, message), 429, "429001", TOO_MUCH);
    world().clock.turn(1_800_000);
    assertSuccess(await post(world().url, messages, token, message));
  });

  test("an owner without remaining allowance is refused before the body is read", async () => {
    world().clock.turn(3_600_000);
    const { token } = await MemberClient.signIn(world(), alice);
    assertSuccess(await post(world().url, "client/v1/files", token, formOf(180)));
    const { hostname, port } = new URL(world().url);
    await using socket = connect(Number(port), hostname);
    const head = [
      "POST /api/client/v1/conversations/group:g_team/messages HTTP/1.1",
      "Host: portico",
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      `Content-Length: ${60 * KIB}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    const [answer] = await once(socket, "data");
    assert.match(String(answer), /^HTTP\/1\.1 429 /);
  });

  test("a visitor's messages and bytes; all visitors of an application together have the application's allowance", async () => {
    world().clock.turn(3_600_000);
    const visitors = await Promise.all(["a", "b", "c"].map((id) => WidgetClient.open(world(), "app_shop", id)));
    const [first, second, third] = visitors;
    assert.ok(first && second && third);
    for (let n = 0; n < 3; n++) await first.say("hi");
    assertRefused(await first.post("messages", { content: "hi" }), 429, "429001", TOO_FAST);
    const uploaded = ({ token }: WidgetClient, kib: number) => post(world().url, "widget/v1/files", token, formOf(kib));
    assertSuccess(await uploaded(first, 80));
    assertRefused(await uploaded(first, 20), 429, "429001", TOO_MUCH);
    assertSuccess(await uploaded(second, 50));
    assertRefused(await uploaded(third, 50), 429, "429001", TOO_MUCH);
    assertSuccess(await uploaded(await WidgetClient.open(world(), "app_other", "a"), 50));
  });

  test("visitors without a name: what an address stores, and all of an application, from which the others are not taken", async () => {
    world().clock.turn(3_600_000);
    await (await ConsoleClient.logIn(world())).ok("PATCH", "apps/app_other", { anonymousVisitors: true });
    const from = async (address: string) => {
      const forwarded = { "x-forwarded-for": address, origin: SITE };
      const answer = await send(`${world().url}${WIDGET}/visitors`, {
        method: "POST",
        headers: { "content-type": "application/json", ...forwarded },
        body: JSON.stringify({ appId: "app_other" }),
      });
      assertSuccess(answer);
      return (kib: number) =>
        send(`${world().url}${WIDGET}/files`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${answer.json.value.visitorToken}`,
            "content-type": FORM_TYPE,
            ...forwarded,
          },
          body: formOf(kib),
        });
    };
    assertSuccess(await (await from("2001:db8::1"))(70));
    assertRefused(await (await from("2001:db8::2"))(60), 429, "429001", TOO_MUCH);
    const elsewhere = await from("203.0.113.7");
    assertSuccess(await elsewhere(50));
    assertRefused(await elsewhere(30), 429, "429001", TOO_MUCH);
    const named = await WidgetClient.open(world(), "app_other", "named");
    assertSuccess(await post(world().url, "widget/v1/files", named.token, formOf(80)));
  });

  test("an agent's notes, transfers and canned replies count as messages; closing does not", async () => {
    world().clock.turn(3_600_000);
    const widget = await WidgetClient.open(world(), "app_desk", "a");
    const { sessionId } = await widget.say("hi");
    const agent = await DeskClient.signIn(world(), "u_bob");
    const path = `apps/app_desk/sessions/${sessionId}`;
    const storing = [
      [`${path}/notes`, { text: "a note" }],
      [`${path}/transfer`, { agentId: "bob", note: "another" }],
      ["apps/app_desk/canned-replies", { shortcut: "hi", text: "Hello" }],
    ] as const;
    for (const [target, body] of storing) assertSuccess(await agent.call("POST", target, body));
    for (const [target, body] of storing) {
      assertRefused(await agent.call("POST", target, body), 429, "429001", TOO_FAST);
    }
    assertSuccess(await agent.call("POST", `${path}/close`, {}));
  });

  test("an application's bytes: more are 429 and count towards no other quota, and reads and small messages go on", async () => {
    world().clock.turn(3_600_000);
    assertSuccess(await upload(world(), "app_bot", formOf(100)));
    const before = await call(world(), "app_bot", { target: APPS });
    const refused = [
      await upload(world(), "app_bot", formOf(60)),
      await sendText(world(), "app_bot", "x".repeat(60 * KIB)),
    ];
    for (const answer of refused) {
      assertRefused(answer, 429, "429001");
      assert.ok(Number(answer.headers["retry-after"]) > 60);
      assert.equal(answer.headers["x-ratelimit-remaining"], before.headers["x-ratelimit-remaining"]);
    }
    assertSuccess(await sendText(world(), "app_bot", "small"));
    assertSuccess(await call(world(), "app_bot", { target: APPS }));
    assertSuccess(await upload(world(), "app_two", formOf(60)));
    const { requestLog, storage } = world().portico.ctx;
    await requestLog.flush();
    const rows = await storage.db.selectFrom("requests").select("detail").where("code", "=", "429001").execute();
    assert.equal(rows.filter(({ detail }) => detail?.includes('"exceeded":"bytes"')).length, 2);
  });

  test("a member who sends bytes too fast: messages that would wait too long are 429, uploads are read more slowly", async () => {
    world().clock.turn(3_600_000);
    const { ownerRates, temporaryFiles } = world().portico.ctx;
    const member = await MemberClient.signIn(world(), bob);
    const owner = { type: "MEMBER", id: "u_bob", within: "t_acme" } as const;
    // More than ten seconds' worth, as concurrent uploads may send.
    ownerRates.brought(owner, 1_000 * KIB * KIB);
    const refused = await member.post("conversations/group:g_team/messages", {
      msgType: "text",
      content: { text: "hi" },
    });
    assertRefused(refused, 429, "429001", TOO_FAST);
    assert.equal(refused.headers["retry-after"], "10");
    assertSuccess(await member.get("conversations/group:g_team/messages"));
    const slot = await temporaryFiles.acquireNow(owner);
    assert.ok(slot.restAfter(1) > 5_000);
    await slot.release();
  });

  test("a message whose length is not announced counts at its sender's rate as the longest there may be", async (t) => {
    world().clock.turn(3_600_000);
    const { ownerRates } = world().portico.ctx;
    const entered: number[] = [];
    t.mock.method(ownerRates, "enter", async (_owner: unknown, bytes: number) => void entered.push(bytes));
    const { token } = await MemberClient.signIn(world(), alice);
    const { hostname, port } = new URL(world().url);
    await using socket = connect(Number(port), hostname);
    const body = '{"msgType":"text","content":{"text":"hi"}}';
    const head = [
      "POST /api/client/v1/conversations/group:g_team/messages HTTP/1.1",
      "Host: portico",
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    const [answer] = await once(socket, "data");
    assert.match(String(answer), /^HTTP\/1\.1 200 /);
    assert.deepEqual(entered, [LIMITS.ordinaryBodyBytes]);
  });
});
