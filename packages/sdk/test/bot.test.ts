import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { describe, test } from "node:test";
import { button, card, img, markdown, type OutgoingMessage, PorticoClient } from "@portico/sdk";
import { acme, alice, botApp, credentialsOf } from "../../server/test/support/acme.ts";
import { sqlite } from "../../server/test/support/engines.ts";
import { MemberClient } from "../../server/test/support/member.ts";
import { suiteWorld } from "../../server/test/support/world.ts";

const APP = "app_sdk";
const TEMPLATE = { schema: "2.0", body: { elements: [{ tag: "markdown", content: "from a template" }] } };
const TEAM = { receiveIdType: "group_id", receiveId: "g_team" } as const;
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);

describe("against the service", () => {
  const world = suiteWorld(
    sqlite,
    acme(botApp(APP, { cardTemplates: [{ cardId: "tpl_1", name: "Template", version: 7, card: TEMPLATE }] })),
  );
  const bot = () => {
    const clock = () => world().clock.now();
    return new PorticoClient({ ...credentialsOf(APP), baseUrl: world().url, clock, maxRetries: 0 }).bot;
  };
  const member = () => MemberClient.signIn(world(), alice);

  /** A message as the members of the team see it. */
  async function seen(messageId: number) {
    const history = await (await member()).history("group:g_team");
    const message = history.find((candidate) => candidate.messageId === messageId);
    assert.ok(message);
    // biome-ignore lint/suspicious/noExplicitAny: the content depends on the type of the message.
    return { ...message, content: message.content as any };
  }

  const send = (message: OutgoingMessage) => bot().sendMessage({ ...TEAM, ...message });

  test("members see messages of every type", async () => {
    const { fileKey } = await bot().uploadFile(PIXEL, { fileName: "pixel.png" });
    const image = await send({ msgType: "image", content: { fileKey, width: 1, height: 1 } });
    const file = await send({ msgType: "file", content: { fileKey, mentions: ["alice"] } });
    const post = await send({ msgType: "post", content: { title: "Notes", rows: [1.5] } });
    const made = await send({ msgType: "card", content: { card: card({ elements: [markdown("hello")] }) } });
    const filled = await send({ msgType: "card", content: { cardId: "tpl_1" } });

    const { url, ...shown } = (await seen(image.messageId)).content;
    assert.deepEqual(shown, {
      fileKey,
      width: 1,
      height: 1,
      fileName: "pixel.png",
      mimeType: "image/png",
      size: PIXEL.length,
    });
    assert.deepEqual((await seen(file.messageId)).content.mentions, ["u_alice"]);
    assert.deepEqual((await seen(post.messageId)).content, { title: "Notes", rows: [1.5] });
    assert.deepEqual((await seen(made.messageId)).content.card.body.elements, [{ tag: "markdown", content: "hello" }]);
    assert.equal((await seen(made.messageId)).cardVersion, 1);
    assert.deepEqual((await seen(filled.messageId)).content.card, TEMPLATE);
    assert.equal((await seen(filled.messageId)).cardVersion, 7);
  });

  test("the served file has the uploaded content, whatever its name", async () => {
    for (const [given, kept] of [
      ['say "hi" to 构建 é 😀.txt', 'say "hi" to 构建 é 😀.txt'],
      ["two\r\nlines; filename=x.txt", "two__lines; filename=x.txt"],
      // The service keeps the last part of a path; a backslash separates parts, too.
      ["C:\\reports\\may.txt", "may.txt"],
    ] as const) {
      const uploaded = await bot().uploadFile(createReadStream(import.meta.filename), { fileName: given });
      assert.equal(uploaded.fileName, kept);
      assert.equal(uploaded.mimeType, "text/plain");
      assert.ok(uploaded.expiresAt > world().clock.now());
      const { messageId } = await send({ msgType: "file", content: { fileKey: uploaded.fileKey } });
      const served = await fetch((await seen(messageId)).content.url.replace(/^http:\/\/[^/]+/, world().url));
      const expected = await new Response(createReadStream(import.meta.filename)).bytes();
      assert.deepEqual(await served.bytes(), expected);
    }
  });

  test("a file of 20 MiB and an empty one are accepted", async () => {
    assert.equal((await bot().uploadFile(Buffer.alloc(20 * 1024 * 1024, 1))).size, 20 * 1024 * 1024);
    assert.equal((await bot().uploadFile(Buffer.alloc(0))).size, 0);
  });

  test("a picture that was uploaded is shown in a card", async () => {
    const { fileKey } = await bot().uploadFile(PIXEL, { fileName: "pixel.png" });
    const { messageId } = await send({
      msgType: "card",
      content: { card: card({ elements: [img({ img_key: fileKey })] }) },
    });
    const [element] = (await seen(messageId)).content.card.body.elements;
    assert.match(element.img_url, /\/files\//);
  });

  test("a message to the bot is replied to, once for each clientMessageId", async () => {
    const asked = await (await member()).post("conversations/group:g_team/messages", {
      msgType: "text",
      content: { text: "Who is on call?", mentions: [APP] },
    });
    const { messageId } = asked.json.value;
    const reply = {
      ...TEAM,
      messageId,
      msgType: "text",
      content: { text: "Bob" },
      clientMessageId: "on-call",
    } as const;
    const first = await bot().reply(reply);
    const again = await bot().reply(reply);

    assert.equal(first.duplicate, false);
    assert.deepEqual(again, { ...first, duplicate: true });
    assert.equal((await seen(first.messageId)).parentMessageId, messageId);
  });

  test("a reply to another conversation is refused", async () => {
    const asked = await (await member()).post(`conversations/bot:${APP}/messages`, {
      msgType: "text",
      content: { text: "Hello?" },
    });
    const reply = { ...TEAM, messageId: asked.json.value.messageId, msgType: "text", content: { text: "Hi" } } as const;
    await assert.rejects(bot().reply(reply), { name: "ApiRefusedError", code: "400008" });
  });

  test("a card is updated, is refused for an older version, and is recalled once", async () => {
    const { messageId, msgSeq } = await send({ msgType: "card", content: { card: card({ elements: [] }) } });
    const done = card({ elements: [button("Open", { url: "https://ci.example.com/1" })] });
    const updated = await bot().updateCard({ messageId, card: done, version: 1 });
    assert.deepEqual(updated, { messageId, msgSeq: updated.msgSeq, clientMessageId: null, duplicate: false });
    assert.ok(updated.msgSeq > msgSeq);
    await assert.rejects(bot().updateCard({ messageId, card: done, version: 1 }), { code: "500000" });
    await bot().updateCard({ messageId, card: done });
    assert.equal((await seen(messageId)).cardVersion, 3);

    assert.equal(await bot().recallCard(messageId), true);
    assert.equal(await bot().recallCard(messageId), false);
    assert.equal((await seen(messageId)).recalled, true);
  });
});
