import assert from "node:assert/strict";
import { acme, alice, bob, botApp, sendText } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import {
  cardOf,
  HELLO,
  recallCard,
  reply,
  sendCard,
  sendMessage,
  sentId,
  TO_ALICE,
  updateCard,
} from "./support/card-acme.ts";
import { CLIENT, carol } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { assertPrototypesUnchanged } from "./support/unharmed.ts";
import { uploadKey } from "./support/uploads.ts";
import { suiteWorld } from "./support/world.ts";

const TEAM = "group:g_team";
const NOT_YOURS = [403, "400008", "消息不存在或无权访问"] as const;
const PRESS = { tag: "button", value: { build: 1234 } };

onBothEngines("POST messages/{messageId}/actions", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_left")));
  const sendButton = (other = {}, appId = "app_bot") =>
    sentId(sendCard(world(), appId, cardOf({ ...PRESS, text: HELLO }), other));
  const act = async (messageId: number | string, body: unknown = PRESS, account = alice) =>
    (await MemberClient.signIn(world(), account)).post(`messages/${messageId}/actions`, body);
  /** The recorded actions on a message, oldest first. */
  const recorded = (messageId: number) => {
    const query = world().portico.ctx.storage.db.selectFrom("card_actions").selectAll();
    return query.where("message_id", "=", messageId).orderBy("created_at").execute();
  };

  for (const [where, other, account, userId] of [
    ["a group by one of its members", {}, bob, "u_bob"],
    ["a direct conversation by its member", TO_ALICE, alice, "u_alice"],
  ] as const) {
    test(`an action on a card in ${where} is recorded`, async () => {
      const messageId = await sendButton(other);
      const answer = await act(messageId, PRESS, account);
      assertSuccess(answer);
      const { actionId } = answer.json.value;
      assert.deepEqual(answer.json.value, { actionId });
      assert.match(actionId, /^act_[\w-]{16,}$/);
      const [row, ...more] = await recorded(messageId);
      assert.deepEqual(more, []);
      const { action, ...rest } = row ?? { action: "" };
      assert.deepEqual(rest, {
        action_id: actionId,
        message_id: messageId,
        card_version: 1,
        user_id: userId,
        created_at: world().clock.now(),
      });
      assert.deepEqual(JSON.parse(action), { ...PRESS, name: null, option: null, formValue: null });
    });
  }
  test("an action on a card that was sent as a reply is recorded", async () => {
    const member = await MemberClient.signIn(world(), bob);
    const body = { msgType: "text", content: { text: "x", mentions: ["app_left"] } };
    const parent = await sentId(member.post(`conversations/${TEAM}/messages`, body));
    const card = { msgType: "card", content: { card: cardOf(PRESS) } };
    const messageId = await sentId(reply(world(), "app_left", parent, card));
    assertSuccess(await act(messageId));
    assert.equal((await recorded(messageId)).length, 1);
  });
  test("each press is a separate action, with the card's version at that time", async () => {
    const messageId = await sendButton();
    const ids = new Set<string>();
    for (const version of [1, 2, 3]) {
      const answer = await act(messageId, { tag: "button", value: version }, version === 2 ? bob : alice);
      ids.add(answer.json.value.actionId);
      world().clock.turn(1);
      assertSuccess(await updateCard(world(), "app_bot", messageId, { card: cardOf(HELLO), version }));
    }
    assert.equal(ids.size, 3);
    assert.deepEqual(
      (await recorded(messageId)).map(({ card_version, user_id, action }) => [
        card_version,
        user_id,
        JSON.parse(action).value,
      ]),
      [
        [1, "u_alice", 1],
        [2, "u_bob", 2],
        [3, "u_alice", 3],
      ],
    );
  });
  test("50 concurrent presses are 50 actions", async () => {
    const messageId = await sendButton();
    const member = await MemberClient.signIn(world(), alice);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => member.post(`messages/${messageId}/actions`, PRESS)),
    );
    for (const answer of answers) assertSuccess(answer);
    assert.equal(new Set(answers.map(({ json }) => json.value.actionId)).size, 50);
    assert.equal((await recorded(messageId)).length, 50);
  });
  test("an action is not a change of the conversation", async () => {
    const messageId = await sendButton();
    const { msgSeq } = (await sendText(world(), "app_bot", "before")).json.value;
    assertSuccess(await act(messageId));
    assert.equal((await sendText(world(), "app_bot", "after")).json.value.msgSeq, msgSeq + 1);
  });

  for (const [what, body] of [
    ["nothing but a tag", { tag: "button" }],
    [
      "all that an action has",
      { tag: "form", name: "vote", value: 0, option: ["a", { b: 1 }], formValue: { x: [1, null] } },
    ],
    ["a time zone", { tag: "picker_datetime", value: "2026-11-22T18:30", timeZone: "America/Argentina/Buenos_Aires" }],
    ["members that are null", { tag: "input", name: null, value: null, option: null, formValue: null }],
    ["a value of false and empty texts", { tag: "checkbox", name: "", value: false, option: "", formValue: {} }],
    ["members that no action has", { tag: "button", value: 1, userId: "u_bob", cardVersion: 99, actionId: "act_mine" }],
  ] as const) {
    test(`an action with ${what} is recorded unchanged`, async () => {
      const messageId = await sendButton();
      assertSuccess(await act(messageId, body));
      const none = { name: null, value: null, option: null, formValue: null };
      const expected = Object.entries({ ...none, ...body }).filter(
        ([name]) => name === "tag" || name === "timeZone" || name in none,
      );
      assert.deepEqual(JSON.parse((await recorded(messageId))[0]?.action ?? ""), Object.fromEntries(expected));
    });
  }
  const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  for (const [what, value] of [
    ["keys that objects inherit", '{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"toString":null}'],
    ["lists nested 50,000 deep", nested],
    ["objects nested 20,000 deep", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
    ["every character", '"\\u0000\\ud800é😀\\"\\\\"'],
    ["numbers, names and blanks of every spelling", '{"10":1.50,"2":[-0, 1e400],"a":9223372036854775808,"a":1.0}'],
    ["200,000 characters", `"${"x".repeat(200_000)}"`],
  ] as const) {
    test(`a value, an option and a form value with ${what} are kept`, async () => {
      const messageId = await sendButton();
      for (const [body, kept] of [
        [`{"tag":"button","value":${value}}`, `"value":${value},`],
        [`{"tag":"button","option":${value}}`, `"option":${value},`],
        [`{"tag":"button","formValue":{"a":${value}}}`, `"formValue":{"a":${value}}`],
      ] as const) {
        world().clock.turn(1);
        assertSuccess(await act(messageId, body));
        const action = (await recorded(messageId)).at(-1)?.action;
        assert.ok(action?.includes(kept), action?.slice(0, 500));
      }
      assertPrototypesUnchanged();
    });
  }

  for (const [what, body, named] of [
    ["no tag", {}, "tag"],
    ["a tag that is null", { tag: null }, "tag"],
    ["a tag that is empty", { tag: "" }, "tag"],
    ["a tag that is a number", { tag: 7 }, "tag"],
    ["a tag with NUL", { tag: "button\0" }, "tag"],
    ["a tag that is too long", { tag: "x".repeat(129) }, "tag"],
    ["a name that is a number", { tag: "button", name: 7 }, "name"],
    ["a name with a lone surrogate", { tag: "button", name: "\ud800" }, "name"],
    ["a formValue that is a list", { tag: "form", formValue: [] }, "formValue"],
    ["a time zone that is none", { tag: "picker_datetime", timeZone: "<b>" }, "timeZone"],
    ["a formValue that is a text", { tag: "form", formValue: "x" }, "formValue"],
  ] as const) {
    test(`an action with ${what} gives 400 + 400006 naming it`, async () => {
      const messageId = await sendButton();
      const answer = await act(messageId, body);
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes(named), answer.json.message);
      assert.deepEqual(await recorded(messageId), []);
    });
  }
  for (const body of ["", "{", "[]", "null", '"button"']) {
    test(`the body ${JSON.stringify(body)} gives 400 + 400006`, async () => {
      assertRefused(await act(await sendButton(), body), 400, "400006");
    });
  }
  for (const messageId of ["abc", "1.5", "%20", "1e3", "null", "1%00"]) {
    test(`messageId ${messageId} gives 400 + 400006`, async () => {
      assertRefused(await act(messageId), 400, "400006");
    });
  }
  test("without a valid token it gives 401 + 400001", async () => {
    const url = `${world().url}${CLIENT}/messages/${await sendButton()}/actions`;
    for (const authorization of [null, "Bearer x", "Bearer "]) {
      const headers = { "content-type": "application/json", authorization };
      assertRefused(await send(url, { method: "POST", headers, body: JSON.stringify(PRESS) }), 401, "400001");
    }
  });

  for (const [what, messageOf] of [
    ["a text", () => sentId(sendText(world(), "app_bot", "x"))],
    ["a post that looks like a card", () => sentId(sendMessage(world(), "app_bot", "post", { card: cardOf(PRESS) }))],
    [
      "a file",
      async () => sentId(sendMessage(world(), "app_bot", "file", { fileKey: await uploadKey(world(), "app_bot") })),
    ],
    [
      "a member's message",
      async () => {
        const member = await MemberClient.signIn(world(), bob);
        return sentId(member.post(`conversations/${TEAM}/messages`, { msgType: "text", content: { text: "x" } }));
      },
    ],
  ] as const) {
    test(`an action on ${what} gives 400 + 400006 卡片消息不存在`, async () => {
      const messageId = await messageOf();
      assertRefused(await act(messageId), 400, "400006", "卡片消息不存在");
      assert.deepEqual(await recorded(messageId), []);
    });
  }
  test("an action on a recalled card gives 403 + 400008, also after an update", async () => {
    const messageId = await sendButton();
    assertSuccess(await recallCard(world(), "app_bot", messageId));
    assertRefused(await act(messageId), 403, "400008");
    assertSuccess(await updateCard(world(), "app_bot", messageId, { card: cardOf(PRESS) }));
    assertRefused(await act(messageId), 403, "400008");
    assert.deepEqual(await recorded(messageId), []);
  });
  for (const [what, messageOf, account] of [
    ["carol on a card of a group that is not hers", () => sendButton(), carol],
    ["bob on a card that was sent to alice", () => sendButton(TO_ALICE), bob],
    ["carol on a text of a group that is not hers", () => sentId(sendText(world(), "app_bot", "x")), carol],
    [
      "carol on a recalled card of a group that is not hers",
      async () => {
        const messageId = await sendButton();
        assertSuccess(await recallCard(world(), "app_bot", messageId));
        return messageId;
      },
      carol,
    ],
    ["anybody on an unknown message", async () => 2 ** 52, alice],
    ["anybody on message 0", async () => 0, alice],
    ["anybody on message -1", async () => -1, alice],
    ["anybody on message 2^63 - 1", async () => "9223372036854775807", alice],
  ] as const) {
    test(`an action by ${what} gives 403 + 400008, without the reason`, async () => {
      const messageId = await messageOf();
      assertRefused(await act(messageId, PRESS, account), ...NOT_YOURS);
      if (typeof messageId === "number") assert.deepEqual(await recorded(messageId), []);
    });
  }
  test("an action by a member who has left the group gives 403 + 400008", async () => {
    const messageId = await sendButton();
    const { storage } = world().portico.ctx;
    const membership = { group_id: "g_team", user_id: "u_bob" };
    await storage.write(async (tx) => {
      await tx.deleteFrom("group_members").where("user_id", "=", "u_bob").where("group_id", "=", "g_team").execute();
    });
    assertRefused(await act(messageId, PRESS, bob), ...NOT_YOURS);
    await storage.write(async (tx) => {
      await tx.insertInto("group_members").values(membership).execute();
    });
    assertSuccess(await act(messageId, PRESS, bob));
  });
  test("an action on a card of a bot that was uninstalled gives 403 + 400008, until it is installed again", async () => {
    const member = await MemberClient.signIn(world(), alice);
    for (const [place, target] of [
      [{ targetType: "GROUP", targetId: "g_team" }, {}],
      [{ targetType: "USER", targetId: "u_alice" }, TO_ALICE],
    ] as const) {
      const messageId = await sendButton(target, "app_left");
      assertSuccess(await member.delete("installations", { appId: "app_left", ...place }));
      assertRefused(await act(messageId), 403, "400008");
      assert.deepEqual(await recorded(messageId), []);
      assertSuccess(await member.post("installations", { appId: "app_left", ...place }));
      assertSuccess(await act(messageId));
    }
  });
});
