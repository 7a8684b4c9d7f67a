import assert from "node:assert/strict";
import { acme, alice, bob, botApp, call, INSTALLATIONS, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { TO_ALICE } from "./support/card-acme.ts";
import { CLIENT, carol } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

const NOWHERE = { installations: [] };
const TEAM = { targetType: "GROUP", targetId: "g_team" };
const ALICE = { targetType: "USER", targetId: "u_alice" };
const CUSTOMER_SCOPES = { ...NOWHERE, scopes: [] };

onBothEngines("members' installations", (engine, test) => {
  const world = suiteWorld(engine, {
    ...acme(
      botApp("app_bot", NOWHERE),
      botApp("app_listed"),
      botApp("app_unpublished", { ...NOWHERE, status: "UNPUBLISHED" }),
      botApp("app_in_review", { ...NOWHERE, status: "IN_REVIEW" }),
      botApp("app_disabled", { status: "DISABLED" }),
      botApp("app_foreign", { ...NOWHERE, tenant: "t_other" }),
      botApp("app_customer", { ...CUSTOMER_SCOPES, type: "CUSTOMER_SERVICE" }),
      botApp("app_mini", { ...CUSTOMER_SCOPES, type: "MINI_PROGRAM" }),
    ),
  });
  const signIn = (account = alice) => MemberClient.signIn(world(), account);
  const install = async (body: unknown, account = alice) => (await signIn(account)).post("installations", body);
  const uninstall = async (body: unknown, account = alice) => (await signIn(account)).delete("installations", body);
  const bots = async (account = alice) => {
    const answer = await (await signIn(account)).get("bots");
    assertSuccess(answer);
    return answer.json.value.items as { appId: string; installations: unknown[] }[];
  };
  const placesOf = async (appId: string, account = alice) =>
    (await bots(account)).find((bot) => bot.appId === appId)?.installations;
  const asSeenByApp = async (appId: string, query = "") =>
    (await call(world(), appId, { target: `${INSTALLATIONS}${query}` })).json.value.items;
  const sendTo = (target: object) => sendText(world(), "app_bot", "", { body: textBody("x", { ...target }) });
  const rowsOf = (appId: string) => {
    const { db } = world().portico.ctx.storage;
    return db.selectFrom("installations").selectAll().where("app_id", "=", appId).execute();
  };

  test("GET bots: the tenant's active bots by name, each with those of the member's conversations in which it is installed", async () => {
    const bot = (appId: string, ...installations: unknown[]) => ({
      appId,
      displayName: `Bot ${appId}`,
      avatar: "",
      installations,
    });
    assert.deepEqual(await bots(alice), [bot("app_bot"), bot("app_listed", TEAM, ALICE)]);
    assert.deepEqual(await bots(bob), [bot("app_bot"), bot("app_listed", TEAM)]);
    assert.deepEqual(await bots(carol), [bot("app_bot"), bot("app_listed")]);
  });

  for (const [what, place, name, target, conversationId] of [
    ["for the member", ALICE, "Alice", TO_ALICE, "bot:app_bot"],
    ["in a group of theirs", TEAM, "Team", {}, "group:g_team"],
  ] as const) {
    const body = { appId: "app_bot", ...place };
    test(`installed ${what}: the answer is the installation, the bot sees it and may send there`, async () => {
      assertRefused(await sendTo(target), 403, "400008");
      const answer = await install(body);
      assertSuccess(answer);
      const installation = { ...place, status: "ACTIVE", name, installedAt: world().clock.now() };
      assert.deepEqual(answer.json.value, installation);
      assert.deepEqual(await asSeenByApp("app_bot", `?targetType=${place.targetType}`), [installation]);
      assert.deepEqual(await placesOf("app_bot"), [place]);
      assertSuccess(await sendTo(target));
    });
    test(`installed again ${what}: nothing changes, not even the time`, async () => {
      const before = await asSeenByApp("app_bot");
      world().clock.turn(60_000);
      const answer = await install(body);
      assertSuccess(answer);
      assert.deepEqual(await asSeenByApp("app_bot"), before);
      assert.deepEqual([answer.json.value], await asSeenByApp("app_bot", `?targetType=${place.targetType}`));
    });
    test(`uninstalled ${what}: the bot sees it and may not send there; the history stays readable`, async () => {
      const [before] = await asSeenByApp("app_bot", `?targetType=${place.targetType}`);
      const answer = await uninstall(body);
      assertSuccess(answer);
      assert.deepEqual(answer.json.value, { ...before, status: "UNINSTALLED" });
      const filter = `?targetType=${place.targetType}&status=`;
      assert.deepEqual(await asSeenByApp("app_bot", `${filter}ACTIVE`), []);
      assert.deepEqual(await asSeenByApp("app_bot", `${filter}UNINSTALLED`), [answer.json.value]);
      assert.deepEqual(await asSeenByApp("app_bot", filter), [answer.json.value]);
      assert.deepEqual(await placesOf("app_bot"), []);
      assertRefused(await sendTo(target), 403, "400008");
      assert.ok((await (await signIn()).history(conversationId)).length > 0);
    });
    test(`uninstalled again ${what}: nothing changes`, async () => {
      const before = await asSeenByApp("app_bot");
      const answer = await uninstall(body);
      assertSuccess(answer);
      assert.equal(answer.json.value.status, "UNINSTALLED");
      assert.deepEqual(await asSeenByApp("app_bot"), before);
    });
    test(`installed once more ${what}: active with a new time, and sending works again`, async () => {
      world().clock.turn(60_000);
      const answer = await install(body);
      const installation = { ...place, status: "ACTIVE", name, installedAt: world().clock.now() };
      assert.deepEqual(answer.json.value, installation);
      assert.deepEqual((await asSeenByApp("app_bot")).at(-1), installation);
      assertSuccess(await sendTo(target));
      assertSuccess(await uninstall(body));
    });
  }
  test("a group has one installation for all its members, and each of them may end it", async () => {
    const body = { appId: "app_bot", ...TEAM };
    assertSuccess(await install(body, alice));
    assert.deepEqual(await placesOf("app_bot", bob), [TEAM]);
    assertSuccess(await uninstall(body, bob));
    assert.deepEqual(await placesOf("app_bot", alice), []);
  });
  test("a member's installations concern only that member", async () => {
    assertSuccess(await install({ appId: "app_bot", ...ALICE }));
    assertSuccess(await install({ appId: "app_bot", targetType: "USER", targetId: "u_bob" }, bob));
    assert.deepEqual(await placesOf("app_bot", alice), [ALICE]);
    assertSuccess(await uninstall({ appId: "app_bot", targetType: "USER", targetId: "u_bob" }, bob));
    assert.deepEqual(await placesOf("app_bot", alice), [ALICE]);
    assertSuccess(await sendTo(TO_ALICE));
  });

  for (const [what, body, account] of [
    ["another member", { appId: "app_listed", targetType: "USER", targetId: "u_bob" }, alice],
    ["another member who has it", { appId: "app_listed", ...ALICE }, bob],
    ["a member that does not exist", { appId: "app_listed", targetType: "USER", targetId: "u_nobody" }, alice],
    ["the member by username", { appId: "app_listed", targetType: "USER", targetId: "alice" }, alice],
    ["a group of others", { appId: "app_listed", targetType: "GROUP", targetId: "g_other" }, alice],
    ["a group of others that has it", { appId: "app_listed", ...TEAM }, carol],
    ["a group that does not exist", { appId: "app_listed", targetType: "GROUP", targetId: "g_nowhere" }, alice],
    ["the member as a group", { appId: "app_listed", targetType: "GROUP", targetId: "u_alice" }, alice],
    ["a group as a user", { appId: "app_listed", targetType: "USER", targetId: "g_team" }, alice],
    ["an unknown app", { appId: "app_unknown", ...ALICE }, alice],
    ["an app of another tenant", { appId: "app_foreign", ...ALICE }, alice],
    ["a CUSTOMER_SERVICE app", { appId: "app_customer", ...ALICE }, alice],
    ["a MINI_PROGRAM app", { appId: "app_mini", ...ALICE }, alice],
    ["an UNPUBLISHED app", { appId: "app_unpublished", ...ALICE }, alice],
    ["an app IN_REVIEW", { appId: "app_in_review", ...ALICE }, alice],
  ] as const) {
    test(`for ${what}: installing and uninstalling give 403 + 400008 and change nothing`, async () => {
      const before = await rowsOf(body.appId);
      assertRefused(await install(body, account), 403, "400008");
      assertRefused(await uninstall(body, account), 403, "400008");
      assert.deepEqual(await rowsOf(body.appId), before);
    });
  }
  test("a DISABLED app cannot be installed, but can be uninstalled", async () => {
    const body = { appId: "app_disabled", ...ALICE };
    assertRefused(await install(body), 403, "400008");
    assertSuccess(await uninstall(body));
    assertRefused(await install(body), 403, "400008");
    const row = (await rowsOf("app_disabled")).find(({ target_id }) => target_id === "u_alice");
    assert.equal(row?.status, "UNINSTALLED");
  });
  test("the refusal of a foreign target does not reveal whether the app or the target exists", async () => {
    const answers = [
      await install({ appId: "app_listed", targetType: "USER", targetId: "u_bob" }),
      await install({ appId: "app_unknown", targetType: "USER", targetId: "u_bob" }),
      await install({ appId: "app_listed", targetType: "USER", targetId: "u_nobody" }),
      await install({ appId: "app_listed", targetType: "GROUP", targetId: "g_other" }),
      await install({ appId: "app_listed", targetType: "GROUP", targetId: "g_nowhere" }),
    ];
    assert.equal(new Set(answers.map(({ json }) => json.message)).size, 1);
    const ofApps = [];
    for (const appId of ["app_unknown", "app_foreign", "app_customer", "app_in_review"]) {
      ofApps.push((await install({ appId, ...ALICE })).json.message);
    }
    assert.equal(new Set(ofApps).size, 1);
  });
  for (const [what, body, named] of [
    ["no appId", ALICE, "appId"],
    ["an appId that is a number", { ...ALICE, appId: 7 }, "appId"],
    ["an appId with NUL", { ...ALICE, appId: "app\0" }, "appId"],
    ["an appId that is empty", { ...ALICE, appId: "" }, "appId"],
    ["no targetType", { appId: "app_bot", targetId: "u_alice" }, "targetType"],
    ["an illegal targetType", { appId: "app_bot", targetType: "user_id", targetId: "u_alice" }, "targetType"],
    ["no targetId", { appId: "app_bot", targetType: "USER" }, "targetId"],
    ["a targetId that is null", { appId: "app_bot", targetType: "USER", targetId: null }, "targetId"],
    ["a targetId with a lone surrogate", { appId: "app_bot", targetType: "USER", targetId: "\ud800" }, "targetId"],
  ] as const) {
    test(`installing and uninstalling with ${what} give 400 + 400006 naming it`, async () => {
      for (const answer of [await install(body), await uninstall(body)]) {
        assertRefused(answer, 400, "400006");
        assert.ok(answer.json.message.includes(named), answer.json.message);
      }
    });
  }
  test("without a valid token they give 401 + 400001", async () => {
    const answers: Answer[] = [];
    for (const authorization of [null, "Bearer x"]) {
      answers.push(await send(`${world().url}${CLIENT}/bots`, { headers: { authorization } }));
      for (const method of ["POST", "DELETE"]) {
        const headers = { authorization, "content-type": "application/json" };
        const body = JSON.stringify({ appId: "app_bot", ...ALICE });
        answers.push(await send(`${world().url}${CLIENT}/installations`, { method, headers, body }));
      }
    }
    for (const answer of answers) assertRefused(answer, 401, "400001");
  });

  test("20 concurrent installs create one installation, and each answer contains it", async () => {
    const urls = [world().url, engine.name === "postgres" ? (await world().start()).url : world().url];
    const members = await Promise.all(
      [alice, bob].flatMap((account) => urls.map((url) => MemberClient.signIn({ url }, account))),
    );
    const body = { appId: "app_bot", ...TEAM };
    for (let round = 0; round < 3; round++) {
      world().clock.turn(1_000);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => members[n % members.length]?.post("installations", body)),
      );
      const installation = { ...TEAM, status: "ACTIVE", name: "Team", installedAt: world().clock.now() };
      for (const answer of answers) assert.deepEqual(answer?.json.value, installation);
      assert.equal((await rowsOf("app_bot")).filter(({ target_id }) => target_id === "g_team").length, 1);
      assertSuccess(await uninstall(body));
    }
  });
  test("20 concurrent installs and uninstalls leave one installation, and the next answer has its state", async () => {
    const body = { appId: "app_bot", ...TEAM };
    const member = await signIn();
    const one = (_: unknown, n: number) => member.post("installations", body, n % 2 ? "POST" : "DELETE");
    const answers = await Promise.all(Array.from({ length: 20 }, one));
    for (const answer of answers) assertSuccess(answer);
    const rows = (await rowsOf("app_bot")).filter(({ target_id }) => target_id === "g_team");
    assert.equal(rows.length, 1);
    const [installation] = await asSeenByApp("app_bot", "?targetType=GROUP");
    assert.equal(installation.status, rows[0]?.status);
    assert.equal((await sendTo({})).status, installation.status === "ACTIVE" ? 200 : 403);
  });
});
