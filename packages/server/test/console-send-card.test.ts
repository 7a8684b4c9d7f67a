import assert from "node:assert/strict";
import { alice } from "./support/acme.ts";
import { auditOf } from "./support/audit.ts";
import { cardOf } from "./support/card-acme.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, fellow, ownedApp, owner } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

const CARD = cardOf({ tag: "text", text: "hello" });
const path = (appId: string) => `apps/${appId}/card-templates/send-to-me`;

/** Acme, where alice is the owner and bob nobody's developer. */
function withPhone() {
  const file = consoleAcme(
    ownedApp("app_bot", { installations: [] }),
    ownedApp("app_draft", { installations: [], status: "UNPUBLISHED" }),
    ownedApp("app_mini", { type: "MINI_PROGRAM", scopes: [], installations: [] }),
    ownedApp("app_fellow", { owner: fellow.phone, installations: [] }),
  );
  const members = file.members?.map((member) =>
    member.username === "alice" ? { ...member, phone: owner.phone } : member,
  );
  return { ...file, members };
}

onBothEngines("console: sending a card to oneself", (engine, test) => {
  const world = suiteWorld(engine, withPhone());

  test("installs the bot and sends the card as the bot would, and is audited", async () => {
    const client = await ConsoleClient.logIn(world());
    const { messageId, msgSeq, ...to } = await client.ok("POST", path("app_bot"), { card: CARD });
    assert.deepEqual(to, { userId: "u_alice", username: "alice" });
    const member = await MemberClient.signIn(world(), alice);
    const [message] = await member.history("bot:app_bot");
    assert.deepEqual([message?.messageId, message?.msgSeq, message?.cardVersion], [messageId, msgSeq, 1]);
    assert.deepEqual([message?.sender.id, message?.content], ["app_bot", { card: CARD }]);
    const again = await client.ok("POST", path("app_bot"), { card: CARD });
    assert.equal(again.msgSeq, msgSeq + 1);
    const actions = (await auditOf(world(), "app_bot")).map(({ action }) => action);
    assert.deepEqual(actions.filter((action) => action === "card.send-to-me").length, 2);
    assert.deepEqual(actions.filter((action) => action === "installation.create").length, 1);
  });
  test("a broken card is refused, and leaves neither a message nor an installation", async () => {
    const client = await ConsoleClient.logIn(world());
    const before = (await auditOf(world(), "app_bot")).length;
    assertConsoleRefused(await client.call("POST", path("app_bot"), { card: { schema: "1.0" } }), 400);
    const unknownImage = cardOf({ tag: "img", img_key: "file_unknown" });
    assertConsoleRefused(await client.call("POST", path("app_bot"), { card: unknownImage }), 403);
    assert.equal((await auditOf(world(), "app_bot")).length, before);
  });
  test("only by the owner, with a member of that phone number, and for an ACTIVE bot", async () => {
    const [mine, theirs] = [await ConsoleClient.logIn(world()), await ConsoleClient.logIn(world(), fellow)];
    assertConsoleRefused(await theirs.call("POST", path("app_bot"), { card: CARD }), 403);
    assertConsoleRefused(
      await theirs.call("POST", path("app_fellow"), { card: CARD }),
      409,
      "租户中没有使用您手机号的成员",
    );
    assertConsoleRefused(await mine.call("POST", path("app_draft"), { card: CARD }), 409, "应用未启用,不能安装");
    assertConsoleRefused(await mine.call("POST", path("app_mini"), { card: CARD }), 409, "只有BOT类型的应用可以安装");
  });
});

onBothEngines("console: how many cards one sends to oneself", (engine, test) => {
  const world = suiteWorld(engine, withPhone(), { PORTICO_LIMITS_APP_BYTES_PER_HOUR: "2000" });

  test("as many as the application may store", async () => {
    const client = await ConsoleClient.logIn(world());
    await client.ok("POST", path("app_bot"), { card: CARD });
    await client.ok("POST", path("app_bot"), { card: CARD });
    await client.ok("POST", path("app_bot"), { card: CARD });
    const refused = await client.call("POST", path("app_bot"), { card: CARD });
    assertConsoleRefused(refused, 429, "存储的内容过多,请稍后重试");
    const member = await MemberClient.signIn(world(), alice);
    assert.equal((await member.history("bot:app_bot")).length, 3);
  });
});
