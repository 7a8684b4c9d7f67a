import assert from "node:assert/strict";
import type { Change, ClientMessage } from "@portico/protocol";
import { acme, alice, bob, botApp, credentialsOf, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { cardOf, HELLO, recallCard, sendCard, sendMessage, sentId, TO_ALICE, updateCard } from "./support/card-acme.ts";
import { CLIENT, clientAcme, foreignConversations } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send, sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { StreamClient } from "./support/stream-client.ts";
import { uploadKey } from "./support/uploads.ts";
import { suiteWorld } from "./support/world.ts";

const TEAM = "group:g_team";
const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
const seqsOf = (changes: Change[]) => changes.map(({ msgSeq }) => msgSeq);

/** Reads one page of changes. */
async function page(member: MemberClient, query: string, conversationId = TEAM): Promise<Change[]> {
  const answer = await member.get(`conversations/${conversationId}/changes${query}`);
  assertSuccess(answer);
  return answer.json.value.items;
}

/** Follows changes from `afterSeq` to the end, `limit` at a time, as a client does. */
async function follow(member: MemberClient, { afterSeq = 0, limit = 100, conversationId = TEAM } = {}) {
  const changes: Change[] = [];
  for (let after = afterSeq; ; after = changes.at(-1)?.msgSeq ?? after) {
    const items = await page(member, `?afterSeq=${after}&limit=${limit}`, conversationId);
    if (items.length === 0) return changes;
    changes.push(...items);
  }
}

/** The state of a client after applying these changes, oldest message first. */
function fold(changes: Change[]): ClientMessage[] {
  const messages = new Map<number, ClientMessage>();
  for (const { type, message } of changes) {
    if (type === "message.created" || messages.has(message.messageId)) messages.set(message.messageId, message);
  }
  return [...messages.values()].sort((a, b) => a.msgSeq - b.msgSeq);
}

onBothEngines("GET conversations/{id}/changes", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_two", { installations: [] })));
  const signIn = (account = alice) => MemberClient.signIn(world(), account);
  const card = (text: string) => cardOf({ tag: "text", text });

  test("an empty conversation has no changes", async () => {
    assert.deepEqual(await page(await signIn(), ""), []);
    assert.deepEqual(await page(await signIn(), "?afterSeq=0", "bot:app_bot"), []);
  });
  test("all three types contain the message in its current state", async () => {
    const messageId = await sentId(sendCard(world(), "app_bot", card("one")));
    assertSuccess(await updateCard(world(), "app_bot", messageId, { card: card("two") }));
    const member = await signIn();
    const [message] = await member.history(TEAM);
    assert.deepEqual([message?.content, message?.msgSeq, message?.cardVersion], [{ card: card("two") }, 1, 2]);
    assert.deepEqual(await page(member, ""), [
      { msgSeq: 1, type: "message.created", message },
      { msgSeq: 2, type: "card.updated", message },
    ]);
    assertSuccess(await recallCard(world(), "app_bot", messageId));
    const recalled = { ...message, content: null, recalled: true };
    assert.deepEqual(await page(member, ""), [
      { msgSeq: 1, type: "message.created", message: recalled },
      { msgSeq: 2, type: "card.updated", message: recalled },
      { msgSeq: 3, type: "message.recalled", message: recalled },
    ]);
  });
  test("a recalled card's content is removed from every change, history and lastMessage, for every member", async () => {
    const secret = "never to be seen again";
    const content = { card: card(secret), mentions: [secret] };
    const messageId = await sentId(sendMessage(world(), "app_bot", "card", content));
    for (const _ of range(1, 3)) {
      assertSuccess(await updateCard(world(), "app_bot", messageId, { card: card(secret) }));
    }
    for (const account of [alice, bob]) {
      assert.ok((await (await signIn(account)).get("conversations")).text.includes(secret));
    }
    assertSuccess(await recallCard(world(), "app_bot", messageId));
    assertSuccess(await updateCard(world(), "app_bot", messageId, { card: card(secret) }));
    for (const account of [alice, bob]) {
      const member = await signIn(account);
      for (const path of ["conversations", `conversations/${TEAM}/messages`, `conversations/${TEAM}/changes`]) {
        const answer = await member.get(path);
        assertSuccess(answer);
        assert.ok(!answer.text.includes(secret), answer.text);
      }
    }
  });
  test("members' messages are changes, too, also in a direct conversation", async () => {
    const member = await signIn();
    const { messageId } = (
      await member.post("conversations/bot:app_bot/messages", { msgType: "text", content: { text: "hello" } })
    ).json.value;
    assertSuccess(await sendText(world(), "app_bot", "", { body: textBody("hi", TO_ALICE) }));
    const changes = await page(member, "", "bot:app_bot");
    assert.deepEqual(
      changes.map(({ msgSeq, type, message }) => [msgSeq, type, message.sender.type]),
      [
        [1, "message.created", "MEMBER"],
        [2, "message.created", "BOT"],
      ],
    );
    assert.equal(changes[0]?.message.messageId, messageId);
  });

  test("afterSeq and limit: pages in order of msgSeq, without gaps or repeats, whatever their size", async () => {
    const cards = await Promise.all(range(1, 6).map(() => sentId(sendCard(world(), "app_bot", card("page")))));
    for (const [n, messageId] of cards.entries()) {
      assertSuccess(await sendText(world(), "app_bot", `${n}`));
      for (const _ of range(1, 12)) {
        assertSuccess(await updateCard(world(), "app_bot", messageId, { card: card(`${n}`) }));
      }
      if (n % 2) assertSuccess(await recallCard(world(), "app_bot", messageId));
    }
    const member = await signIn();
    const all = await follow(member);
    const { length } = all;
    assert.ok(length > 90);
    assert.deepEqual(seqsOf(all), range(1, length));
    for (const limit of [1, 2, 7, 13, 50]) assert.deepEqual(await follow(member, { limit }), all);
    for (const after of range(0, length)) {
      assert.deepEqual(
        seqsOf(await page(member, `?afterSeq=${after}&limit=5`)),
        range(after + 1, Math.min(after + 5, length)),
      );
    }
    assert.deepEqual(seqsOf(await page(member, "")), range(1, 50));
    assert.deepEqual(seqsOf(await page(member, "?afterSeq=&limit=&other=1")), range(1, 50));
    assert.deepEqual(await page(member, `?afterSeq=${length}`), []);
    assert.deepEqual(await page(member, `?afterSeq=${Number.MAX_SAFE_INTEGER}`), []);
  });
  for (const [query, named] of [
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=abc", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e1", "limit"],
    ["limit=0x10", "limit"],
    ["limit=1&limit=2", "limit"],
    ["afterSeq=-1", "afterSeq"],
    ["afterSeq=abc", "afterSeq"],
    ["afterSeq=1.5", "afterSeq"],
    ["afterSeq=null", "afterSeq"],
    ["afterSeq=9007199254740992", "afterSeq"],
    ["afterSeq=99999999999999999999", "afterSeq"],
    ["afterSeq=1e300", "afterSeq"],
    ["afterSeq=1&afterSeq=2", "afterSeq"],
  ] as const) {
    test(`${query} gives 400 + 400006 naming it`, async () => {
      const answer = await (await signIn()).get(`conversations/${TEAM}/changes?${query}`);
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes(named), answer.json.message);
    });
  }
  for (const [who, account, conversationId] of foreignConversations("app_two")) {
    test(`${who}: 403 + 400008`, async () => {
      const refusals = ["", "?afterSeq=9999"].map(async (query) =>
        (await signIn(account)).get(`conversations/${conversationId}/changes${query}`),
      );
      for (const answer of await Promise.all(refusals)) assertRefused(answer, 403, "400008", "会话不存在或无权访问");
    });
  }
  test("without a valid token it gives 401 + 400001", async () => {
    for (const authorization of [null, "Bearer x"]) {
      const url = `${world().url}${CLIENT}/conversations/${TEAM}/changes`;
      assertRefused(await send(url, { headers: { authorization } }), 401, "400001");
    }
  });
});

