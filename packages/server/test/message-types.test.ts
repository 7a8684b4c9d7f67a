import assert from "node:assert/strict";
import type { ClientMessage, MessageType } from "@portico/protocol";
import fc from "fast-check";
import { sweepFiles } from "../src/domain/files/sweep.ts";
import { acme, alice, botApp, call, credentialsOf, MESSAGES } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { cardOf, HELLO, sendMessage, TO_ALICE, uploadAsMember } from "./support/card-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send, sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { StreamClient } from "./support/stream-client.ts";
import { assertUnharmed } from "./support/unharmed.ts";
import { PIXEL, uploadKey } from "./support/uploads.ts";
import { suiteWorld, type World } from "./support/world.ts";

const FILE_KEY_TTL_MS = 600_000;
const TYPES = ["text", "post", "card", "image", "file"] as const satisfies MessageType[];
const TARGETS = [
  ["group", {}, "group:g_team"],
  ["user", TO_ALICE, "bot:app_bot"],
] as const;

/** A valid content of each type. */
async function contentOf(world: World, msgType: MessageType): Promise<Record<string, unknown>> {
  switch (msgType) {
    case "text":
      return { text: "hello" };
    case "post":
      return { title: "Release", zh_cn: [[{ tag: "a", href: "javascript:alert(1)" }]] };
    case "card":
      return { card: cardOf(HELLO) };
    case "image":
      return { fileKey: await uploadKey(world, "app_bot"), width: 640, height: 480 };
    case "file":
      return { fileKey: await uploadKey(world, "app_bot") };
  }
}

async function lastMessage(world: World, conversationId: string): Promise<ClientMessage> {
  const { items } = (await readLast(world, conversationId)).json.value;
  return items[0];
}

async function readLast(world: World, conversationId = "group:g_team"): Promise<Answer> {
  const member = await MemberClient.signIn(world, alice);
  const answer = await member.get(`conversations/${conversationId}/messages?limit=1`);
  assertSuccess(answer);
  return answer;
}

/** Sends a body whose `content` is given as JSON text. */
function sendRawContent(world: World, content: string, { msgType = "post", between = "" } = {}): Promise<Answer> {
  const body = `{"receiveIdType":"group_id","receiveId":"g_team","msgType":"${msgType}","content":${between}${content}${between}}`;
  return call(world, "app_bot", { method: "POST", target: MESSAGES, body });
}

