import assert from "node:assert/strict";
import { auditOf } from "./support/audit.ts";
import { BROKEN_CARDS, cardOf, HELLO, SOUND_CARDS, seen, sendMessage, sentId } from "./support/card-acme.ts";
import {
  type Account,
  assertConsoleRefused,
  ConsoleClient,
  consoleAcme,
  consoleCall,
  fellow,
  nobody,
  ownedApp,
  owner,
  stranger,
} from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { apply, restartWith } from "./support/provisioning.ts";
import { filePart, form, upload as uploadAs } from "./support/uploads.ts";
import { suiteWorld, World } from "./support/world.ts";

const path = (appId: string, ...rest: (string | number)[]) => [`apps/${appId}/card-templates`, ...rest].join("/");
const text = (content: string) => cardOf({ tag: "text", text: content });
/** None of this may change when the card is saved and sent. */
const EXACT =
  '{"schema":"2.0","body":{"elements":[{"tag":"text","text":"字 \\ud800 1e5","value":{"__proto__":{"x":1},"n":12345678901234567890.10,"e":1.50e+300,"10":-0,"2":1.50,"constructor":null,"n":9223372036854775808}}]},"__proto__":[],"toString":1E2}';

onBothEngines("console: card templates", (engine, test) => {
  const provisioned = (cardId: string, version: number) => ({
    cardId,
    name: "Build",
    version,
    card: text("provisioned"),
  });
  const withTemplate = (card: unknown) =>
    consoleAcme(
      ownedApp("app_bot", { cardTemplates: [{ ...provisioned("tpl_file", 3), card }] }),
      ...["app_list", "app_race", "app_full", "app_exact", "app_many", "app_audit"].map((appId) => ownedApp(appId)),
      ownedApp("app_draft", { installations: [], status: "UNPUBLISHED" }),
      ownedApp("app_last", { cardTemplates: [provisioned("tpl_last", 2 ** 31 - 1)] }),
      ownedApp("app_two", { cardTemplates: [provisioned("tpl_two", 1)] }),
      ownedApp("app_customer", { installations: [], type: "CUSTOMER_SERVICE", scopes: [] }),
    );
  const provision = withTemplate(text("provisioned"));
  const world = suiteWorld(engine, provision);
  const signIn = (account: Account = owner) => ConsoleClient.logIn(world(), account);
  const create = async (appId: string, name = "Build", card: unknown = text("1")) =>
    (await signIn()).ok("POST", path(appId), { name, card });
  const send = (appId: string, cardId: string) => sendMessage(world(), appId, "card", { cardId });
  const developerId = async () => (await ownerRow()).developer_id;
  const ownerRow = () =>
    world()
      .portico.ctx.storage.db.selectFrom("developers")
      .selectAll()
      .where("phone", "=", owner.phone)
      .where("channel_id", "=", 1)
      .executeTakeFirstOrThrow();

  test("created: version 1 with a new id, and it can be sent", async () => {
    const created = await create("app_bot");
    const savedBy = { developerId: await developerId(), name: "Owner" };
    const { cardId } = created;
    assert.match(cardId, /^tpl_[\w-]{22}$/);
    const template = { cardId, name: "Build", version: 1, updatedAt: world().clock.now(), updatedBy: savedBy };
    assert.deepEqual(created, { ...template, card: text("1") });
    const client = await signIn();
    assert.deepEqual(await client.ok("GET", path("app_bot", cardId)), created);
    assert.deepEqual((await client.ok("GET", path("app_bot"))).items[0], template);
    const message = await seen(world(), await sentId(send("app_bot", cardId)));
    assert.deepEqual([message.content, message.cardVersion], [{ card: text("1") }, 1]);
  });
  test("saved: each time a new version, which the next send uses in every process", async () => {
    const { cardId } = await create("app_bot");
    const client = await signIn();
    const other = engine.name === "postgres" ? await world().start() : world().portico;
    for (const version of [2, 3]) {
      world().clock.turn(1_000);
      const saved = await client.at(other).ok("PUT", path("app_bot", cardId), { card: text(`v${version}`) });
      assert.deepEqual([saved.version, saved.name, saved.updatedAt], [version, "Build", world().clock.now()]);
      const message = await seen(world(), await sentId(send("app_bot", cardId)));
      assert.deepEqual([message.content, message.cardVersion], [{ card: text(`v${version}`) }, version]);
    }
    const renamed = await client.ok("PUT", path("app_bot", cardId), { name: "Deploy", card: text("v3"), version: 3 });
    assert.deepEqual([renamed.name, renamed.version], ["Deploy", 4]);
  });
  test("messages sent before a save do not change", async () => {
    const { cardId } = await create("app_bot");
    const messageId = await sentId(send("app_bot", cardId));
    await (await signIn()).ok("PUT", path("app_bot", cardId), { card: text("2") });
    assert.deepEqual((await seen(world(), messageId)).content, { card: text("1") });
  });
  test("a save that expects another version is refused with 409 and changes nothing", async () => {
    const { cardId } = await create("app_bot");
    const client = await signIn();
    await client.ok("PUT", path("app_bot", cardId), { card: text("2"), version: 1 });
    for (const version of [1, 3, 0, -1, Number.MAX_SAFE_INTEGER]) {
      const answer = await client.call("PUT", path("app_bot", cardId), { card: text("3"), version });
      assertConsoleRefused(answer, 409, "卡片模板已被修改,当前版本为2");
    }
    assert.deepEqual((await client.ok("GET", path("app_bot", cardId))).card, text("2"));
    await client.ok("PUT", path("app_bot", cardId), { card: text("3"), version: null, name: null });
  });
  test("the versions are listed newest first, each with name, card and author", async () => {
    const { cardId, updatedAt } = await create("app_bot");
    const client = await signIn();
    world().clock.turn(1_000);
    await client.ok("PUT", path("app_bot", cardId), { name: "Deploy", card: text("2") });
    const savedBy = { developerId: await developerId(), name: "Owner" };
    const [second, first] = [
      { version: 2, name: "Deploy", savedAt: world().clock.now(), savedBy },
      { version: 1, name: "Build", savedAt: updatedAt, savedBy },
    ];
    assert.deepEqual(await client.ok("GET", path("app_bot", cardId, "versions")), [second, first]);
    assert.deepEqual(await client.ok("GET", path("app_bot", cardId, "versions", 1)), { ...first, card: text("1") });
    assert.deepEqual(await client.ok("GET", path("app_bot", cardId, "versions", 2)), { ...second, card: text("2") });
    for (const version of [0, 3, -1, 2 ** 31, 2 ** 53, "9".repeat(19)]) {
      const answer = await client.get(path("app_bot", cardId, "versions", version));
      assertConsoleRefused(answer, 404, "卡片模板版本不存在");
    }
    assertConsoleRefused(await client.get(path("app_bot", cardId, "versions", "x")), 400);
  });
  test("removed with all its versions, and cannot be sent any more", async () => {
    const { cardId } = await create("app_bot");
    const client = await signIn();
    await client.ok("PUT", path("app_bot", cardId), { card: text("2") });
    assert.equal((await client.call("DELETE", path("app_bot", cardId))).status, 204);
    for (const [method, url, body] of [
      ["GET", path("app_bot", cardId), undefined],
      ["PUT", path("app_bot", cardId), { card: text("3") }],
      ["DELETE", path("app_bot", cardId), undefined],
      ["GET", path("app_bot", cardId, "versions"), undefined],
      ["GET", path("app_bot", cardId, "versions", 1), undefined],
    ] as const) {
      assertConsoleRefused(await client.call(method, url, body), 404, "卡片模板不存在");
    }
    assert.equal((await send("app_bot", cardId)).json.message, "卡片模板不存在");
    const { db } = world().portico.ctx.storage;
    const left = await db
      .selectFrom("card_template_versions")
      .select("version")
      .where("card_id", "=", cardId)
      .execute();
    assert.deepEqual(left, []);
  });
  test("each change is audited with name and version, without the card", async () => {
    const { cardId } = await create("app_audit");
    const client = await signIn();
    await client.ok("PUT", path("app_audit", cardId), { name: "Deploy", card: text("a secret plan") });
    assertConsoleRefused(await client.call("PUT", path("app_audit", cardId), { card: text("3"), version: 9 }), 409);
    await client.call("DELETE", path("app_audit", cardId));
    const actor = `DEVELOPER ${await developerId()}`;
    const entry = {
      at: world().clock.now(),
      actor,
      target: `template:${cardId}`,
      tenantId: "t_acme",
      address: "127.0.0.1",
    };
    const [build, deploy] = [
      { name: "Build", version: 1 },
      { name: "Deploy", version: 2 },
    ];
    assert.deepEqual(await auditOf(world(), "app_audit"), [
      { ...entry, action: "template.create", before: null, after: build },
      { ...entry, action: "template.save", before: build, after: deploy },
      { ...entry, action: "template.delete", before: deploy, after: null },
    ]);
  });

  test("a provisioned template: its history begins with the file's version", async () => {
    const client = await signIn();
    const unsaved = { savedAt: null, savedBy: null };
    const third = { version: 3, name: "Build", ...unsaved };
    const versions = () => client.ok("GET", path("app_bot", "tpl_file", "versions"));
    const template = { cardId: "tpl_file", name: "Build", version: 3, updatedAt: null, updatedBy: null };
    assert.deepEqual(await client.ok("GET", path("app_bot", "tpl_file")), { ...template, card: text("provisioned") });
    assert.deepEqual(await versions(), [third]);
    const card = text("provisioned");
    assert.deepEqual(await client.ok("GET", path("app_bot", "tpl_file", "versions", 3)), { ...third, card });
    const saved = await client.ok("PUT", path("app_bot", "tpl_file"), { card: text("4"), version: 3 });
    assert.equal(saved.version, 4);
    assert.deepEqual((await versions()).slice(1), [third]);
    assert.deepEqual(await client.ok("GET", path("app_bot", "tpl_file", "versions", 3)), { ...third, card });
    assertConsoleRefused(await client.get(path("app_bot", "tpl_file", "versions", 2)), 404);
    assert.equal((await seen(world(), await sentId(send("app_bot", "tpl_file")))).cardVersion, 4);
  });
  test("after the highest version number no more versions can be saved", async () => {
    const answer = await (await signIn()).call("PUT", path("app_last", "tpl_last"), { card: text("x") });
    assertConsoleRefused(answer, 409, "卡片模板的版本号已用尽");
    assert.deepEqual(await auditOf(world(), "app_last"), []);
  });

  test("the list is paged, most recently saved first, 20 at a time by default", async () => {
    const client = await signIn();
    const ids: string[] = [];
    for (let n = 0; n < 23; n++) {
      world().clock.turn(1_000);
      ids.unshift((await create("app_list", `T${n}`)).cardId);
    }
    const listed = async (query = "") => {
      const { items, ...rest } = await client.ok("GET", path("app_list") + query);
      return { ids: items.map(({ cardId }: { cardId: string }) => cardId), ...rest };
    };
    assert.deepEqual(await listed(), { ids: ids.slice(0, 20), total: 23, page: 1, pageSize: 20 });
    assert.deepEqual(await listed("?page=2"), { ids: ids.slice(20), total: 23, page: 2, pageSize: 20 });
    assert.deepEqual(await listed("?page=3&pageSize=10"), { ids: ids.slice(20), total: 23, page: 3, pageSize: 10 });
    world().clock.turn(1_000);
    await client.ok("PUT", path("app_list", ids[22] ?? ""), { card: text("2") });
    assert.deepEqual((await listed("?pageSize=1")).ids, [ids[22]]);
    for (const query of ["page=0", "pageSize=101", "page=x"]) {
      assertConsoleRefused(
        await client.get(`${path("app_list")}?${query}`),
        400,
        new RegExp(`^${query.split("=")[0]}`),
      );
    }
  });

  test("a card is returned and sent exactly as it was saved", async () => {
    const client = await signIn();
    const created = await client.call("POST", path("app_exact"), `{"card":{},"name":"Exact","card":${EXACT}}`);
    assert.ok(created.text.includes(EXACT), created.text);
    const { cardId } = created.json;
    for (const url of [path("app_exact", cardId), path("app_exact", cardId, "versions", 1)]) {
      assert.ok((await client.get(url)).text.includes(EXACT), url);
    }
    const spaced = EXACT.replaceAll(":", " : ").replace('"2.0"', ' "2.0"\n');
    const saved = await client.call("PUT", path("app_exact", cardId), `{"card":${spaced}}`);
    assert.ok(saved.text.includes(spaced), saved.text);
    assert.equal(await contentOf(await sentId(send("app_exact", cardId))), `{"card":${spaced}}`);
    const preview = await client.call("POST", path("app_exact", "preview"), `{"card":${spaced}}`);
    assert.ok(preview.text.includes(`"card":${spaced}`), preview.text);
  });
  test("so is that of a provisioning file, without its blanks", async () => {
    const card = EXACT.replaceAll(":", " :\n ").replaceAll("\\ud800", "\\u00e9");
    const app = JSON.stringify(ownedApp("app_exact", { cardTemplates: [{ ...provisioned("tpl_exact", 1), card: 0 }] }));
    await apply(world(), `{"apps":[${app.replace('"card":0', () => `"card":{},"card":${card}`)}]}`);
    assert.equal(
      await contentOf(await sentId(send("app_exact", "tpl_exact"))),
      `{"card":${EXACT.replaceAll("\\ud800", "é")}}`,
    );
  });
  async function contentOf(messageId: number): Promise<string | undefined> {
    const { db } = world().portico.ctx.storage;
    const found = db.selectFrom("messages").select("content").where("message_id", "=", messageId);
    return (await found.executeTakeFirst())?.content;
  }
  for (const [message, ...cards] of BROKEN_CARDS) {
    test(`a card that breaks a rule cannot be saved: ${message}`, async () => {
      const { cardId } = await create("app_bot");
      const client = await signIn();
      for (const card of cards) {
        assertConsoleRefused(await client.call("POST", path("app_bot"), { name: "x", card }), 400, message);
        assertConsoleRefused(await client.call("PUT", path("app_bot", cardId), { card }), 400, message);
        const answer = await client.ok("POST", path("app_bot", "preview"), { card });
        assert.equal(answer.valid, false);
        assert.equal(answer.findings[0].message, message);
      }
      assert.equal((await client.ok("GET", path("app_bot", cardId))).version, 1);
    });
  }
  test("numbers count with their original spelling, which can bring a card over 64 KiB", async () => {
    const card = `{"schema":"2.0","body":{"elements":[]},"n":1.${"0".repeat(65_536)}}`;
    const client = await signIn();
    const answer = await client.call("POST", path("app_bot"), `{"name":"x","card":${card}}`);
    assertConsoleRefused(answer, 400, "卡片JSON不能超过64KiB");
    const preview = await client.ok("POST", path("app_bot", "preview"), `{"card":${card}}`);
    assert.deepEqual(
      preview.findings.map(({ rule }: { rule: string }) => rule),
      ["size"],
    );
    assert.equal(preview.bytes, card.length);
  });
  for (const [what, body, message] of [
    ["no name", { card: text("x") }, "name不能为空"],
    ["an empty name", { name: "", card: text("x") }, "name不能为空"],
    ["a blank name", { name: " \t", card: text("x") }, /^name/],
    ["a name of 129 characters", { name: "名".repeat(129), card: text("x") }, /^name/],
    ["a name with NUL", { name: "a\0", card: text("x") }, /^name/],
    ["no card", { name: "x" }, "card不能为空"],
    ["a card that is a text", { name: "x", card: "{}" }, /^card/],
    ["a card that is an array", { name: "x", card: [] }, /^card/],
    ["a card of null", { name: "x", card: null }, /^card/],
  ] as const) {
    test(`${what}: 400 naming it`, async () => {
      assertConsoleRefused(await (await signIn()).call("POST", path("app_bot"), body), 400, message);
    });
  }
  test("a name of 128 characters is accepted", async () => {
    assert.equal((await create("app_bot", "名".repeat(128))).name, "名".repeat(128));
  });
  test("a save with a version or name of the wrong type: 400 naming it", async () => {
    const client = await signIn();
    for (const [member, value] of [
      ["version", "3"],
      ["version", 1.5],
      ["name", 7],
      ["name", ""],
    ] as const) {
      const answer = await client.call("PUT", path("app_bot", "tpl_file"), { card: text("x"), [member]: value });
      assertConsoleRefused(answer, 400, new RegExp(`^${member}`));
    }
  });
  test("templates of an UNPUBLISHED bot can be written, those of another type cannot", async () => {
    assert.equal((await create("app_draft")).version, 1);
    const answer = await (await signIn()).call("POST", path("app_customer"), { name: "x", card: text("x") });
    assertConsoleRefused(answer, 409, "只有BOT类型的应用可以创建卡片模板");
  });

  for (const [method, url, body, who] of [
    ["GET", path("app_bot"), undefined, "all"],
    ["POST", path("app_bot"), { name: "x", card: text("x") }, "owner"],
    ["POST", path("app_bot", "preview"), { card: text("x") }, "all"],
    ["POST", path("app_bot", "validate"), { card: text("x") }, "all"],
    ["GET", path("app_bot", "tpl_file"), undefined, "all"],
    ["PUT", path("app_bot", "tpl_file"), { card: text("x") }, "owner"],
    ["DELETE", path("app_bot", "tpl_file"), undefined, "owner"],
    ["GET", path("app_bot", "tpl_file", "versions"), undefined, "all"],
    ["GET", path("app_bot", "tpl_file", "versions", 3), undefined, "all"],
  ] as const) {
    test(`${method} ${url}: 401, 404 and 403 for the callers they apply to`, async () => {
      assertConsoleRefused(await consoleCall(world(), method, url, { body }), 401);
      for (const account of [stranger, nobody]) {
        assertConsoleRefused(await (await signIn(account)).call(method, url, body), 404, "应用不存在");
      }
      const answer = await (await signIn(fellow)).call(method, url, body);
      if (who === "all") assert.equal(answer.status, 200, answer.text);
      else assertConsoleRefused(answer, 403, "只有应用的所有者可以执行此操作");
      if (!url.includes("tpl_file")) return;
      const foreign = url.replace("tpl_file", "tpl_two");
      assertConsoleRefused(await (await signIn()).call(method, foreign, body), 404, "卡片模板不存在");
    });
  }
  test("unknown ids are 404, hostile ones included", async () => {
    const client = await signIn();
    for (const cardId of ["tpl_none", "__proto__", "preview", "%F0%9F%A4%96", "x".repeat(2_000)]) {
      assert.equal((await client.get(path("app_bot", cardId))).status, 404, cardId);
    }
    assertConsoleRefused(await client.get(path("app_bot", "tpl%00")), 400);
  });

  test("20 concurrent saves create 20 versions, each with its own card", async () => {
    const { cardId } = await create("app_race");
    const urls = [world().url, engine.name === "postgres" ? (await world().start()).url : world().url];
    const client = await signIn();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const at = client.at({ url: urls[n % urls.length] ?? "" });
        return [n, await at.ok("PUT", path("app_race", cardId), { card: text(`save ${n}`) })] as const;
      }),
    );
    assert.deepEqual(
      answers.map(([, { version }]) => version).sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, n) => n + 2),
    );
    for (const [n, { version, card }] of answers) {
      assert.deepEqual(card, text(`save ${n}`));
      const kept = await client.ok("GET", path("app_race", cardId, "versions", version));
      assert.deepEqual(kept.card, card);
    }
    const last = answers.find(([, { version }]) => version === 21);
    assert.deepEqual((await client.ok("GET", path("app_race", cardId))).card, last?.[1].card);
  });
  test("of 20 concurrent saves that expect the same version, one succeeds", async () => {
    const { cardId } = await create("app_race");
    const client = await signIn();
    const save = (_: unknown, n: number) =>
      client.call("PUT", path("app_race", cardId), { card: text(`save ${n}`), version: 1 });
    const statuses = (await Promise.all(Array.from({ length: 20 }, save))).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array(19).fill(409)]);
    assert.equal((await client.ok("GET", path("app_race", cardId))).version, 2);
  });
  test("saves concurrent with a removal are answered with 200 or 404, and nothing remains", async () => {
    const { cardId } = await create("app_race");
    const client = await signIn();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n === 10
          ? client.call("DELETE", path("app_race", cardId))
          : client.call("PUT", path("app_race", cardId), { card: text(`${n}`) }),
      ),
    );
    for (const [n, { status }] of answers.entries()) assert.ok(n === 10 ? status === 204 : [200, 404].includes(status));
    assertConsoleRefused(await client.get(path("app_race", cardId)), 404);
  });
  test("the newest 100 versions are kept", async () => {
    const { cardId } = await create("app_many");
    const client = await signIn();
    for (let version = 2; version <= 103; version++) {
      await client.ok("PUT", path("app_many", cardId), { card: text(`${version}`) });
    }
    const versions = await client.ok("GET", path("app_many", cardId, "versions"));
    assert.deepEqual(
      versions.map(({ version }: { version: number }) => version),
      Array.from({ length: 100 }, (_, n) => 103 - n),
    );
    assertConsoleRefused(await client.get(path("app_many", cardId, "versions", 3)), 404, "卡片模板版本不存在");
  });
  test("an application has at most 500 templates, also with concurrent creations", async () => {
    await world().portico.ctx.storage.write(async (tx) => {
      for (let n = 0; n < 495; n++) {
        const row = { card_id: `tpl_full_${n}`, app_id: "app_full", name: "x", version: 1, card: "{}" };
        await tx.insertInto("card_templates").values(row).execute();
      }
    });
    const client = await signIn();
    const one = () => client.call("POST", path("app_full"), { name: "x", card: text("x") });
    const answers = await Promise.all(Array.from({ length: 12 }, one));
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    for (const answer of answers) if (answer.status !== 200) assertConsoleRefused(answer, 409, "卡片模板不能超过500个");
    assert.equal((await client.ok("GET", path("app_full"))).total, 500);
  });

  test("a preview counts and expands the card and stores nothing", async () => {
    const client = await signIn();
    const before = await client.ok("GET", path("app_two"));
    const card = cardOf(HELLO, { tag: "form", elements: [{ tag: "img", img_key: "https://a/b.png" }] });
    const preview = await client.ok("POST", path("app_two", "preview"), { card });
    const shown = cardOf(HELLO, {
      tag: "form",
      elements: [{ tag: "img", img_key: "https://a/b.png", img_url: "https://a/b.png" }],
    });
    const bytes = Buffer.byteLength(JSON.stringify(card));
    assert.deepEqual(preview, { valid: true, findings: [], components: 3, depth: 2, bytes, card: shown });
    assert.deepEqual(await client.ok("POST", path("app_two", "validate"), { card }), preview);
    assert.deepEqual(await client.ok("GET", path("app_two")), before);
    assert.deepEqual(await auditOf(world(), "app_two"), []);
  });
  for (const [what, card] of SOUND_CARDS) {
    test(`a preview finds no problem in a card with ${what}`, async () => {
      const preview = await (await signIn()).ok("POST", path("app_bot", "preview"), { card });
      assert.deepEqual([preview.valid, preview.findings, preview.card], [true, [], card]);
    });
  }
  test("a preview lists all problems with their positions, not only the first", async () => {
    const card = cardOf({ tag: "div" }, { tag: "button", url: "ftp://x" }, { tag: "img" }, "text");
    const {
      valid,
      findings,
      components,
      card: shown,
    } = await (await signIn()).ok("POST", path("app_bot", "preview"), { card });
    assert.deepEqual([valid, components, shown], [false, 3, card]);
    assert.deepEqual(
      findings.map(({ path, rule, message }: Record<string, string>) => [path, rule, message]),
      [
        ["/body/elements/0/tag", "component-tag", "不支持的卡片组件: div"],
        ["/body/elements/1/url", "link", "卡片链接仅支持HTTP/HTTPS地址"],
        ["/body/elements/3", "component-object", "卡片组件必须为对象"],
        ["/body/elements/2/img_key", "image-key", "card image img_key不能为空"],
      ],
    );
    for (const { suggestion } of findings) assert.match(suggestion, /./);
  });
  for (const card of ["null", "7", '"text"', "[]", `${"[".repeat(50_000)}${"]".repeat(50_000)}`]) {
    test(`a preview of ${card.slice(0, 10)} reports that it is not a card`, async () => {
      const answer = await (await signIn()).call("POST", path("app_bot", "preview"), `{"card":${card}}`);
      assert.equal(answer.status, 200, answer.text);
      assert.ok(answer.text.endsWith(`"components":0,"depth":0,"bytes":${card.length},"card":${card}}`));
      assert.equal(answer.json.findings[0].rule, "schema");
    });
  }
  test("a preview without a card: 400", async () => {
    assertConsoleRefused(await (await signIn()).call("POST", path("app_bot", "preview"), {}), 400, "card不能为空");
  });
  test("a preview shows uploaded images, marks none as used, and lists those that cannot be sent", async () => {
    const upload = async (appId: string, mimeType: string): Promise<string> =>
      (await uploadAs(world(), appId, form(filePart({ mimeType })))).json.value.fileKey;
    const picture = await upload("app_bot", "image/png");
    const document = await upload("app_bot", "application/pdf");
    const foreign = await upload("app_two", "image/png");
    const image = (img_key: string) => ({ tag: "img", img_key });
    const client = await signIn();
    const good = await client.ok("POST", path("app_bot", "preview"), { card: cardOf(image(picture)) });
    assert.equal(good.valid, true);
    assert.match(good.card.body.elements[0].img_url, /^http.*\/[0-9a-f]{48}/);
    const { db } = world().portico.ctx.storage;
    const row = await db.selectFrom("files").select("sent_at").where("file_key", "=", picture).executeTakeFirst();
    assert.equal(row?.sent_at, null);
    const card = cardOf(image(foreign), image(picture), image(document), { tag: "img" });
    const bad = await client.ok("POST", path("app_bot", "preview"), { card });
    assert.deepEqual(
      bad.findings.map(({ path, rule, message }: Record<string, string>) => [path, rule, message]),
      [
        ["/body/elements/0/img_key", "image-file", "fileKey无效或已过期"],
        ["/body/elements/2/img_key", "image-type", "card image img_key必须引用图片文件"],
        ["/body/elements/3/img_key", "image-key", "card image img_key不能为空"],
      ],
    );
    assert.deepEqual([bad.valid, bad.card], [false, card]);
    world().clock.turn(600_000);
    assert.equal((await client.ok("POST", path("app_bot", "preview"), { card: cardOf(image(picture)) })).valid, false);
  });

  test("a change in the file wins at the next start; a later save gets a number above all earlier ones", async (t) => {
    const own = await World.create(engine, provision);
    t.after(() => own.dispose());
    const save = async (content: string) => {
      const client = await ConsoleClient.logIn(own);
      return (await client.ok("PUT", path("app_bot", "tpl_file"), { card: text(content) })).version;
    };
    const now = async () => {
      const client = await ConsoleClient.logIn(own);
      const { version, card, updatedBy } = await client.ok("GET", path("app_bot", "tpl_file"));
      return [version, card, updatedBy?.name ?? null];
    };
    assert.deepEqual([await save("a"), await save("b")], [4, 5]);
    await own.restart();
    assert.deepEqual(await now(), [5, text("b"), "Owner"]);
    await restartWith(own, withTemplate(text("from the file")));
    assert.deepEqual(await now(), [3, text("from the file"), null]);
    assert.equal(await save("c"), 6);
    const client = await ConsoleClient.logIn(own);
    const versions = await client.ok("GET", path("app_bot", "tpl_file", "versions"));
    assert.deepEqual(
      versions.map(({ version }: { version: number }) => version),
      [6, 5, 4, 3],
    );
  });
});
