import assert from "node:assert/strict";
import type { ClientMessage } from "@portico/protocol";
import { acme, alice, botApp, call, credentialsOf, MESSAGES, sendText } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import {
  BROKEN_CARDS,
  cardOf,
  HELLO,
  recallCard,
  reply,
  SOUND_CARDS,
  seen,
  sendCard,
  sendMessage,
  sentId,
  TO_ALICE,
  updateCard,
} from "./support/card-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { apply } from "./support/provisioning.ts";
import { uploadKey } from "./support/uploads.ts";
import { suiteWorld, type World } from "./support/world.ts";

const TEAM = "group:g_team";
/** The log level below which nothing is an error. */
const INFO = 30;
const CONFLICT = "服务内部错误,请稍后重试";
const NOT_DELIVERED = "消息未投递给此应用";
const NO_CARD = "卡片消息不存在";
const WRONG_SCHEMA = "仅支持schema为2.0的卡片";

async function changesAfter(world: World, afterSeq: number) {
  const member = await MemberClient.signIn(world, alice);
  const answer = await member.get(`conversations/${TEAM}/changes?afterSeq=${afterSeq}&limit=100`);
  return answer.json.value.items as { msgSeq: number; type: string; message: ClientMessage }[];
}

onBothEngines("card messages: what is sent", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_two")));

  for (const [message, ...cards] of BROKEN_CARDS) {
    test(`${message}: 400 + 400006 on send, reply and update`, async () => {
      const member = await MemberClient.signIn(world(), alice);
      const body = { msgType: "text", content: { text: "you", mentions: ["app_bot"] } };
      const parent = await sentId(member.post(`conversations/${TEAM}/messages`, body));
      const messageId = await sentId(sendCard(world(), "app_bot", cardOf(HELLO)));
      for (const card of cards) {
        assertRefused(await sendCard(world(), "app_bot", card), 400, "400006", message);
        assertRefused(await updateCard(world(), "app_bot", messageId, { card }), 400, "400006", message);
        const answer = await reply(world(), "app_bot", parent, { msgType: "card", content: { card } });
        assertRefused(answer, 400, "400006", message);
      }
      const kept = await seen(world(), messageId);
      assert.deepEqual([kept.content, kept.cardVersion], [{ card: cardOf(HELLO) }, 1]);
    });
  }
  for (const [what, card] of SOUND_CARDS) {
    test(`a card with ${what} is accepted on send and update and shown unchanged`, async () => {
      const sent = await sentId(sendCard(world(), "app_bot", card));
      assert.deepEqual((await seen(world(), sent)).content, { card });
      const updated = await sentId(sendCard(world(), "app_bot", cardOf(HELLO)));
      assertSuccess(await updateCard(world(), "app_bot", updated, { card }));
      assert.deepEqual((await seen(world(), updated)).content, { card });
    });
  }
  for (const [what, member] of [
    ["keys that objects inherit", '"value":{"__proto__":{"x":1},"constructor":1,"toString":null}'],
    ["lists nested 10,000 deep", `"value":${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    ["escapes", '"text":"\\u00e9\\u0000\\ud800\\/"'],
    ["numbers beyond 2^53", '"value":{"orderId":12345678901234567890}'],
    ["numbers beyond every double", '"value":1e400'],
    ["numbers that JavaScript spells otherwise", '"value":[1.50,-0,1E2,9223372036854775808,0.1e-7]'],
    ["names like integers", '"value":{"10":1,"9":2,"b":3,"1":4}'],
    ["repeated keys", '"value":{"a":1,"b":2,"a":3},"value":{"a":5}'],
    ["blanks", '"value" : [ 1 ,\n\t2 ]'],
  ] as const) {
    test(`a component with ${what} is passed on unchanged, on send and update`, async () => {
      const card = `{"schema":"2.0","body":{"elements":[{"tag":"button",${member}}]},"header":{${member}}}`;
      const content = `{"card":${card}}`;
      const body = `{"receiveIdType":"group_id","receiveId":"g_team","msgType":"card","content":${content}}`;
      const messageId = await sentId(sendText(world(), "app_bot", "", { body }));
      await assertPassedOn();
      assertSuccess(await updateCard(world(), "app_bot", messageId, `{"card":${card}}`));
      await assertPassedOn();

      async function assertPassedOn() {
        const client = await MemberClient.signIn(world(), alice);
        const page = await client.get(`conversations/${TEAM}/messages?limit=1`);
        const changes = await client.get(
          `conversations/${TEAM}/changes?afterSeq=${page.json.value.items[0].msgSeq - 1}`,
        );
        for (const { text } of [page, changes, await client.get("conversations")]) {
          assert.ok(text.includes(`"content":${content},"sender":`), text);
        }
      }
    });
  }
  test("an image's address is written into the text, and nothing else of it changes, in replies too", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const question = { msgType: "text", content: { text: "you", mentions: ["app_bot"] } };
    const parent = await sentId(member.post(`conversations/${TEAM}/messages`, question));
    const fileKey = await uploadKey(world(), "app_bot");
    const image = `{"t":"\\"}]","tag":"img", "10":1.50,"img_key":"${fileKey}","2":-0}`;
    const card = `{"schema":"2.0","body":{"elements":[{"tag":"form","elements":[${image}]}]}, "9":1e400,"1":{}}`;
    const where = '"receiveIdType":"group_id","receiveId":"g_team"';
    const body = `{${where},"msgType":"card","content":{"card":${card},"mentions":["alice"]}}`;
    await sentId(call(world(), "app_bot", { method: "POST", target: `${MESSAGES}/${parent}/reply`, body }));
    const { text } = await member.get(`conversations/${TEAM}/messages?limit=1`);
    const [, address] = /"img_url":("[^"]+")/.exec(text) ?? [];
    const shown = card.replace('"2":-0', `"2":-0,"img_url":${address}`);
    assert.ok(text.includes(`"content":{"card":${shown},"mentions":["u_alice"]},`), text);
  });
  for (const card of ["x", 7, true, [], [cardOf(HELLO)]]) {
    test(`a card that is ${JSON.stringify(card).slice(0, 10)} gives 400 + 400006`, async () => {
      assertRefused(await sendCard(world(), "app_bot", card), 400, "400006", WRONG_SCHEMA);
    });
  }
  test("only card messages have a version", async () => {
    const texts = await sentId(sendText(world(), "app_bot", "x"));
    assert.equal((await seen(world(), texts)).cardVersion, null);
  });
});

