import assert from "node:assert/strict";
import { acme, alice, botApp, call, credentialsOf, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

onBothEngines("POST /api/open/v2/bot/messages", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_nowhere", { installations: [] })));

  test("a text appears unchanged in the members' conversation", async () => {
    const text = '构建 #12 完成 🎉 \u0000 \ud800 "quoted"\n<b>';
    const answer = await sendText(world(), "app_bot", text);
    assertSuccess(answer);
    const { messageId, msgSeq, ...rest } = answer.json.value;
    assert.deepEqual(rest, { clientMessageId: null, duplicate: false });
    assert.ok(Number.isSafeInteger(messageId) && messageId > 0);
    const member = await MemberClient.signIn(world(), alice);
    const message = (await member.history("group:g_team")).at(-1);
    assert.deepEqual(message, {
      messageId,
      msgSeq,
      msgType: "text",
      content: { text },
      sender: { type: "BOT", id: "app_bot", name: "Bot app_bot" },
      mentions: [],
      cardVersion: null,
      recalled: false,
      parentMessageId: null,
      createTime: world().clock.now(),
    });
  });
  test("a text to a user appears only in that user's conversation with the bot", async () => {
    const body = textBody("for alice alone", { receiveIdType: "user_id", receiveId: "u_alice" });
    assertSuccess(await sendText(world(), "app_bot", "", { body }));
    const member = await MemberClient.signIn(world(), alice);
    assert.deepEqual(
      (await member.history("bot:app_bot")).map((message) => message.content),
      [{ text: "for alice alone" }],
    );
    assert.ok(!JSON.stringify(await member.history("group:g_team")).includes("for alice alone"));
  });

  test("rule 1: a repeated clientMessageId answers with the original and sends nothing", async () => {
    const body = textBody("once", { clientMessageId: "repeat-1" });
    const first = (await sendText(world(), "app_bot", "", { body })).json.value;
    const second = (
      await sendText(world(), "app_bot", "", { body: textBody("twice", { clientMessageId: "repeat-1" }) })
    ).json.value;
    assert.deepEqual(first, { ...first, clientMessageId: "repeat-1", duplicate: false });
    assert.deepEqual(second, { ...first, duplicate: true });
    const member = await MemberClient.signIn(world(), alice);
    const sent = (await member.history("group:g_team")).filter((message) => message.messageId === first.messageId);
    assert.deepEqual(
      sent.map((message) => message.content),
      [{ text: "once" }],
    );
  });
  test("rule 1: 50 concurrent sends with one clientMessageId create one message", async () => {
    const before = (await sendText(world(), "app_bot", "before")).json.value.msgSeq;
    const body = textBody("race", { clientMessageId: "race-1" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendText(world(), "app_bot", "", { body })));
    for (const answer of answers) assertSuccess(answer);
    assert.equal(answers.filter((answer) => !answer.json.value.duplicate).length, 1);
    assert.equal(new Set(answers.map((answer) => answer.json.value.messageId)).size, 1);
    assert.deepEqual(new Set(answers.map((answer) => answer.json.value.msgSeq)), new Set([before + 1]));
    assert.equal((await sendText(world(), "app_bot", "after")).json.value.msgSeq, before + 2);
  });
  test("rule 1: 50 concurrent sends with one clientMessageId to two conversations create one message", async () => {
    const toTeam = textBody("race", { clientMessageId: "race-2" });
    const toAlice = textBody("race", { clientMessageId: "race-2", receiveIdType: "user_id", receiveId: "u_alice" });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => sendText(world(), "app_bot", "", { body: n % 2 === 0 ? toTeam : toAlice })),
    );
    for (const answer of answers) assertSuccess(answer);
    assert.equal(answers.filter((answer) => !answer.json.value.duplicate).length, 1);
    assert.equal(new Set(answers.map((answer) => answer.json.value.messageId)).size, 1);
  });
  test("rule 1: a refused send does not use its clientMessageId up", async () => {
    const clientMessageId = "refused-first";
    const nowhere = textBody("x", { clientMessageId, receiveId: "g_other" });
    assertRefused(await sendText(world(), "app_bot", "", { body: nowhere }), 403, "400008");
    const empty = textBody("x", { clientMessageId, content: {} });
    assertRefused(await sendText(world(), "app_bot", "", { body: empty }), 400, "400006");
    const good = await sendText(world(), "app_bot", "", { body: textBody("x", { clientMessageId }) });
    assert.equal(good.json.value.duplicate, false);
  });
  test("rule 1: a repeat is answered before the installation is checked", async () => {
    const clientMessageId = "repeat-anywhere";
    const first = await sendText(world(), "app_bot", "", { body: textBody("x", { clientMessageId }) });
    const body = textBody("x", { clientMessageId, receiveId: "g_other", content: { text: "y" } });
    const repeat = await sendText(world(), "app_bot", "", { body });
    assert.deepEqual(repeat.json.value, { ...first.json.value, duplicate: true });
  });
  test("rule 1: clientMessageIds of different applications are independent", async () => {
    const { storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      const row = { app_id: "app_nowhere", target_type: "GROUP", target_id: "g_team", installed_at: 1 } as const;
      await tx
        .insertInto("installations")
        .values({ ...row, status: "ACTIVE" })
        .execute();
    });
    const body = textBody("x", { clientMessageId: "shared" });
    assert.equal((await sendText(world(), "app_bot", "", { body })).json.value.duplicate, false);
    assert.equal((await sendText(world(), "app_nowhere", "", { body })).json.value.duplicate, false);
  });
  test("limit: a clientMessageId of 64 characters passes, one of 65 or 0 does not", async () => {
    for (const clientMessageId of ["x".repeat(64), "构".repeat(64), "😀".repeat(64)]) {
      const answer = await sendText(world(), "app_bot", "", { body: textBody("x", { clientMessageId }) });
      assert.equal(answer.json.value?.clientMessageId, clientMessageId, answer.text);
    }
    for (const clientMessageId of ["x".repeat(65), "构".repeat(65), ""]) {
      const answer = await sendText(world(), "app_bot", "", { body: textBody("x", { clientMessageId }) });
      assertRefused(answer, 400, "400006");
      assert.match(answer.json.message, /clientMessageId/);
    }
  });

  test("rule 2: a target not installed gives 403 + 400008", async () => {
    for (const [receiveIdType, receiveId] of [
      ["group_id", "g_other"],
      ["user_id", "u_bob"],
      ["group_id", "g_nowhere"],
      ["user_id", "g_team"],
      ["group_id", "u_alice"],
    ]) {
      const body = textBody("x", { receiveIdType, receiveId });
      assertRefused(await sendText(world(), "app_bot", "", { body }), 403, "400008");
    }
  });
  test("rule 2: an uninstalled target gives 403 + 400008; after reinstallation it works", async () => {
    const { storage } = world().portico.ctx;
    const setStatus = (status: "ACTIVE" | "UNINSTALLED") =>
      storage.write(async (tx) => {
        await tx
          .updateTable("installations")
          .set({ status })
          .where("app_id", "=", "app_bot")
          .where("target_id", "=", "u_alice")
          .execute();
      });
    const body = textBody("x", { receiveIdType: "user_id", receiveId: "u_alice" });
    await setStatus("UNINSTALLED");
    assertRefused(await sendText(world(), "app_bot", "", { body }), 403, "400008");
    await setStatus("ACTIVE");
    assertSuccess(await sendText(world(), "app_bot", "", { body }));
  });

  const complete = JSON.parse(textBody("x"));
  for (const field of ["receiveIdType", "receiveId", "msgType", "content"]) {
    test(`a send without ${field} is refused with a message naming it`, async () => {
      for (const missing of [undefined, null]) {
        const body = JSON.stringify({ ...complete, [field]: missing });
        const answer = await sendText(world(), "app_bot", "", { body });
        assertRefused(answer, 400, "400006");
        assert.ok(answer.json.message.includes(field), answer.json.message);
      }
    });
  }
  for (const [what, other, named] of [
    ["an illegal receiveIdType", { receiveIdType: "chat_id" }, "receiveIdType"],
    ["a receiveId that is a number", { receiveId: 7 }, "receiveId"],
    ["a receiveId with NUL", { receiveId: "g\u0000" }, "receiveId"],
    ["a content that is a list", { content: [] }, "content"],
    ["a content that is a text", { content: "x" }, "content"],
    ["no text", { content: {} }, "content.text"],
    ["an empty text", { content: { text: "" } }, "content.text"],
    ["a text that is a number", { content: { text: 7 } }, "content.text"],
    ["a clientMessageId that is a number", { clientMessageId: 7 }, "clientMessageId"],
    ["mentions that are no list", { content: { text: "x", mentions: "alice" } }, "content.mentions"],
    ["a mention that is a number", { content: { text: "x", mentions: [7] } }, "content.mentions"],
  ] as const) {
    test(`a send with ${what} is refused with a message naming it`, async () => {
      const answer = await sendText(world(), "app_bot", "", { body: textBody("x", other) });
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes(named), answer.json.message);
    });
  }
  for (const msgType of ["video", "TEXT", "", "__proto__", "x".repeat(10_000)]) {
    test(`unsupported msgType ${msgType.slice(0, 20)} gives 400 + 400006`, async () => {
      const answer = await sendText(world(), "app_bot", "", { body: textBody("x", { msgType }) });
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.length < 200);
    });
  }

  test("mentions: strings and objects mixed, duplicates removed, empty values ignored, unknown accounts kept", async () => {
    const mentions = [
      "alice",
      { userId: "u_alice" },
      "",
      { userId: "" },
      null,
      {},
      { userId: "bob", name: "not read" },
      "zed",
      "zed",
      "app_bot",
    ];
    assertSuccess(
      await sendText(world(), "app_bot", "", { body: textBody("x", { content: { text: "x", mentions } }) }),
    );
    const member = await MemberClient.signIn(world(), alice);
    const message = (await member.history("group:g_team")).at(-1);
    assert.deepEqual(message?.content, { text: "x", mentions: ["u_alice", "u_bob", "zed", "app_bot"] });
    assert.deepEqual(
      message?.mentions.map((mention) => [mention.name, mention.isBot]),
      [
        ["Alice", false],
        ["Bob", false],
        ["zed", false],
        ["Bot app_bot", true],
      ],
    );
  });
  test("unusual but valid JSON is plain data: unknown fields are ignored, the last of repeated keys counts", async () => {
    const body =
      '{"__proto__":{"msgType":"card"},"receiveIdType":"user_id","receiveIdType":"group_id","receiveId":"g_team",' +
      '"msgType":"text","constructor":{"prototype":{"x":1}},"content":{"text":"first","text":"last","__proto__":{"mentions":["alice"]}}}';
    assertSuccess(await sendText(world(), "app_bot", "", { body }));
    const member = await MemberClient.signIn(world(), alice);
    assert.deepEqual((await member.history("group:g_team")).at(-1)?.content, { text: "last" });
  });

  test("msgSeq has no gaps and no repeats under 100 concurrent sends, including refused ones", async () => {
    const before = (await sendText(world(), "app_bot", "before")).json.value.msgSeq;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        n % 4 === 0
          ? sendText(world(), "app_bot", "", { body: textBody("x", { content: {} }) })
          : sendText(world(), "app_bot", `${n}`),
      ),
    );
    const seqs = answers.filter((answer) => answer.status === 200).map((answer) => answer.json.value.msgSeq);
    assert.deepEqual(
      seqs.sort((a, b) => a - b),
      Array.from({ length: 75 }, (_, n) => before + 1 + n),
    );
  });

  if (engine.name === "postgres") {
    test("two processes: 50 concurrent sends with one clientMessageId create one message, and one nonce wins once", async () => {
      const second = await world().start();
      const urls = [world().url, second.url];
      const sendTo = (n: number, body: string, nonce?: string) =>
        sendSigned(urls[n % 2] ?? "", credentialsOf("app_bot"), {
          method: "POST",
          target: MESSAGES,
          timestamp: world().clock.now(),
          body,
          nonce,
        });
      const body = textBody("race", { clientMessageId: "race-across" });
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => sendTo(n, body)));
      for (const answer of answers) assertSuccess(answer);
      assert.equal(answers.filter((answer) => !answer.json.value.duplicate).length, 1);
      assert.equal(new Set(answers.map((answer) => answer.json.value.messageId)).size, 1);

      const replays = await Promise.all(
        Array.from({ length: 50 }, (_, n) => sendTo(n, textBody(`${n}`), "n-across-processes")),
      );
      assert.equal(replays.filter((answer) => answer.status === 200).length, 1);

      const seqs = await Promise.all(Array.from({ length: 60 }, (_, n) => sendTo(n, textBody(`${n}`))));
      const sorted = seqs.map((answer) => answer.json.value.msgSeq).sort((a, b) => a - b);
      assert.deepEqual(
        sorted,
        Array.from({ length: 60 }, (_, n) => sorted[0] + n),
      );
    });
  }

  test("GET installations: those of the application, filtered, and 400 for an illegal filter", async () => {
    const list = async (query: string) =>
      await call(world(), "app_bot", { target: `/api/open/v2/bot/installations${query}` });
    const all = await list("");
    assert.deepEqual(
      all.json.value.items.map(({ installedAt, ...rest }: { installedAt: number }) => ({
        ...rest,
        at: typeof installedAt,
      })),
      [
        { targetId: "g_team", targetType: "GROUP", status: "ACTIVE", name: "Team", at: "number" },
        { targetId: "u_alice", targetType: "USER", status: "ACTIVE", name: "Alice", at: "number" },
      ],
    );
    assert.equal((await list("?targetType=USER")).json.value.items.length, 1);
    assert.equal((await list("?targetType=GROUP&status=ACTIVE&unknown=1")).json.value.items.length, 1);
    assert.equal((await list("?status=UNINSTALLED")).json.value.items.length, 0);
    assert.equal((await list("?status=")).json.value.items.length, 2);
    for (const query of ["?status=GONE", "?targetType=group", "?targetType=USER&targetType=GROUP"]) {
      assertRefused(await list(query), 400, "400006");
    }
  });
  test("GET apps: the calling application", async () => {
    const answer = await call(world(), "app_bot", { target: "/api/open/v2/bot/apps" });
    assert.deepEqual(answer.json.value, {
      items: [
        {
          appId: "app_bot",
          type: "BOT",
          status: "ACTIVE",
          displayName: "Bot app_bot",
          avatar: "",
          scopes: [
            "bot.installation.read",
            "bot.message.reply",
            "bot.message.send",
            "bot.profile.read",
            "event.bot.message",
          ],
        },
      ],
    });
  });
});
