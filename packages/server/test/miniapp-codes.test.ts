import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Maintenance } from "../src/service/maintenance.ts";
import { alice, bob } from "./support/acme.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT } from "./support/client-acme.ts";
import { ConsoleClient, ownedApp } from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { exchange, miniApp, newCode } from "./support/miniapp.ts";
import { suiteWorld } from "./support/world.ts";

const CODE_TTL_MS = 120_000;
const MAX_LIVE = 10;
const UNKNOWN_APP = "小程序不存在或未启用";
const UNKNOWN_CODE = "登录码无效或已过期";

/** Acme's mini-programs in each state, one of another tenant, and applications of other types. */
function miniAcme() {
  return operatedAcme(
    miniApp("app_mini"),
    miniApp("app_second"),
    miniApp("app_stopped"),
    miniApp("app_unpublished", { status: "UNPUBLISHED" }),
    miniApp("app_in_review", { status: "IN_REVIEW" }),
    miniApp("app_disabled", { status: "DISABLED" }),
    miniApp("app_foreign", { tenant: "t_other" }),
    ownedApp("app_bot"),
    miniApp("app_service", { type: "CUSTOMER_SERVICE" }),
  );
}

onBothEngines("mini-program: login codes", (engine, test) => {
  const world = suiteWorld(engine, miniAcme());
  const ofAlice = () => MemberClient.signIn(world(), alice);
  const ask = async (body: unknown): Promise<Answer> => (await ofAlice()).post("miniapp/code", body);
  const keptOf = async (userId: string, appId: string) => {
    const { db } = world().portico.ctx.storage;
    const kept = db.selectFrom("miniapp_codes").selectAll().where("user_id", "=", userId).where("app_id", "=", appId);
    return await kept.execute();
  };

  test("a member gets a new code of 32 random bytes each time, with its expiry", async () => {
    const answers = [await ask({ appId: "app_mini" }), await ask({ appId: "app_mini" })];
    for (const answer of answers) {
      assertSuccess(answer);
      const { code, ...rest } = answer.json.value;
      assert.match(code, /^[\w-]{43}$/);
      assert.deepEqual(rest, { expiresAt: world().clock.now() + CODE_TTL_MS });
    }
    assert.notEqual(answers[0]?.json.value.code, answers[1]?.json.value.code);
  });
  for (const [what, appId] of [
    ["an application that does not exist", "app_nowhere"],
    ["a bot", "app_bot"],
    ["a customer-service application", "app_service"],
    ["a mini-program of another tenant", "app_foreign"],
    ["an UNPUBLISHED mini-program", "app_unpublished"],
    ["a mini-program that is IN_REVIEW", "app_in_review"],
    ["a DISABLED mini-program", "app_disabled"],
  ] as const) {
    test(`there is no code for ${what}: 403 + 400008`, async () => {
      assertRefused(await ask({ appId }), 403, "400008", UNKNOWN_APP);
    });
  }
  for (const [what, body] of [
    ["no appId", {}],
    ["an empty appId", { appId: "" }],
    ["an appId that is a number", { appId: 1 }],
    ["an appId of 129 characters", { appId: "a".repeat(129) }],
    ["an appId with NUL", { appId: "app\u0000" }],
  ] as const) {
    test(`${what} is refused with a message naming it`, async () => {
      const answer = await ask(body);
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes("appId"), answer.json.message);
    });
  }
  test("a caller who is not signed in gets no code", async () => {
    const body = JSON.stringify({ appId: "app_mini" });
    const headers = { "content-type": "application/json" };
    assertRefused(await send(`${world().url}${CLIENT}/miniapp/code`, { method: "POST", headers, body }), 401, "400001");
  });
  test("the database stores only the hash of a code", async () => {
    const code = await newCode(await ofAlice(), "app_mini");
    const hash = createHash("sha256").update(code).digest("base64url");
    assert.ok((await keptOf("u_alice", "app_mini")).some((row) => row.code_hash === hash));
    assert.ok(!JSON.stringify(await dumpTables(world())).includes(code));
  });

  test("of more than ten codes of a member for an application the newest ten can be exchanged", async () => {
    const member = await MemberClient.signIn(world(), bob);
    const other = await newCode(member, "app_second");
    const codes: string[] = [];
    for (let n = 0; n < MAX_LIVE + 3; n++) {
      world().clock.turn(1);
      codes.push(await newCode(member, "app_mini"));
    }
    assert.equal((await keptOf("u_bob", "app_mini")).length, MAX_LIVE);
    for (const code of codes.slice(0, 3)) {
      assertRefused(await exchange(world(), "app_mini", code), 403, "400008", UNKNOWN_CODE);
    }
    for (const code of codes.slice(3)) assertSuccess(await exchange(world(), "app_mini", code));
    assertSuccess(await exchange(world(), "app_second", other));
  });
  test("of 40 codes requested concurrently at most ten remain, and the next one is valid", async () => {
    const member = await MemberClient.signIn(world(), bob);
    await Promise.all(Array.from({ length: 40 }, () => newCode(member, "app_mini")));
    assert.equal((await keptOf("u_bob", "app_mini")).length, MAX_LIVE);
    assertSuccess(await exchange(world(), "app_mini", await newCode(member, "app_mini")));
  });

  const sweep = async () => {
    const maintenance = new Maintenance(world().portico.ctx);
    await maintenance.run();
    await maintenance.close();
  };
  test("the sweep removes codes after their expiry, not before", async () => {
    const code = await newCode(await ofAlice(), "app_mini");
    world().clock.turn(CODE_TTL_MS - 1);
    await sweep();
    assertSuccess(await exchange(world(), "app_mini", code));
    await newCode(await ofAlice(), "app_mini");
    world().clock.turn(CODE_TTL_MS);
    await sweep();
    assert.deepEqual((await dumpTables(world())).miniapp_codes, []);
  });

  test("a disabled mini-program gets no new codes, and its existing ones are refused by the gate", async () => {
    const client = await ConsoleClient.logIn(world(), operator);
    const code = await newCode(await ofAlice(), "app_stopped");
    await client.ok("POST", "operator/apps/app_stopped/disable", { reason: "test" });
    assertRefused(await ask({ appId: "app_stopped" }), 403, "400008", UNKNOWN_APP);
    assertRefused(await exchange(world(), "app_stopped", code), 403, "400005");
    await client.ok("POST", "operator/apps/app_stopped/enable");
    assertSuccess(await exchange(world(), "app_stopped", code));
  });
  test("disabling a member ends all codes permanently", async () => {
    const client = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    const carol = await MemberClient.signIn(world(), { ...alice, username: "carol", password: "carol's password" });
    const code = await newCode(carol, "app_mini");
    await client.ok("PATCH", "operator/members/u_carol", { disabled: true });
    assertRefused(await carol.post("miniapp/code", { appId: "app_mini" }), 401, "400001");
    assertRefused(await exchange(world(), "app_mini", code), 403, "400008", UNKNOWN_CODE);
    await client.ok("PATCH", "operator/members/u_carol", { disabled: false });
    assertRefused(await exchange(world(), "app_mini", code), 403, "400008", UNKNOWN_CODE);
  });
});