onBothEngines("a client that follows changes", (engine, test) => {
  const world = suiteWorld(engine, clientAcme());

  test("starting at 0 leads to the same state as history and the list of conversations", async () => {
    const fileKey = await uploadKey(world(), "app_bot");
    const member = await MemberClient.signIn(world(), alice);
    const cards: number[] = [];
    for (const n of range(1, 20)) {
      cards.push(await sentId(sendCard(world(), "app_bot", cardOf(HELLO))));
      await sendMessage(world(), "app_bot", "image", { fileKey, width: n, height: n, mentions: ["bob"] });
      await sendMessage(world(), "app_bot", "post", { n: [n, { deep: [] }] });
      await member.post(`conversations/${TEAM}/messages`, { msgType: "text", content: { text: `${n}` } });
      const any = cards[(n * 7) % cards.length] ?? 0;
      assertSuccess(await updateCard(world(), "app_bot", any, { card: cardOf({ tag: "text", text: `${n}` }) }));
      if (n % 3 === 0) assertSuccess(await recallCard(world(), "app_bot", any));
    }
    const changes = await follow(member, { limit: 9 });
    assert.deepEqual(seqsOf(changes), range(1, changes.length));
    const history = await member.history(TEAM);
    assert.deepEqual(fold(changes), history);
    assert.ok(history.some(({ recalled }) => recalled) && history.some(({ cardVersion }) => Number(cardVersion) > 1));
    const [team] = (await member.get("conversations")).json.value.items;
    assert.deepEqual([team.lastSeq, team.lastMessage], [changes.length, history.at(-1)]);
  });
  test("starting at a page of history and the lastSeq read before it leads to the same state", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const messageId = await sentId(sendCard(world(), "app_bot", cardOf(HELLO)));
    const { lastSeq } = (await member.get("conversations")).json.value.items[0];
    const begun = await member.history(TEAM);
    assertSuccess(await updateCard(world(), "app_bot", messageId, { card: cardOf({ tag: "hr" }) }));
    assertSuccess(await sendText(world(), "app_bot", "later"));
    assertSuccess(await recallCard(world(), "app_bot", messageId));
    const known = begun.map((message): Change => ({ msgSeq: message.msgSeq, type: "message.created", message }));
    const changes = await follow(member, { afterSeq: lastSeq });
    assert.deepEqual(seqsOf(changes), range(lastSeq + 1, lastSeq + 3));
    assert.deepEqual(fold([...known, ...changes]), await member.history(TEAM));
  });
  test("while others send, update and recall, nothing is missed or seen twice", async () => {
    const urls = [world().url, engine.name === "postgres" ? (await world().start()).url : world().url];
    const [first = 0] = (await follow(await MemberClient.signIn(world(), bob))).slice(-1).map(({ msgSeq }) => msgSeq);
    const signed = (n: number, method: string, target: string, body = "") =>
      sendSigned(urls[n % 2] ?? "", credentialsOf("app_bot"), { method, target, timestamp: world().clock.now(), body });
    const cardBody = {
      receiveIdType: "group_id",
      receiveId: "g_team",
      msgType: "card",
      content: { card: cardOf(HELLO) },
    };
    const CHANGES = 8 * 15 * 4;
    const write = async (n: number) => {
      for (const _ of range(1, 15)) {
        const { messageId } = (await signed(n, "POST", MESSAGES, JSON.stringify(cardBody))).json.value;
        const target = `${MESSAGES}/${messageId}/card`;
        assertSuccess(await signed(n, "PUT", target, JSON.stringify({ card: cardOf(HELLO) })));
        assertSuccess(await signed(n, "POST", MESSAGES, textBody("between")));
        assertSuccess(await signed(n, "DELETE", target));
      }
    };
    let writing = true;
    const read = async (url: string, limit: number): Promise<Change[]> => {
      const member = await MemberClient.signIn({ url }, bob);
      const changes: Change[] = [];
      for (let done = false; !done; ) {
        done = !writing;
        changes.push(...(await follow(member, { afterSeq: changes.at(-1)?.msgSeq ?? first, limit })));
      }
      return changes;
    };
    const { token } = await MemberClient.signIn(world(), bob);
    const readers = urls.flatMap((url) => [100, 50, 3].map((limit) => read(url, limit)));
    const streams = await Promise.all(urls.map((url) => StreamClient.open(url, token)));
    await Promise.all(range(1, 8).map(write));
    writing = false;
    const history = (await (await MemberClient.signIn(world(), bob)).history(TEAM)).filter(
      ({ msgSeq }) => msgSeq > first,
    );
    for (const stream of streams) {
      await stream.find(({ msgSeq }) => msgSeq === first + CHANGES);
      await stream.close();
    }
    for (const changes of [...(await Promise.all(readers)), ...streams.map(({ frames }) => frames)]) {
      assert.deepEqual(seqsOf(changes), range(first + 1, first + CHANGES));
      assert.deepEqual(fold(changes), history);
    }
  });
});