onBothEngines("card messages: templates", (engine, test) => {
  const template = (version: number, card: unknown, cardId = "tpl_1") => ({ cardId, name: "Build", version, card });
  const withTemplates = (...cardTemplates: ReturnType<typeof template>[]) =>
    acme(
      botApp("app_bot", { cardTemplates }),
      botApp("app_two", { cardTemplates: [template(1, cardOf(HELLO), "tpl_two")] }),
    );
  const world = suiteWorld(engine, withTemplates(template(3, cardOf(HELLO))));
  const sendContent = (content: unknown, other = {}) => sendMessage(world(), "app_bot", "card", content, other);

  test("a card sent from a template is that template, at that template's version", async () => {
    const answer = await sendContent({ cardId: "tpl_1" });
    assertSuccess(answer);
    const message = await seen(world(), answer.json.value.messageId);
    assert.deepEqual([message.content, message.cardVersion], [{ card: cardOf(HELLO) }, 3]);
  });
  test("an update adds 1 to the template's version, and does not change the template", async () => {
    const messageId = await sentId(sendContent({ cardId: "tpl_1" }));
    assertRefused(
      await updateCard(world(), "app_bot", messageId, { card: cardOf(), version: 1 }),
      500,
      "500000",
      CONFLICT,
    );
    assertSuccess(await updateCard(world(), "app_bot", messageId, { card: cardOf(), version: 3 }));
    assert.equal((await seen(world(), messageId)).cardVersion, 4);
    const next = await seen(world(), await sentId(sendContent({ cardId: "tpl_1" })));
    assert.deepEqual([next.content, next.cardVersion], [{ card: cardOf(HELLO) }, 3]);
  });
  test("a card from a template with the highest possible version can be updated", async () => {
    await apply(world(), withTemplates(template(2 ** 31 - 1, cardOf(HELLO), "tpl_high")));
    const messageId = await sentId(sendContent({ cardId: "tpl_high" }));
    assertSuccess(await updateCard(world(), "app_bot", messageId, { card: cardOf(), version: 2 ** 31 - 1 }));
    assert.equal((await seen(world(), messageId)).cardVersion, 2 ** 31);
    assertSuccess(await updateCard(world(), "app_bot", messageId, { card: cardOf(), version: 2 ** 31 }));
  });
  test("when a template changes between sends, each message keeps its own content", async () => {
    const first = await sentId(sendContent({ cardId: "tpl_1" }));
    await apply(world(), withTemplates(template(8, cardOf({ tag: "hr" }))));
    const second = await sentId(sendContent({ cardId: "tpl_1" }));
    const [old, fresh] = [await seen(world(), first), await seen(world(), second)];
    assert.deepEqual([old.content, old.cardVersion], [{ card: cardOf(HELLO) }, 3]);
    assert.deepEqual([fresh.content, fresh.cardVersion], [{ card: cardOf({ tag: "hr" }) }, 8]);
  });
  test("content.cardId不能为空: neither card nor cardId", async () => {
    for (const content of [{}, { cardId: null }, { cardId: "" }, { card: null }, { card: null, cardId: null }]) {
      assertRefused(await sendContent(content), 400, "400006", "content.cardId不能为空");
    }
  });
  test("卡片模板不存在: an unknown cardId, or another app's", async () => {
    for (const cardId of ["tpl_9", "tpl_two", "TPL_1", "tpl_1 ", "__proto__", "\0", "\ud800", "x".repeat(9_999)]) {
      assertRefused(await sendContent({ cardId }), 400, "400006", "卡片模板不存在");
    }
    assertSuccess(await sendMessage(world(), "app_two", "card", { cardId: "tpl_two" }));
  });
  test("card and cardId together give 400 + 400006, because exactly one is required", async () => {
    assertRefused(await sendContent({ card: cardOf(HELLO), cardId: "tpl_1" }), 400, "400006");
    assertRefused(await sendContent({ card: {}, cardId: "tpl_9" }), 400, "400006");
    assertSuccess(await sendContent({ card: cardOf(HELLO), cardId: null }));
    assertSuccess(await sendContent({ card: null, cardId: "tpl_1" }));
  });
  for (const [message, card] of BROKEN_CARDS) {
    test(`a stored template is checked when it is sent: ${message}`, async () => {
      await apply(world(), withTemplates(template(1, card, "tpl_bad")));
      assertRefused(await sendContent({ cardId: "tpl_bad" }), 400, "400006", message);
    });
  }
  test("an update accepts no cardId", async () => {
    const messageId = await sentId(sendContent({ cardId: "tpl_1" }));
    const answer = await updateCard(world(), "app_bot", messageId, { cardId: "tpl_1" });
    assertRefused(answer, 400, "400006");
    assert.match(answer.json.message, /card/);
  });
  test("a repeated clientMessageId returns the original, even if the template has become invalid since", async () => {
    const clientMessageId = "from a template";
    await apply(world(), withTemplates(template(1, cardOf(HELLO), "tpl_once")));
    const first = await sendContent({ cardId: "tpl_once" }, { clientMessageId });
    await apply(world(), withTemplates(template(2, {}, "tpl_once")));
    const repeat = await sendContent({ cardId: "tpl_once" }, { clientMessageId });
    assert.deepEqual(repeat.json.value, { ...first.json.value, duplicate: true });
  });
});

