import assert from "node:assert/strict";
import { type CannedReply, DESK_BOUNDS } from "@portico/protocol";
import { assertRefused } from "./support/assert-answer.ts";
import { auditOf } from "./support/audit.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, fellow, ownedApp } from "./support/console.ts";
import { DeskClient } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { serviceApp, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const AGENTS = { agents: ["alice", "bob"] };

onBothEngines("canned replies", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(
      ...["app_desk", "app_race", "app_full", "app_console", "app_hidden"].map((appId) => serviceApp(appId, AGENTS)),
      serviceApp("app_bobs", { agents: ["bob"] }),
      ownedApp("app_bot"),
    ),
  );
  const signIn = (userId = "u_alice") => DeskClient.signIn(world(), userId);
  const path = (appId: string, replyId = "") => `apps/${appId}/canned-replies${replyId && `/${replyId}`}`;
  const list = async (appId: string): Promise<CannedReply[]> => (await (await signIn()).ok("GET", path(appId))).items;

  test("any agent creates, changes and deletes them; all agents read all of them, by shortcut", async () => {
    const [alice, bob] = [await signIn(), await signIn("u_bob")];
    const hello = await alice.ok("POST", path("app_desk"), { shortcut: "hello", text: "Hi {{visitor.nickname}}" });
    const { replyId } = hello;
    const updatedAt = world().clock.now();
    const said = { shortcut: "hello", text: "Hi {{visitor.nickname}}" };
    assert.deepEqual(hello, { replyId, ...said, updatedBy: "Alice", updatedAt });
    const bye = await bob.ok("POST", path("app_desk"), { shortcut: "再见_1", text: "再见\n{{agent.name}}" });
    world().clock.turn(1_000);
    const changed = await bob.ok("PATCH", path("app_desk", replyId), { shortcut: "Hello-2" });
    assert.deepEqual(changed, { ...hello, shortcut: "Hello-2", updatedBy: "Bob", updatedAt: updatedAt + 1_000 });
    const again = await alice.ok("PATCH", path("app_desk", replyId), { shortcut: "Hello-2", text: hello.text });
    assert.deepEqual(again, changed, "what says the same already does not change");
    assert.deepEqual(await list("app_desk"), [changed, bye]);
    assert.deepEqual(await alice.ok("DELETE", path("app_desk", bye.replyId)), bye);
    assert.deepEqual(await list("app_desk"), [changed]);
    const entries = await auditOf(world(), "app_desk");
    assert.deepEqual(
      entries.map(({ action, target, actor, before, after }) => [action, target, actor, before, after]),
      [
        ["canned-reply.create", `canned-reply:${replyId}`, "MEMBER u_alice", null, said],
        [
          "canned-reply.create",
          `canned-reply:${bye.replyId}`,
          "MEMBER u_bob",
          null,
          { shortcut: bye.shortcut, text: bye.text },
        ],
        ["canned-reply.update", `canned-reply:${replyId}`, "MEMBER u_bob", said, { ...said, shortcut: "Hello-2" }],
        [
          "canned-reply.delete",
          `canned-reply:${bye.replyId}`,
          "MEMBER u_alice",
          { shortcut: bye.shortcut, text: bye.text },
          null,
        ],
      ],
    );
  });

  test("a shortcut is unique in the application, whatever its case; of concurrent ones one is stored", async () => {
    const [alice, bob] = [await signIn(), await signIn("u_bob")];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 === 0 ? alice : bob).call("POST", path("app_race"), { shortcut: n < 5 ? "Äh" : "äH", text: `${n}` }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers) {
      if (answer.status !== 200) assertRefused(answer, 403, "400008", "该快捷词已被使用");
    }
    const other = await bob.ok("POST", path("app_race"), { shortcut: "other", text: "x" });
    const taken = await alice.call("PATCH", path("app_race", other.replyId), { shortcut: "ÄH" });
    assertRefused(taken, 403, "400008", "该快捷词已被使用");
    await bob.ok("POST", path("app_desk"), { shortcut: "Äh", text: "of another application" });
    const kept = (await list("app_race")).find(({ replyId }) => replyId !== other.replyId);
    await alice.ok("PATCH", path("app_race", kept?.replyId), { shortcut: "äh" });
  });

  test("an application has a bounded number; all of them are listed, however long", async () => {
    const alice = await signIn();
    const { storage } = world().portico.ctx;
    // Together almost as much as an application may have.
    const text = "界".repeat(340);
    const rows = Array.from({ length: DESK_BOUNDS.cannedReplies - 1 }, (_, n) => ({
      reply_id: `cr_full_${n}`,
      app_id: "app_full",
      shortcut: `s${String(n).padStart(4, "0")}`,
      shortcut_key: `s${String(n).padStart(4, "0")}`,
      text,
      member_id: null,
      developer_id: null,
      updated_at: 1,
    }));
    await storage.write(async (tx) => {
      for (let from = 0; from < rows.length; from += 100) {
        await tx
          .insertInto("canned_replies")
          .values(rows.slice(from, from + 100))
          .execute();
      }
    });
    const answers = await Promise.all(
      ["x", "y", "z"].map((shortcut) => alice.call("POST", path("app_full"), { shortcut, text: "last" })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers) {
      if (answer.status !== 200) assertRefused(answer, 403, "400008", "快捷回复不能超过500个");
    }
    const all = await list("app_full");
    assert.deepEqual(
      all.slice(0, -1).map(({ shortcut, text: said }) => [shortcut, said === text]),
      rows.map(({ shortcut }) => [shortcut, true]),
    );
    assert.equal(all.at(-1)?.text, "last");
    const owner = await ConsoleClient.logIn(world());
    assertConsoleRefused(await owner.call("POST", path("app_full"), { shortcut: "q", text: "q" }), 409, /500/);

    const long = "界".repeat(DESK_BOUNDS.cannedReplyLength);
    const last = path("app_full", all.at(-1)?.replyId);
    const tooLong = "快捷回复的总长度不能超过512 KiB";
    await alice.ok("PATCH", last, { text: long });
    const other = path("app_full", "cr_full_0");
    assertRefused(await alice.call("PATCH", other, { text: long }), 403, "400008", tooLong);
    assertConsoleRefused(await owner.call("PATCH", other, { text: long }), 409, tooLong);
    await alice.ok("PATCH", last, { text: "short" });
    await alice.ok("PATCH", other, { text: long });
    await alice.ok("DELETE", last);
    assertRefused(await alice.call("POST", path("app_full"), { shortcut: "z", text: long }), 403, "400008", tooLong);
  });

  test("wrong, unknown and foreign ones are refused", async () => {
    const alice = await signIn();
    const { replyId } = await alice.ok("POST", path("app_desk"), { shortcut: "mine", text: "x" });
    const foreign = await (await signIn("u_bob")).ok("POST", path("app_bobs"), { shortcut: "bobs", text: "x" });
    for (const body of [
      {},
      { shortcut: "a" },
      { text: "a" },
      { shortcut: "", text: "a" },
      { shortcut: "a b", text: "a" },
      { shortcut: "a/b", text: "a" },
      { shortcut: "x".repeat(DESK_BOUNDS.shortcutLength + 1), text: "a" },
      { shortcut: "a", text: " \n\u200b" },
      { shortcut: "a", text: "x".repeat(DESK_BOUNDS.cannedReplyLength + 1) },
      { shortcut: "a", text: "a\0" },
    ]) {
      assertRefused(await alice.call("POST", path("app_desk"), body), 400, "400006");
      if ("shortcut" in body && "text" in body) {
        assertRefused(await alice.call("PATCH", path("app_desk", replyId), body), 400, "400006");
      }
    }
    for (const id of ["cr_unknown", foreign.replyId]) {
      for (const [method, body] of [["PATCH", { text: "y" }], ["DELETE"]] as const) {
        assertRefused(await alice.call(method, path("app_desk", id), body), 403, "400008", "快捷回复不存在");
      }
    }
    for (const [method, id, body] of [
      ["GET", ""],
      ["POST", "", { shortcut: "a", text: "a" }],
      ["PATCH", foreign.replyId, { text: "y" }],
      ["DELETE", foreign.replyId],
    ] as const) {
      assertRefused(await alice.call(method, path("app_bobs", id), body), 403, "400008", "不是该应用的客服");
    }
  });

  test("the owner writes them from the console, other developers of the tenant read them", async () => {
    const [owner, other] = [await ConsoleClient.logIn(world()), await ConsoleClient.logIn(world(), fellow)];
    const created = await owner.ok("POST", path("app_console"), { shortcut: "b", text: "from the owner" });
    assert.deepEqual([created.updatedBy, created.shortcut], ["Owner", "b"]);
    await (await signIn()).ok("POST", path("app_console"), { shortcut: "a", text: "from an agent" });
    const page = await other.ok("GET", `${path("app_console")}?page=2&pageSize=1`);
    assert.deepEqual(page, { items: [created], total: 2, page: 2, pageSize: 1 });
    assertConsoleRefused(await other.call("POST", path("app_console"), { shortcut: "c", text: "x" }), 403);
    assertConsoleRefused(
      await owner.call("POST", path("app_console"), { shortcut: "A", text: "x" }),
      409,
      "该快捷词已被使用",
    );
    const changed = await owner.ok("PATCH", path("app_console", created.replyId), { text: "changed" });
    assert.deepEqual(changed, { ...created, text: "changed" });
    assertConsoleRefused(await owner.call("PATCH", path("app_console", created.replyId), { text: " " }), 400);
    await owner.ok("DELETE", path("app_console", created.replyId), undefined, 204);
    assertConsoleRefused(await owner.call("DELETE", path("app_console", created.replyId)), 404, "快捷回复不存在");
    assert.deepEqual(
      (await list("app_console")).map(({ shortcut }) => shortcut),
      ["a"],
    );
    assertConsoleRefused(await owner.call("GET", path("app_bot")), 409, "只有CUSTOMER_SERVICE类型的应用有快捷回复");
  });

  test("no visitor reaches them", async () => {
    const alice = await signIn();
    await alice.ok("POST", path("app_hidden"), { shortcut: "secret", text: "for agents alone" });
    const widget = await WidgetClient.open(world(), "app_hidden", "c-1");
    const { sessionId } = await widget.say("hello");
    await alice.ok("POST", `apps/app_hidden/sessions/${sessionId}/accept`);
    const seen = [await widget.call("session"), await widget.call("messages")].map(({ text }) => text);
    for (const text of seen) assert.ok(!text.includes("for agents alone") && !text.includes("secret"));
    const url = `${world().url}/api/desk/v1/${path("app_hidden")}`;
    const { status } = await fetch(url, { headers: { authorization: `Bearer ${widget.token}` } });
    assert.equal(status, 401, "a visitor's token is none of the desk");
  });
});
