import assert from "node:assert/strict";
import { alice, bob } from "./support/acme.ts";
import { atOnce, operatedAcme } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { fellow, ownedApp } from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { exchange, miniApp, newCode, SESSION } from "./support/miniapp.ts";
import { suiteWorld } from "./support/world.ts";

const CODE_TTL_MS = 120_000;
const SESSION_LIFE_MS = 2 * 3_600_000;
const UNKNOWN_CODE = "登录码无效或已过期";

/** Two mini-programs of one developer, one of another, and two without an owner. */
function miniAcme() {
  return operatedAcme(
    miniApp("app_mini"),
    miniApp("app_sister"),
    miniApp("app_fellow", { owner: fellow.phone }),
    miniApp("app_alone", { owner: undefined }),
    miniApp("app_lonely", { owner: undefined }),
    ownedApp("app_bot"),
  );
}

onBothEngines("mini-program: sessions", (engine, test) => {
  const world = suiteWorld(engine, miniAcme());
  const sessionOf = async (account: typeof alice, appId: string) => {
    const code = await newCode(await MemberClient.signIn(world(), account), appId);
    const answer = await exchange(world(), appId, code);
    assertSuccess(answer);
    return answer.json.value;
  };
  const codeOf = async (appId = "app_mini") => newCode(await MemberClient.signIn(world(), alice), appId);
  const startSecond = async () => {
    if (engine.name === "postgres" && world().all.length === 1) await world().start();
  };

  test("a code is exchanged for an openId, a unionId, a key and an expiry, without any scope", async () => {
    const { openId, unionId, sessionKey, expiresAt, ...rest } = await sessionOf(alice, "app_mini");
    assert.match(openId, /^o_[\da-f]{32}$/);
    assert.match(unionId, /^un_[\da-f]{32}$/);
    assert.match(sessionKey, /^[\w-]{43}$/);
    assert.equal(expiresAt, world().clock.now() + SESSION_LIFE_MS);
    assert.deepEqual(rest, {});
  });

  test("a code can be exchanged once", async () => {
    const code = await codeOf();
    assertSuccess(await exchange(world(), "app_mini", code));
    assertRefused(await exchange(world(), "app_mini", code), 403, "400008", UNKNOWN_CODE);
  });
  test("of 50 concurrent calls with one code, at all processes, one succeeds", async () => {
    await startSecond();
    for (let round = 0; round < 3; round++) {
      const code = await codeOf();
      const answers = await atOnce(world(), 50, (url) => exchange(world(), "app_mini", code, { url }));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        assertRefused(answer, 403, "400008", UNKNOWN_CODE);
      }
    }
  });
  test("a code is valid for less than 120 seconds", async () => {
    const [early, late] = [await codeOf(), await codeOf()];
    world().clock.turn(CODE_TTL_MS - 1);
    assertSuccess(await exchange(world(), "app_mini", early));
    world().clock.turn(1);
    assertRefused(await exchange(world(), "app_mini", late), 403, "400008", UNKNOWN_CODE);
  });
  test("another application's code is refused, also of the same developer or when tried by a bot, and stays valid", async () => {
    const code = await codeOf();
    for (const appId of ["app_sister", "app_fellow", "app_alone", "app_bot"]) {
      assertRefused(await exchange(world(), appId, code), 403, "400008", UNKNOWN_CODE);
    }
    assertSuccess(await exchange(world(), "app_mini", code));
  });
  test("a code that never existed is refused in the same way, whatever its form", async () => {
    const code = await codeOf();
    for (const other of ["A".repeat(43), "x", ` ${code}`, `${code}=`, code.slice(1), "x".repeat(10_000), "码"]) {
      assertRefused(await exchange(world(), "app_mini", other), 403, "400008", UNKNOWN_CODE);
    }
    assertSuccess(await exchange(world(), "app_mini", code));
  });
  for (const [what, code] of [
    ["no code", undefined],
    ["a code of null", null],
    ["an empty code", ""],
    ["a code that is a number", 1],
    ["a code that is a list", ["x"]],
    ["a code with NUL", "x\u0000"],
  ] as const) {
    test(`${what} is refused with a message naming it`, async () => {
      const answer = await exchange(world(), "app_mini", code);
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes("code"), answer.json.message);
    });
  }
  test("a call that is refused before its code is checked does not use the code", async () => {
    const code = await codeOf();
    assertRefused(await exchange(world(), "app_mini", code, { signedBody: "{}" }), 401, "400001");
    assertRefused(await exchange(world(), "app_mini", code, { headers: { accept: "text/html" } }), 406, "406001");
    assertRefused(
      await exchange(world(), "app_mini", code, { headers: { "content-type": "text/plain" } }),
      415,
      "415001",
    );
    assertSuccess(await exchange(world(), "app_mini", code));
  });
  test("the code of a member who is disabled, or now in another tenant, is refused", async () => {
    const { storage } = world().portico.ctx;
    const change = (set: { disabled?: number; tenant_id?: string }) =>
      storage.write(async (tx) => {
        await tx.updateTable("members").set(set).where("user_id", "=", "u_alice").execute();
      });
    const code = await codeOf();
    for (const [set, back] of [
      [{ disabled: 1 }, { disabled: 0 }],
      [{ tenant_id: "t_other" }, { tenant_id: "t_acme" }],
    ] as const) {
      await change(set);
      const answer = await exchange(world(), "app_mini", code);
      await change(back);
      assertRefused(answer, 403, "400008", UNKNOWN_CODE);
    }
    assertSuccess(await exchange(world(), "app_mini", code));
  });

  test("the same member has the same ids each time, and another key", async () => {
    const first = await sessionOf(alice, "app_mini");
    world().clock.turn(SESSION_LIFE_MS);
    const second = await sessionOf(alice, "app_mini");
    assert.deepEqual([second.openId, second.unionId], [first.openId, first.unionId]);
    assert.notEqual(second.sessionKey, first.sessionKey);
  });
  test("another member has other ids, which reveal nothing about the account", async () => {
    const [one, other] = [await sessionOf(alice, "app_mini"), await sessionOf(bob, "app_mini")];
    assert.notEqual(one.openId, other.openId);
    assert.notEqual(one.unionId, other.unionId);
    assert.doesNotMatch(JSON.stringify([one, other]), /alice|bob/);
  });
  test("applications of one developer share the unionId and nothing else; those of another developer share nothing", async () => {
    const mini = await sessionOf(alice, "app_mini");
    const sister = await sessionOf(alice, "app_sister");
    const foreign = await sessionOf(alice, "app_fellow");
    assert.equal(sister.unionId, mini.unionId);
    assert.notEqual(sister.openId, mini.openId);
    assert.notEqual(foreign.unionId, mini.unionId);
    assert.notEqual(foreign.openId, mini.openId);
  });
  test("applications without owner each have a unionId of their own, the same each time", async () => {
    const [alone, lonely] = [await sessionOf(alice, "app_alone"), await sessionOf(alice, "app_lonely")];
    assert.notEqual(alone.unionId, lonely.unionId);
    assert.equal((await sessionOf(alice, "app_alone")).unionId, alone.unionId);
  });
  test("concurrent first exchanges, in two applications of a developer and at all processes, give the same ids", async () => {
    await startSecond();
    const carol = { ...alice, username: "carol", password: "carol's password" };
    const client = await MemberClient.signIn(world(), carol);
    // Processes alternate with each call, applications with every second.
    const calls: { appId: string; code: string }[] = [];
    for (let n = 0; n < 16; n++) {
      const appId = n % 4 < 2 ? "app_mini" : "app_sister";
      calls.push({ appId, code: await newCode(client, appId) });
    }
    const answers = await atOnce(world(), calls.length, (url, n) =>
      exchange(world(), calls[n]?.appId ?? "", calls[n]?.code, { url }),
    );
    for (const answer of answers) assertSuccess(answer);
    assert.equal(new Set(answers.map(({ json }) => json.value.unionId)).size, 1);
    assert.equal(new Set(answers.map(({ json }) => json.value.openId)).size, 2);
    assert.equal(new Set(answers.map(({ json }) => json.value.sessionKey)).size, 16);
  });
  test("ids stay the same after a restart", async () => {
    const before = await sessionOf(bob, "app_mini");
    await world().restart();
    const after = await sessionOf(bob, "app_mini");
    assert.deepEqual([after.openId, after.unionId], [before.openId, before.unionId]);
  });

  test("neither the code nor the key is in the database, the log, the request log or the audit log", async () => {
    const code = await codeOf();
    assertRefused(await exchange(world(), "app_mini", code, { signedBody: "{}" }), 401, "400001");
    assertRefused(await exchange(world(), "app_sister", code), 403, "400008");
    const answer = await exchange(world(), "app_mini", code);
    assertSuccess(answer);
    assertRefused(await exchange(world(), "app_mini", code), 403, "400008");
    await world().portico.ctx.requestLog.flush();
    const dump = await dumpTables(world());
    for (const expected of ["400001", "400008", "000000"]) {
      assert.ok(
        dump.requests?.some((row) => row.path === SESSION && row.code === expected),
        expected,
      );
    }
    const text = JSON.stringify(dump) + world().logLines.join("");
    for (const secret of [code, answer.json.value.sessionKey]) assert.ok(!text.includes(secret), "a secret was kept");
  });
  test("the request log contains the reason why a code was refused", async () => {
    const reasonFor = async (code: string, appId = "app_mini") => {
      const { reqNo } = (await exchange(world(), appId, code)).json;
      await world().portico.ctx.requestLog.flush();
      const { db } = world().portico.ctx.storage;
      const row = db.selectFrom("requests").select("detail").where("req_no", "=", reqNo);
      return JSON.parse((await row.executeTakeFirstOrThrow()).detail ?? "{}").reason;
    };
    const [used, late] = [await codeOf(), await codeOf()];
    assert.equal(await reasonFor(used, "app_sister"), "the login code was made for another application");
    assertSuccess(await exchange(world(), "app_mini", used));
    assert.equal(await reasonFor(used), "the login code is unknown, or has been used");
    world().clock.turn(CODE_TTL_MS + 5);
    assert.equal(await reasonFor(late), "the login code expired 5 ms ago");
  });
});