onBothEngines("card messages: PUT and DELETE", (engine, test) => {
  const world = suiteWorld(
    engine,
    acme(botApp("app_bot"), botApp("app_two"), botApp("app_replies", { scopes: ["bot.message.reply"] })),
  );
  const send = (other = {}) => sentId(sendCard(world(), "app_bot", cardOf(HELLO), other));
  const update = (messageId: number | string, body: unknown) => updateCard(world(), "app_bot", messageId, body);
  const recall = (messageId: number | string) => recallCard(world(), "app_bot", messageId);
  const next = cardOf({ tag: "hr" });
  /** Sends messages as alice, to the bot and in the group; returns the ids. */
  const say = async () => {
    const member = await MemberClient.signIn(world(), alice);
    const body = { msgType: "text", content: { text: "x", mentions: ["app_bot"] } };
    const ids = [TEAM, "bot:app_bot"].map((id) => sentId(member.post(`conversations/${id}/messages`, body)));
    return await Promise.all(ids);
  };

  test("an update answers like a send, without clientMessageId, and with a later msgSeq", async () => {
    for (const where of [{}, TO_ALICE]) {
      const sent = await sendCard(world(), "app_bot", cardOf(HELLO), {
        ...where,
        clientMessageId: `${Object.keys(where)}` || "k",
      });
      const { messageId, msgSeq } = sent.json.value;
      for (const later of [1, 2]) {
        const answer = await update(messageId, { card: next });
        assertSuccess(answer);
        const value = { messageId, msgSeq: msgSeq + later, clientMessageId: null, duplicate: false };
        assert.deepEqual(answer.json.value, value);
        assert.deepEqual(Object.keys(answer.json.value), Object.keys(value));
      }
    }
  });
  test("members see the new card in the old position, one version later", async () => {
    const messageId = await send();
    const before = await seen(world(), messageId);
    world().clock.turn(1_000);
    assertSuccess(await update(messageId, { card: next }));
    assert.deepEqual(await seen(world(), messageId), { ...before, content: { card: next }, cardVersion: 2 });
  });
  for (const [what, body, now] of [
    ["no version", { card: next }, 2],
    ["version null", { card: next, version: null }, 2],
    ["an equal version", { card: next, version: 1 }, 2],
    ["an equal version in another spelling", `{"card":${JSON.stringify(next)},"version":1.0}`, 2],
  ] as const) {
    test(`version N, PUT with ${what}: version N+1`, async () => {
      const messageId = await send();
      assertSuccess(await update(messageId, body));
      assert.equal((await seen(world(), messageId)).cardVersion, now);
      assertSuccess(await update(messageId, { card: cardOf(), version: now }));
      assert.equal((await seen(world(), messageId)).cardVersion, now + 1);
    });
  }
  for (const version of [2, 0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e300]) {
    test(`version N, PUT with another version, ${version}: unchanged, and 500 + 500000 ${CONFLICT}`, async () => {
      const messageId = await send();
      const answer = await update(messageId, { card: next, version });
      assertRefused(answer, 500, "500000", CONFLICT);
      const kept = await seen(world(), messageId);
      assert.deepEqual([kept.content, kept.cardVersion], [{ card: cardOf(HELLO) }, 1]);
      // Callers' errors do not concern the operator.
      const lines = world().logLines.filter((line) => line.includes(answer.json.reqNo));
      const told = lines.map((line) => JSON.parse(line)).map(({ level, reason }) => [level, reason]);
      assert.deepEqual(told, [[INFO, `the card has version 1, not ${version}`]]);
    });
  }
  for (const [what, body, named] of [
    ["no card", {}, "card"],
    ["a card that is null", { card: null }, "card"],
    ["a card that is a text", { card: JSON.stringify(next) }, "card"],
    ["a card that is a list", { card: [next] }, "card"],
    ["a version that is a text", { card: next, version: "1" }, "version"],
    ["a version that is a fraction", { card: next, version: 1.5 }, "version"],
    ["a version that is true", { card: next, version: true }, "version"],
    ["a version beyond every double", `{"card":${JSON.stringify(next)},"version":1e400}`, "version"],
  ] as const) {
    test(`PUT with ${what} gives 400 + 400006 naming it, whatever the message`, async () => {
      for (const messageId of [await send(), await sentId(sendText(world(), "app_bot", "x")), 0]) {
        const answer = await update(messageId, body);
        assertRefused(answer, 400, "400006");
        assert.ok(answer.json.message.includes(named), answer.json.message);
      }
    });
  }
  for (const [what, parse] of [
    ["malformed JSON", "{"],
    ["no body", ""],
    ["a list", "[]"],
  ] as const) {
    test(`PUT with ${what} gives 400 + 400006`, async () => {
      const headers = { "content-type": "application/json" };
      const answer = await updateCard(world(), "app_bot", await send(), parse, { headers });
      assertRefused(answer, 400, "400006");
    });
  }

  for (const [what, ids] of [
    ["another app's card", async () => [await sentId(sendCard(world(), "app_two", cardOf(HELLO)))]],
    ["another app's text", async () => [await sentId(sendText(world(), "app_two", "x"))]],
    ["a member's message, delivered to it", say],
    ["an unknown message", async () => [2 ** 52, 0, -1, "9007199254740993", "9223372036854775807"]],
  ] as const) {
    test(`rule 1: PUT and DELETE of ${what} give 403 + 400008 ${NOT_DELIVERED}, whatever the card`, async () => {
      for (const id of await ids()) {
        for (const card of [next, {}]) {
          assertRefused(await update(id, { card, version: 7 }), 403, "400008", NOT_DELIVERED);
        }
        assertRefused(await recall(id), 403, "400008", NOT_DELIVERED);
      }
    });
  }
  for (const [msgType, content] of [
    ["text", { text: "x" }],
    ["post", { card: cardOf(HELLO) }],
    ["image", { width: 1, height: 1 }],
    ["file", {}],
  ] as const) {
    test(`rule 2: PUT and DELETE of a ${msgType} give 400 + 400006 ${NO_CARD}, whatever the card`, async () => {
      const fileKey = await uploadKey(world(), "app_bot");
      const id = await sentId(sendMessage(world(), "app_bot", msgType, { fileKey, ...content }));
      for (const card of [next, {}]) assertRefused(await update(id, { card, version: 7 }), 400, "400006", NO_CARD);
      assertRefused(await recall(id), 400, "400006", NO_CARD);
      assert.equal((await seen(world(), id)).recalled, false);
    });
  }
  for (const messageId of ["abc", "1.5", "1e3", "%20", "null"]) {
    test(`messageId ${messageId} gives 400 + 400006`, async () => {
      assertRefused(await update(messageId, { card: next }), 400, "400006");
      assertRefused(await recall(messageId), 400, "400006");
    });
  }
  test("order: the card's rules are checked before its version", async () => {
    const messageId = await send();
    assertRefused(await update(messageId, { card: {}, version: 7 }), 400, "400006", WRONG_SCHEMA);
    const image = cardOf({ tag: "img", img_key: "file_unknown" });
    assertRefused(await update(messageId, { card: image, version: 7 }), 403, "400008", "fileKey无效或已过期");
    assertRefused(await update(messageId, { card: next, version: 7 }), 500, "500000", CONFLICT);
  });
  test("the scope bot.message.send is needed, bot.message.reply is not enough", async () => {
    assertRefused(await updateCard(world(), "app_replies", await send(), { card: next }), 403, "400007");
    assertRefused(await recallCard(world(), "app_replies", await send()), 403, "400007");
  });
  test("a card that was sent as a reply is updated and recalled like any other, and keeps its parent", async () => {
    const [parent = 0] = await say();
    const content = { msgType: "card", content: { card: cardOf(HELLO) } };
    const messageId = await sentId(reply(world(), "app_bot", parent, content));
    assertSuccess(await update(messageId, { card: next, version: 1 }));
    assert.equal((await recall(messageId)).json.value, true);
    assert.equal((await seen(world(), messageId)).parentMessageId, parent);
  });

  test("a recall is true the first time and false after, and takes one msgSeq", async () => {
    const { messageId, msgSeq } = (await sendCard(world(), "app_bot", cardOf(HELLO))).json.value;
    for (const value of [true, false, false]) {
      const answer = await recall(messageId);
      assertSuccess(answer);
      assert.equal(answer.json.value, value);
    }
    const changes = await changesAfter(world(), msgSeq - 1);
    assert.deepEqual(
      changes.map(({ type, msgSeq }) => [type, msgSeq]),
      [
        ["message.created", msgSeq],
        ["message.recalled", msgSeq + 1],
      ],
    );
  });
  test("a recalled card shows nothing in history, changes and lastMessage, and stays so when updated", async () => {
    const secret = "what was recalled";
    const card = { ...cardOf({ tag: "text", text: secret }), header: { title: secret } };
    const content = { card, mentions: ["alice", secret] };
    const { messageId, msgSeq } = (await sendMessage(world(), "app_bot", "card", content)).json.value;
    assertSuccess(await update(messageId, { card }));
    const before = await seen(world(), messageId);
    assert.equal((await recall(messageId)).json.value, true);
    const gone = { ...before, content: null, mentions: [], recalled: true };
    await assertGone(gone, 3);
    for (const version of [undefined, 3]) {
      const updated = await update(messageId, { card, version });
      assertSuccess(updated);
      assert.equal(updated.json.value.msgSeq, version === undefined ? msgSeq + 3 : msgSeq + 4);
    }
    await assertGone({ ...gone, cardVersion: 4 }, 5);
    assert.equal((await recall(messageId)).json.value, false);

    async function assertGone(expected: unknown, count: number) {
      const member = await MemberClient.signIn(world(), alice);
      const [history, changes, conversations] = await Promise.all([
        member.get(`conversations/${TEAM}/messages`),
        member.get(`conversations/${TEAM}/changes?afterSeq=${msgSeq - 1}`),
        member.get("conversations"),
      ]);
      for (const { text } of [history, changes, conversations]) assert.ok(!text.includes(secret), text);
      assert.deepEqual(history.json.value.items.at(-1), expected);
      assert.deepEqual(conversations.json.value.items[0].lastMessage, expected);
      assert.equal(conversations.json.value.items[0].lastSeq, msgSeq + count - 1);
      const types = ["message.created", "card.updated", "message.recalled", "card.updated", "card.updated"];
      assert.deepEqual(
        changes.json.value.items,
        types.slice(0, count).map((type, n) => ({ msgSeq: msgSeq + n, type, message: expected })),
      );
    }
  });
  test("a recall does not release the clientMessageId", async () => {
    const first = await sendCard(world(), "app_bot", cardOf(HELLO), { clientMessageId: "recalled" });
    await recall(first.json.value.messageId);
    const repeat = await sendCard(world(), "app_bot", cardOf(HELLO), { clientMessageId: "recalled" });
    assert.deepEqual(repeat.json.value, { ...first.json.value, duplicate: true });
  });

  /** Makes 50 concurrent calls, on PostgreSQL alternating between two processes. */
  async function race(method: string, messageId: number, body: string): Promise<Answer[]> {
    const urls = [world().url, engine.name === "postgres" ? (await world().start()).url : world().url];
    const one = (_: unknown, n: number) =>
      sendSigned(urls[n % 2] ?? "", credentialsOf("app_bot"), {
        method,
        target: `${MESSAGES}/${messageId}/card`,
        timestamp: world().clock.now(),
        body,
      });
    return await Promise.all(Array.from({ length: 50 }, one));
  }
  test("50 concurrent updates with one version: exactly one succeeds, and msgSeq has no gap", async () => {
    const { messageId, msgSeq } = (await sendCard(world(), "app_bot", cardOf(HELLO))).json.value;
    const answers = await race("PUT", messageId, JSON.stringify({ card: next, version: 1 }));
    const [succeeded, failed] = [answers.filter(isSuccess), answers.filter((answer) => !isSuccess(answer))];
    assert.deepEqual(
      succeeded.map(({ json }) => json.value.msgSeq),
      [msgSeq + 1],
    );
    for (const answer of failed) assertRefused(answer, 500, "500000", CONFLICT);
    assert.equal((await seen(world(), messageId)).cardVersion, 2);
    assert.equal((await sendText(world(), "app_bot", "after")).json.value.msgSeq, msgSeq + 2);
  });
  test("50 concurrent updates without version: all succeed, each with its own version and msgSeq", async () => {
    const { messageId, msgSeq } = (await sendCard(world(), "app_bot", cardOf(HELLO))).json.value;
    const answers = await race("PUT", messageId, JSON.stringify({ card: next }));
    for (const answer of answers) assertSuccess(answer);
    const seqs = answers.map(({ json }) => json.value.msgSeq).sort((a, b) => a - b);
    assert.deepEqual(
      seqs,
      Array.from({ length: 50 }, (_, n) => msgSeq + 1 + n),
    );
    assert.equal((await seen(world(), messageId)).cardVersion, 51);
  });
  test("50 concurrent recalls: exactly one is true", async () => {
    const { messageId, msgSeq } = (await sendCard(world(), "app_bot", cardOf(HELLO))).json.value;
    const answers = await race("DELETE", messageId, "");
    for (const answer of answers) assertSuccess(answer);
    assert.equal(answers.filter(({ json }) => json.value === true).length, 1);
    assert.equal(answers.filter(({ json }) => json.value === false).length, 49);
    assert.equal((await sendText(world(), "app_bot", "after")).json.value.msgSeq, msgSeq + 2);
  });
});

function isSuccess({ status }: Answer): boolean {
  return status === 200;
}