onBothEngines("message types", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_two")));
  const sendAs = (msgType: string, content: unknown, other = {}) =>
    sendMessage(world(), "app_bot", msgType, content, other);

  for (const [target, where, conversationId] of TARGETS) {
    for (const msgType of TYPES) {
      test(`${msgType} to a ${target} is answered with its position and seen by the target's members`, async () => {
        const content = await contentOf(world(), msgType);
        const clientMessageId = `${msgType} to a ${target}`;
        const answer = await sendAs(msgType, content, { ...where, clientMessageId });
        assertSuccess(answer);
        const { messageId, msgSeq, ...rest } = answer.json.value;
        assert.deepEqual(Object.keys(answer.json.value), ["messageId", "msgSeq", "clientMessageId", "duplicate"]);
        assert.deepEqual(rest, { clientMessageId, duplicate: false });
        const { content: seen, ...message } = await lastMessage(world(), conversationId);
        assert.deepEqual(message, {
          messageId,
          msgSeq,
          msgType,
          sender: { type: "BOT", id: "app_bot", name: "Bot app_bot" },
          mentions: [],
          cardVersion: msgType === "card" ? 1 : null,
          recalled: false,
          parentMessageId: null,
          createTime: world().clock.now(),
        });
        const described =
          "fileKey" in content
            ? { url: urlOf(seen), fileName: "a.png", mimeType: "image/png", size: PIXEL.length }
            : undefined;
        assert.deepEqual(seen, { ...content, ...described });
      });
    }
  }
  for (const msgType of ["image", "file"] as const) {
    test(`the url of a sent ${msgType} is absolute and answers with its bytes, without credentials`, async () => {
      const fileKey = await uploadKey(world(), "app_bot", {
        content: "a,b\n1,2\n",
        fileName: "t.csv",
        mimeType: "text/csv",
      });
      assertSuccess(await sendAs(msgType, { fileKey, width: 1, height: 1 }));
      const { content } = await lastMessage(world(), "group:g_team");
      const file = await send(urlOf(content));
      assert.deepEqual([file.status, file.text, file.headers["content-type"]], [200, "a,b\n1,2\n", "text/csv"]);
      const { fileName, mimeType, size } = content as Record<string, unknown>;
      assert.deepEqual({ fileName, mimeType, size }, { fileName: "t.csv", mimeType: "text/csv", size: 8 });
    });
  }

  for (const [what, post] of [
    ["numbers in every spelling", '{"a":[1.0,1e400,-1E+400,-0,0.10,12345678901234567890,1e-999,9007199254740993]}'],
    ["escapes", '{"\\u0061":"\\u00e9\\u00E9\\/\\n","é":"\\ud83d\\ude00😀","nul":"\\u0000","lone":"\\ud800"}'],
    ["whitespace inside", '{ "a" :\r\n\t[ 1 ,\n2 ] , "b"\t: { } }'],
    ["repeated keys", '{"a":1,"a":{"b":2,"b":3},"a":"last"}'],
    ["keys that objects inherit", '{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"toString":1,"":0}'],
    ["keys like those around it", '{"content":{"content":1},"msgType":"text","text":"}]\\"","receiveId":[]}'],
    ["brackets, commas and quotes in texts", '{"a":"]}","b":"{[,:","c":"\\\\","d":"\\\\\\"}","e":["\\"",","]}'],
    ["numeric keys out of order", '{"10":0,"2":0,"1":0}'],
    ["nothing in it", "{}"],
    ["lists nested 50,000 deep", `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
    ["objects nested 40,000 deep", `{"a":${'{"a":'.repeat(40_000)}1e5${"}".repeat(40_000)}}`],
    ["many small values", `{"a":[${"1.0,".repeat(60_000)}true]}`],
  ] as const) {
    test(`a post with ${what} reaches the members byte for byte, in history, changes and live`, async () => {
      const member = await MemberClient.signIn(world(), alice);
      const stream = await StreamClient.open(world().url, member.token);
      const live: string[] = [];
      stream.socket.on("message", (frame) => live.push(String(frame)));
      const { msgSeq } = (await sendRawContent(world(), post)).json.value;
      await stream.take(1);
      await stream.close();
      const { text: history } = await readLast(world());
      const { text: changes } = await member.get(`conversations/group:g_team/changes?afterSeq=${msgSeq - 1}`);
      for (const text of [history, changes, live.join()]) {
        assert.ok(text.includes(`"msgType":"post","content":${post},"sender":`), text.slice(0, 2_000));
      }
    });
  }
  test("any post in any layout reaches the members byte for byte", async () => {
    const layout = fc.record({ space: fc.constantFrom("", " ", "\t", "\r\n", " \n\t "), indent: fc.nat(3) });
    const property = fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), layout, async (value, how) => {
      const post = JSON.stringify(value, null, how.indent);
      assertSuccess(await sendRawContent(world(), post, { between: how.space }));
      assert.ok((await readLast(world())).text.includes(`"content":${post},"sender":`), post);
    });
    await fc.assert(property, { numRuns: 60 });
  });
  test("if content is repeated, the last one counts, however its key is spelled", async () => {
    for (const [contents, seen] of [
      ['"content":{"a":1},"content":{"b":1.0}', '{"b":1.0}'],
      ['"content":7,"content":{"b":2.0}', '{"b":2.0}'],
      ['"content":{"a":1},"con\\u0074ent":{"c":1.0}', '{"c":1.0}'],
      ['"con\\u0074ent":{"a":1},"content":{"d":1.0},"x":{"content":{"e":1}}', '{"d":1.0}'],
    ]) {
      const body = `{${contents},"receiveIdType":"group_id","receiveId":"g_team","msgType":"post"}`;
      assertSuccess(await call(world(), "app_bot", { method: "POST", target: MESSAGES, body }));
      assert.ok((await readLast(world())).text.includes(`"content":${seen},"sender":`), seen);
    }
    assertSuccess(await sendRawContent(world(), '{"text":"first"},"content":{"text":"last"}', { msgType: "text" }));
    assert.deepEqual((await lastMessage(world(), "group:g_team")).content, { text: "last" });
    const wrongLast = await sendRawContent(world(), '{"text":"first"},"content":7', { msgType: "text" });
    assertRefused(wrongLast, 400, "400006");
  });

  for (const [msgType, what, change, named] of [
    ["text", "no text", { text: undefined }, "content.text"],
    ["text", "a text that is null", { text: null }, "content.text"],
    ["text", "a text that is a number", { text: 7 }, "content.text"],
    ["text", "a text that is an object", { text: { content: "x" } }, "content.text"],
    ["image", "no fileKey", { fileKey: undefined }, "content.fileKey"],
    ["image", "a fileKey that is null", { fileKey: null }, "content.fileKey"],
    ["image", "a fileKey that is empty", { fileKey: "" }, "content.fileKey"],
    ["image", "a fileKey that is a number", { fileKey: 7 }, "content.fileKey"],
    ["image", "a fileKey that is a list", { fileKey: ["file_1"] }, "content.fileKey"],
    ["file", "no fileKey", { fileKey: undefined }, "content.fileKey"],
    ["file", "a fileKey that is a number", { fileKey: 7 }, "content.fileKey"],
    ["file", "a fileKey that is an object", { fileKey: {} }, "content.fileKey"],
    ["card", "neither card nor cardId", { card: undefined }, "content.cardId"],
    ["card", "a cardId that is a number", { card: undefined, cardId: 7 }, "content.cardId"],
  ] as const) {
    test(`${msgType} with ${what} gives 400 + 400006 naming ${named}`, async () => {
      const answer = await sendAs(msgType, { ...(await contentOf(world(), msgType)), ...change });
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes(named), answer.json.message);
    });
  }
  for (const field of ["width", "height"]) {
    for (const [what, value] of [
      ["missing", undefined],
      ["null", null],
      ["a text", "1"],
      ["a fraction", 1.5],
      ["negative", -1],
      ["true", true],
      ["a list", [1]],
      ["huge", 1e300],
    ] as const) {
      test(`image with a ${field} that is ${what} gives 400 + 400006 naming it`, async () => {
        const answer = await sendAs("image", { ...(await contentOf(world(), "image")), [field]: value });
        assertRefused(answer, 400, "400006");
        assert.ok(answer.json.message.includes(`content.${field}`), answer.json.message);
      });
    }
  }
  test("image with an integer in another spelling passes as that integer", async () => {
    const fileKey = await uploadKey(world(), "app_bot");
    assertSuccess(
      await sendRawContent(world(), `{"fileKey":"${fileKey}","width":1.0,"height":64e1}`, { msgType: "image" }),
    );
    const { width, height } = (await lastMessage(world(), "group:g_team")).content as Record<string, unknown>;
    assert.deepEqual([width, height], [1, 640]);
  });
  for (const msgType of TYPES) {
    test(`${msgType} with a content that is not an object gives 400 + 400006 naming content`, async () => {
      for (const content of [undefined, null, [], [{ text: "x" }], "x", 7, true]) {
        const answer = await sendAs(msgType, content);
        assertRefused(answer, 400, "400006");
        assert.match(answer.json.message, /content/);
      }
    });
  }
  for (const msgType of ["audio", "CARD", "post ", "interactive", "toString", "自定义"]) {
    test(`unsupported msgType ${JSON.stringify(msgType)} gives 400 + 400006 with any content`, async () => {
      for (const known of TYPES) assertRefused(await sendAs(msgType, await contentOf(world(), known)), 400, "400006");
    });
  }

  for (const msgType of TYPES) {
    test(`mentions in ${msgType}: strings and objects are resolved, duplicates and empty values removed, unknown accounts kept`, async () => {
      const mentions = [
        "alice",
        { userId: "bob", name: "Bobby" },
        "",
        { userId: "" },
        {},
        null,
        { userId: "u_alice" },
        "zed",
        { userId: "zed" },
      ];
      const content = { ...(await contentOf(world(), msgType)), mentions };
      assertSuccess(await sendAs(msgType, content));
      const message = await lastMessage(world(), "group:g_team");
      assert.deepEqual(message.mentions, [
        { userId: "u_alice", name: "Alice", isBot: false },
        { userId: "u_bob", name: "Bob", isBot: false },
        { userId: "zed", name: "zed", isBot: false },
      ]);
      const seen = msgType === "post" ? mentions : ["u_alice", "u_bob", "zed"];
      assert.deepEqual((message.content as Record<string, unknown>).mentions, seen);
    });
    test(`mentions in ${msgType} that name nobody count as none`, async () => {
      for (const mentions of [undefined, null, [], ["", null, {}, { userId: null }]]) {
        assertSuccess(await sendAs(msgType, { ...(await contentOf(world(), msgType)), mentions }));
        assert.deepEqual((await lastMessage(world(), "group:g_team")).mentions, []);
      }
    });
    test(`mentions in ${msgType} that are not a list of accounts give 400 + 400006 naming them`, async () => {
      for (const mentions of ["alice", {}, { userId: "alice" }, 7, true, ["alice", 7], [true], [{ userId: 7 }]]) {
        const answer = await sendAs(msgType, { ...(await contentOf(world(), msgType)), mentions });
        assertRefused(answer, 400, "400006");
        assert.match(answer.json.message, /content\.mentions/);
      }
    });
  }
  test("a mention that is a list gives 400 + 400006, because it is neither string, null nor object", async () => {
    for (const mentions of [["alice", []], [["alice"]]]) {
      assertRefused(await sendAs("text", { text: "x", mentions }), 400, "400006");
    }
  });

  const GONE = "fileKey无效或已过期";
  for (const msgType of ["image", "file"] as const) {
    const sendKey = (fileKey: string, other = {}) => sendAs(msgType, { fileKey, width: 1, height: 1 }, other);
    test(`${msgType} with an unknown fileKey gives 403 + 400008 ${GONE}`, async () => {
      const known = await uploadKey(world(), "app_bot");
      for (const fileKey of [
        "file_unknown",
        `${known}x`,
        known.toUpperCase(),
        "__proto__",
        "\0",
        `${known}\0`,
        "\ud800",
        "x".repeat(9_999),
      ]) {
        assertRefused(await sendKey(fileKey), 403, "400008", GONE);
      }
    });
    test(`${msgType} with the fileKey of another app or of a member gives 403 + 400008 ${GONE}`, async () => {
      assertRefused(await sendKey(await uploadKey(world(), "app_two")), 403, "400008", GONE);
      const members = await uploadAsMember(await MemberClient.signIn(world(), alice));
      assertRefused(await sendKey(members), 403, "400008", GONE);
    });
    test(`${msgType} with a fileKey of 599.999 s passes, of 600 s gives 403 + 400008 ${GONE}`, async () => {
      const fileKey = await uploadKey(world(), "app_bot");
      world().clock.turn(FILE_KEY_TTL_MS - 1);
      assertSuccess(await sendKey(fileKey));
      world().clock.turn(1);
      assertRefused(await sendKey(fileKey), 403, "400008", GONE);
    });
    test(`${msgType}: one fileKey may be sent to several conversations`, async () => {
      const fileKey = await uploadKey(world(), "app_bot");
      assertSuccess(await sendKey(fileKey));
      assertSuccess(await sendKey(fileKey, TO_ALICE));
      const urls = await Promise.all(TARGETS.map(async ([, , id]) => urlOf((await lastMessage(world(), id)).content)));
      for (const url of urls) assert.deepEqual((await send(url)).bytes, PIXEL);
    });
    test(`a sent ${msgType} outlives its fileKey and the sweep, an unsent one does not`, async () => {
      const [sent, unsent] = [await uploadKey(world(), "app_bot"), await uploadKey(world(), "app_bot")];
      assertSuccess(await sendKey(sent));
      const refused = await sendAs(msgType, { fileKey: unsent, width: 1, height: 1, mentions: 7 });
      assertRefused(refused, 400, "400006");
      world().clock.turn(2 * FILE_KEY_TTL_MS);
      const { ctx } = world().portico;
      await sweepFiles(ctx);
      const kept = await ctx.storage.db
        .selectFrom("files")
        .select("file_key")
        .where("file_key", "in", [sent, unsent])
        .execute();
      assert.deepEqual(kept, [{ file_key: sent }]);
      const file = await send(urlOf((await lastMessage(world(), "group:g_team")).content));
      assert.deepEqual([file.status, file.bytes], [200, PIXEL]);
    });
    test(`a repeated clientMessageId of a ${msgType} is answered even if its fileKey has expired since`, async () => {
      const [fileKey, clientMessageId] = [await uploadKey(world(), "app_bot"), `${msgType} once`];
      const first = await sendKey(fileKey, { clientMessageId });
      assertSuccess(first);
      world().clock.turn(FILE_KEY_TTL_MS);
      const repeat = await sendKey(fileKey, { clientMessageId });
      assert.deepEqual(repeat.json.value, { ...first.json.value, duplicate: true });
      assertRefused(await sendKey(fileKey), 403, "400008", GONE);
    });
    test(`a ${msgType} refused for its fileKey does not use its clientMessageId up`, async () => {
      const clientMessageId = `${msgType} refused first`;
      assertRefused(await sendKey("file_unknown", { clientMessageId }), 403, "400008", GONE);
      const good = await sendKey(await uploadKey(world(), "app_bot"), { clientMessageId });
      assert.equal(good.json.value.duplicate, false);
    });
  }

  for (const msgType of TYPES) {
    test(`50 concurrent sends of a ${msgType} with one clientMessageId make one message`, async () => {
      const before = (await sendAs("text", { text: "before" })).json.value.msgSeq;
      const content = await contentOf(world(), msgType);
      const clientMessageId = `race of ${msgType}s`;
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => sendAs(msgType, content, { clientMessageId })),
      );
      for (const answer of answers) assertSuccess(answer);
      assert.equal(answers.filter((answer) => !answer.json.value.duplicate).length, 1);
      const places = answers.map(({ json }) => `${json.value.messageId} ${json.value.msgSeq}`);
      assert.equal(new Set(places).size, 1);
      assert.equal((await sendAs("text", { text: "after" })).json.value.msgSeq, before + 2);
    });
  }
  test("msgSeq has no gap and no repeat under 100 concurrent sends of all types, including refused ones", async () => {
    const urls = [world().url, engine.name === "postgres" ? (await world().start()).url : world().url];
    const before = (await sendAs("text", { text: "before" })).json.value.msgSeq;
    // All sends use the same three files, so they compete for the files as well as for the conversation.
    const contents = await Promise.all(
      TYPES.map(async (msgType) => ({ msgType, content: await contentOf(world(), msgType) })),
    );
    const fileKey = await uploadKey(world(), "app_bot");
    contents.push({ msgType: "card", content: { card: cardOf({ tag: "img", img_key: fileKey }) } });
    contents.push({ msgType: "image", content: { fileKey, width: 1, height: 1 } });
    contents.push({ msgType: "image", content: { fileKey: "file_unknown", width: 1, height: 1 } });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const body = JSON.stringify({
          receiveIdType: "group_id",
          receiveId: "g_team",
          ...contents[n % contents.length],
        });
        return sendSigned(urls[n % 7 < 3 ? 0 : 1] ?? "", credentialsOf("app_bot"), {
          method: "POST",
          target: MESSAGES,
          timestamp: world().clock.now(),
          body,
        });
      }),
    );
    const [sent, refused] = [
      answers.filter(({ status }) => status === 200),
      answers.filter(({ status }) => status !== 200),
    ];
    for (const answer of refused) assertRefused(answer, 403, "400008", GONE);
    assert.equal(refused.length, 12);
    const seqs = sent.map((answer) => answer.json.value.msgSeq).sort((a, b) => a - b);
    assert.deepEqual(
      seqs,
      Array.from({ length: 88 }, (_, n) => before + 1 + n),
    );
    const history = await (await MemberClient.signIn(world(), alice)).history("group:g_team");
    assert.deepEqual(
      history
        .slice(-88)
        .map(({ messageId, msgSeq }) => `${messageId} ${msgSeq}`)
        .sort(),
      sent.map(({ json }) => `${json.value.messageId} ${json.value.msgSeq}`).sort(),
    );
  });
  test("after all these tests the service works normally", async () => {
    await assertUnharmed(world(), "app_bot");
  });
});

/** The address in a message's content; asserts that it is absolute. */
function urlOf(content: unknown): string {
  const { url } = content as { url: string };
  assert.match(url, /^http:\/\/localhost:\d+\/files\/[\w-]{20,}$/);
  return url;
}
