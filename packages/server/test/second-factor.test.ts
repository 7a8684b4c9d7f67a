import assert from "node:assert/strict";
import { operatedAcme, operator, otherOperator } from "./support/app-life.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import {
  type Account,
  assertConsoleRefused,
  ConsoleClient,
  consoleCall,
  fellow,
  logIn,
  nobody,
  owner,
  refreshTokenOf,
  stranger,
} from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { developerIdOf } from "./support/operator.ts";
import { messengerOf, pollQr, qrToken, withMessengers } from "./support/qr-sign-in.ts";
import { challengeOf, codeAt, STEP_MS, turnOn } from "./support/second-factor.ts";
import { suiteWorld } from "./support/world.ts";

const MINUTE = 60_000;
const WRONG = "验证码错误或已使用";
const ENDED = "登录验证已失效,请重新登录";

onBothEngines("console: the second factor", (engine, test) => {
  const world = suiteWorld(engine, withMessengers(operatedAcme(), nobody));
  const now = () => world().clock.now();
  const pass = (challenge: string, code: string, url = world().url) =>
    consoleCall({ url }, "POST", "auth/second-factor", { body: { challenge, code } });
  const auditOf = async (developerId: string) => {
    const { db } = world().portico.ctx.storage;
    const entries = db.selectFrom("audit_entries").select(["action", "actor_id as actorId"]);
    return await entries.where("target", "=", `developer:${developerId}`).orderBy("audit_id").execute();
  };
  /** Turns it off again, by a code that is later than all that were used. */
  const off = async (account: Account, secret: string) => {
    world().clock.turn(2 * STEP_MS);
    const client = await ConsoleClient.logIn(world(), account);
    await client.ok("DELETE", "me/second-factor", { password: account.password, code: codeAt(secret, now()) }, 204);
  };

  test("it is turned on by password and first code, asked for from then on, and turned off by password and code", async () => {
    const client = await ConsoleClient.logIn(world(), owner);
    assert.deepEqual(await client.ok("GET", "me/second-factor"), {
      enabledAt: null,
      recoveryCodesLeft: 0,
      required: false,
    });
    assertConsoleRefused(await client.call("POST", "me/second-factor", { password: "wrong" }), 403, "当前密码错误");
    assertConsoleRefused(
      await client.call("POST", "me/second-factor/confirm", { code: "123456" }),
      403,
      "二次验证未开启",
    );
    const first = await client.ok("POST", "me/second-factor", { password: owner.password });
    const { secret, uri, qrImage } = await client.ok("POST", "me/second-factor", { password: owner.password });
    assert.notEqual(secret, first.secret);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.equal(new URL(uri).searchParams.get("secret"), secret);
    assert.match(uri, /^otpauth:\/\/totp\/Portico:13800000000\?/);
    assert.match(qrImage, /^data:image\/png;base64,/);
    assert.ok("accessToken" in (await logIn(world(), owner)).json, "a secret that is not confirmed counts for nothing");
    const old = await client.call("POST", "me/second-factor/confirm", { code: codeAt(first.secret, now()) });
    assertConsoleRefused(old, 403, WRONG);

    const { recoveryCodes } = await client.ok("POST", "me/second-factor/confirm", { code: codeAt(secret, now()) });
    assert.equal(new Set(recoveryCodes).size, 10);
    for (const code of recoveryCodes) assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    assert.deepEqual(await client.ok("GET", "me/second-factor"), {
      enabledAt: now(),
      recoveryCodesLeft: 10,
      required: false,
    });
    assertConsoleRefused(
      await client.call("POST", "me/second-factor", { password: owner.password }),
      403,
      "二次验证已开启",
    );

    const answer = (await logIn(world(), owner)).json;
    assert.deepEqual(Object.keys(answer), ["secondFactor"]);
    assert.deepEqual(answer.secondFactor, {
      challenge: answer.secondFactor.challenge,
      step: "code",
      expiresAt: now() + 10 * MINUTE,
    });
    const developerId = (await client.ok("GET", "me")).developerId;
    const dump = JSON.stringify(await dumpTables(world()));
    for (const shown of [
      secret,
      answer.secondFactor.challenge,
      ...recoveryCodes,
      recoveryCodes[0].replaceAll("-", ""),
    ]) {
      assert.ok(!dump.includes(shown), "a secret is stored as it is shown");
    }

    world().clock.turn(STEP_MS);
    const proof = { password: owner.password, code: codeAt(secret, now()) };
    assertConsoleRefused(
      await client.call("DELETE", "me/second-factor", { ...proof, password: "wrong" }),
      403,
      "当前密码错误",
    );
    assertConsoleRefused(await client.call("DELETE", "me/second-factor", { ...proof, code: "000000" }), 403, WRONG);
    await client.ok("DELETE", "me/second-factor", proof, 204);
    assert.ok("accessToken" in (await logIn(world(), owner)).json);
    assertConsoleRefused(await pass(answer.secondFactor.challenge, recoveryCodes[0]), 401, ENDED);
    const actions = (await auditOf(developerId)).map(({ action }) => action);
    assert.deepEqual(
      actions.filter((action) => action.startsWith("second-factor")),
      ["begin", "begin", "enable", "fail", "disable"].map((verb) => `second-factor.${verb}`),
    );
  });

  test("who turns it on may end all other logins with it, and nothing else does", async () => {
    const confirm = async (client: ConsoleClient, others: object) => {
      const { secret } = await client.ok("POST", "me/second-factor", { password: stranger.password });
      await client.ok("POST", "me/second-factor/confirm", { code: codeAt(secret, now()), ...others });
      return secret;
    };
    const client = await ConsoleClient.logIn(world(), stranger);
    const { accessToken } = (await logIn(world(), stranger)).json;
    const headers = { authorization: `Bearer ${accessToken}` };
    const ofOther = async () => (await consoleCall(world(), "GET", "me", { headers })).status;
    const kept = await confirm(client, {});
    assert.equal(await ofOther(), 200);
    world().clock.turn(2 * STEP_MS);
    const proof = { password: stranger.password, code: codeAt(kept, now()) };
    await client.ok("DELETE", "me/second-factor", proof, 204);
    world().clock.turn(STEP_MS);
    const secret = await confirm(client, { endOtherSessions: true });
    assert.equal(await ofOther(), 401);
    await client.ok("GET", "me");
    const { items } = await client.ok("GET", "sessions");
    assert.equal(items.length, 1);
    await off(stranger, secret);
  });

  test("the owner hears at the next sign-in of the wrong codes of others, once", async () => {
    const { secret } = await turnOn(world(), fellow);
    const since = now();
    const theirs = await challengeOf(world(), fellow);
    assertConsoleRefused(await pass(theirs, "000000"), 403, WRONG);
    world().clock.turn(STEP_MS);
    assertConsoleRefused(await pass(theirs, "abcd-abcd-abcd-abcd"), 403, WRONG);
    const mine = await challengeOf(world(), fellow);
    assertConsoleRefused(await pass(mine, "000000"), 403, WRONG);
    const answer = await pass(mine, codeAt(secret, now()));
    assert.deepEqual(answer.json.wrongCodes, { count: 2, since });
    const { db } = world().portico.ctx.storage;
    const entries = db.selectFrom("audit_entries").select("after").where("action", "=", "session.start");
    const { after } = await entries.orderBy("audit_id", "desc").limit(1).executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(after ?? ""), { method: "password", secondFactor: "totp", wrongCodes: 2 });
    world().clock.turn(STEP_MS);
    const again = await challengeOf(world(), fellow);
    assertConsoleRefused(await pass(again, "000000"), 403, WRONG);
    const own = await pass(again, codeAt(secret, now()));
    assert.equal(own.status, 200);
    assert.equal("wrongCodes" in own.json, false, "one's own slips are no news");
    await off(fellow, secret);
  });

  test("a code signs in once, of the step before and after too, and no older one after it; other processes know", async () => {
    const { secret } = await turnOn(world(), fellow);
    const url = engine.name === "postgres" ? (await world().start()).url : world().url;
    world().clock.turn(2 * STEP_MS);
    const before = codeAt(secret, now() - STEP_MS);
    const answer = await pass(await challengeOf(world(), fellow), before, url);
    assert.equal(answer.status, 200, answer.text);
    assert.notEqual(refreshTokenOf(answer), "");
    const { accessToken, developerId } = answer.json;
    const headers = { authorization: `Bearer ${accessToken}` };
    assert.equal((await consoleCall(world(), "GET", "me", { headers })).json.developerId, developerId);
    assertConsoleRefused(await pass(await challengeOf(world(), fellow), before), 403, WRONG);
    assertConsoleRefused(
      await pass(await challengeOf(world(), fellow), codeAt(secret, now() - 2 * STEP_MS)),
      403,
      WRONG,
    );
    assertConsoleRefused(
      await pass(await challengeOf(world(), fellow), codeAt(secret, now() + 2 * STEP_MS)),
      403,
      WRONG,
    );

    const ahead = codeAt(secret, now() + STEP_MS);
    assert.equal(
      (await pass(await challengeOf(world(), fellow), ` ${ahead.slice(0, 3)} ${ahead.slice(3)} `)).status,
      200,
    );
    assertConsoleRefused(await pass(await challengeOf(world(), fellow), codeAt(secret, now())), 403, WRONG);
    await off(fellow, secret);
  });

  test("of parallel uses of one code, and of one recovery code, one wins", async () => {
    const { secret, recoveryCodes } = await turnOn(world(), stranger);
    const urls = engine.name === "postgres" ? [world().url, (await world().start()).url] : [world().url];
    for (const code of [codeAt(secret, now()), recoveryCodes[0] ?? ""]) {
      const challenges = await Promise.all([0, 1, 2, 3].map(() => challengeOf(world(), stranger)));
      const answers = await Promise.all(challenges.map((each, n) => pass(each, code, urls[n % urls.length])));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403, 403]);
      world().clock.turn(11 * MINUTE);
    }
    const challenge = await challengeOf(world(), stranger);
    const same = await Promise.all(
      [recoveryCodes[1] ?? "", recoveryCodes[2] ?? ""].map((code) => pass(challenge, code)),
    );
    assert.deepEqual(same.map(({ status }) => status).sort(), [200, 401], "a challenge is good for one sign-in");
    const client = await ConsoleClient.logIn(world(), stranger);
    assert.equal((await client.ok("GET", "me/second-factor")).recoveryCodesLeft, 8);
    await off(stranger, secret);
  });

  test("recovery codes are taken as people type them, and end with new ones", async () => {
    const { secret, recoveryCodes } = await turnOn(world(), stranger);
    const typed = (recoveryCodes[0] ?? "").toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l");
    assert.equal((await pass(await challengeOf(world(), stranger), typed)).status, 200);
    const client = await ConsoleClient.logIn(world(), stranger);
    const proof = { password: stranger.password, code: codeAt(secret, now()) };
    const renewed = (await client.ok("POST", "me/second-factor/recovery-codes", proof)).recoveryCodes;
    assert.equal(renewed.length, 10);
    assertConsoleRefused(await pass(await challengeOf(world(), stranger), recoveryCodes[1] ?? ""), 403, WRONG);
    assert.equal((await pass(await challengeOf(world(), stranger), renewed[1])).status, 200);
    await off(stranger, secret);
  });

  test("five wrong codes end a sign-in, ten within ten minutes all but by recovery code, and the audit log tells", async () => {
    const { secret, recoveryCodes } = await turnOn(world(), nobody);
    const challenge = await challengeOf(world(), nobody);
    for (let tries = 0; tries < 5; tries++) assertConsoleRefused(await pass(challenge, "000000"), 403, WRONG);
    assertConsoleRefused(await pass(challenge, codeAt(secret, now())), 401, ENDED);
    const second = await challengeOf(world(), nobody);
    for (let tries = 0; tries < 5; tries++) assertConsoleRefused(await pass(second, "not a code"), 403, WRONG);
    const third = await challengeOf(world(), nobody);
    const refused = await pass(third, codeAt(secret, now()));
    assertConsoleRefused(refused, 429, "登录失败次数过多,请稍后再试");
    assert.ok(Number(refused.headers["retry-after"]) > 0);
    const byRecovery = await pass(third, recoveryCodes[0] ?? "");
    assert.equal(byRecovery.status, 200, "who uses the tries up does not shut the owner out");
    const failed = (await auditOf(byRecovery.json.developerId)).filter(({ action }) => action === "second-factor.fail");
    assert.deepEqual(failed, Array(2).fill({ action: "second-factor.fail", actorId: byRecovery.json.developerId }));
    world().clock.turn(10 * MINUTE);
    assert.equal((await pass(await challengeOf(world(), nobody), codeAt(secret, now()))).status, 200);
    await off(nobody, secret);
  });

  test("thirty wrong codes of the app are the most in a day, whatever succeeds between, but for recovery codes", async () => {
    const { secret, recoveryCodes } = await turnOn(world(), nobody);
    for (let round = 0; round < 6; round++) {
      const challenge = await challengeOf(world(), nobody);
      for (let tries = 0; tries < 5; tries++) assertConsoleRefused(await pass(challenge, "000000"), 403, WRONG);
      world().clock.turn(10 * MINUTE);
      if (round === 5) continue;
      assert.equal((await pass(await challengeOf(world(), nobody), codeAt(secret, now()))).status, 200);
    }
    const refused = await pass(await challengeOf(world(), nobody), codeAt(secret, now()));
    assertConsoleRefused(refused, 429, "登录失败次数过多,请稍后再试");
    assert.ok(Number(refused.headers["retry-after"]) > 20 * 3_600);
    assert.equal((await pass(await challengeOf(world(), nobody), recoveryCodes[0] ?? "")).status, 200);
    world().clock.turn(24 * 60 * MINUTE);
    assert.equal((await pass(await challengeOf(world(), nobody), codeAt(secret, now()))).status, 200);
    await off(nobody, secret);
  });

  test("a sign-in waits ten minutes for its code, and ends with the password that began it", async () => {
    const { secret } = await turnOn(world(), nobody);
    const late = await challengeOf(world(), nobody);
    world().clock.turn(10 * MINUTE);
    assertConsoleRefused(await pass(late, codeAt(secret, now())), 401, ENDED);
    const overtaken = await challengeOf(world(), nobody);
    const client = await ConsoleClient.logIn(world(), operator);
    const developerId = await developerIdOf(client, nobody.phone);
    await client.ok("PATCH", `operator/developers/${developerId}`, { password: "another long password" });
    assertConsoleRefused(await pass(overtaken, codeAt(secret, now())), 401, ENDED);
    await client.ok("PATCH", `operator/developers/${developerId}`, { password: nobody.password });
    const disabled = await challengeOf(world(), nobody);
    await client.ok("PATCH", `operator/developers/${developerId}`, { disabled: true });
    assertConsoleRefused(await pass(disabled, codeAt(secret, now())), 401, ENDED);
    await client.ok("PATCH", `operator/developers/${developerId}`, { disabled: false });
    await off(nobody, secret);
  });

  test("a sign-in by QR code that waits for its code ends with an operator's new password, and with the member's logins", async () => {
    const { secret } = await turnOn(world(), nobody);
    const client = await ConsoleClient.logIn(world(), operator);
    const developerId = await developerIdOf(client, nobody.phone);
    for (const end of [
      () => client.ok("PATCH", `operator/developers/${developerId}`, { password: nobody.password }),
      async () => {
        await client.ok("PATCH", `operator/developers/${developerId}`, { disabled: true });
        await client.ok("PATCH", `operator/developers/${developerId}`, { disabled: false });
      },
      async () => assertSuccess(await (await MemberClient.signIn(world(), messengerOf(nobody))).delete("sessions", {})),
    ]) {
      const member = await MemberClient.signIn(world(), messengerOf(nobody));
      const { secondFactor } = (await pollQr(world(), await qrToken(world(), member))).json;
      assert.equal(secondFactor.step, "code");
      await end();
      assertConsoleRefused(await pass(secondFactor.challenge, codeAt(secret, now())), 401, ENDED);
    }
    const byPassword = await challengeOf(world(), nobody);
    const member = await MemberClient.signIn(world(), messengerOf(nobody));
    assertSuccess(await member.delete("sessions", {}));
    assert.equal(
      (await pass(byPassword, codeAt(secret, now()))).status,
      200,
      "it rests on the developer's own password",
    );
    await off(nobody, secret);
  });

  test("an operator resets another's, which ends their logins; not one's own, nor one that is off", async () => {
    const { secret } = await turnOn(world(), fellow);
    const signedIn = await pass(await challengeOf(world(), fellow), codeAt(secret, now()));
    const waiting = await challengeOf(world(), fellow);
    const client = await ConsoleClient.logIn(world(), operator);
    const developerId = await developerIdOf(client, fellow.phone);
    const { items } = await client.ok("GET", `operator/developers?keyword=${fellow.phone}`);
    assert.equal(items[0].secondFactor, true);
    await client.ok("DELETE", `operator/developers/${developerId}/second-factor`, undefined, 204);
    const headers = { authorization: `Bearer ${signedIn.json.accessToken}` };
    assertConsoleRefused(await consoleCall(world(), "GET", "me", { headers }), 401);
    world().clock.turn(STEP_MS);
    assertConsoleRefused(await pass(waiting, codeAt(secret, now())), 401, ENDED);
    assert.ok("accessToken" in (await logIn(world(), fellow)).json);
    assert.deepEqual((await auditOf(developerId)).at(-1), {
      action: "second-factor.reset",
      actorId: await developerIdOf(client, operator.phone),
    });
    const again = await client.call("DELETE", `operator/developers/${developerId}/second-factor`);
    assertConsoleRefused(again, 403, "二次验证未开启");
    const own = await developerIdOf(client, operator.phone);
    const refused = await client.call("DELETE", `operator/developers/${own}/second-factor`);
    assertConsoleRefused(refused, 403, "不能重置自己的二次验证");
    assertConsoleRefused(await client.call("DELETE", "operator/developers/dev_none/second-factor"), 404);
  });
});

onBothEngines("console: a second factor that operators need", (engine, test) => {
  const env = { PORTICO_SIGN_IN_REQUIRE_SECOND_FACTOR: "operators" };
  const world = suiteWorld(engine, withMessengers(operatedAcme(), otherOperator));
  const now = () => world().clock.now();

  test("is set up at the next sign-in, cannot be turned off, and older logins without it end", async () => {
    const before = await logIn(world(), operator);
    const refresh = (answer: typeof before) =>
      consoleCall(world(), "POST", "auth/refresh", {
        headers: { cookie: `open_refresh_token=${refreshTokenOf(answer)}` },
      });
    const developer = await logIn(world(), owner);
    Object.assign(world().env, env);
    await world().restart();
    assertConsoleRefused(await refresh(before), 401, "未登录或登录已过期");
    assert.equal((await refresh(developer)).status, 200);
    assert.ok("accessToken" in (await logIn(world(), owner)).json);

    const { secondFactor } = (await logIn(world(), operator)).json;
    const { challenge } = secondFactor;
    assert.equal(secondFactor.step, "enrol");
    const call = (path: string, body: unknown) => consoleCall(world(), "POST", `auth/second-factor${path}`, { body });
    assertConsoleRefused(await call("", { challenge, code: "123456" }), 401, ENDED);
    assertConsoleRefused(await call("/enrol", { challenge: "unknown" }), 401, ENDED);
    const { secret } = (await call("/enrol", { challenge })).json;
    assertConsoleRefused(await call("/enrol/confirm", { challenge, code: "000000" }), 403, WRONG);
    const confirmed = await call("/enrol/confirm", { challenge, code: codeAt(secret, now()) });
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal(confirmed.json.recoveryCodes.length, 10);
    assert.equal((await refresh(confirmed)).status, 200);
    assertConsoleRefused(await call("/enrol", { challenge }), 401, ENDED);

    world().clock.turn(STEP_MS);
    const proof = { password: operator.password, code: codeAt(secret, now()) };
    const headers = { authorization: `Bearer ${confirmed.json.accessToken}` };
    const offered = await consoleCall(world(), "DELETE", "me/second-factor", { headers, body: proof });
    assertConsoleRefused(offered, 403, "平台要求使用二次验证,不能关闭");
    assert.equal((await logIn(world(), operator)).json.secondFactor.step, "code");
    const byPassword = (await logIn(world(), otherOperator)).json.secondFactor;
    assert.equal(byPassword.step, "enrol");

    // Who holds the other operator's messenger for a moment knows no password.
    const member = await MemberClient.signIn(world(), messengerOf(otherOperator));
    const byQr = (await pollQr(world(), await qrToken(world(), member))).json;
    assert.equal(byQr.accessToken, undefined);
    assert.equal(byQr.secondFactor.step, "enrol");
    const thief = { challenge: byQr.secondFactor.challenge };
    assertConsoleRefused(await call("/enrol", thief), 403, "首次设置二次验证,请使用密码登录");
    for (let secrets = 1; secrets < 5; secrets++) {
      assert.equal((await call("/enrol", { challenge: byPassword.challenge })).status, 200);
    }
    const own = (await call("/enrol", { challenge: byPassword.challenge })).json;
    assertConsoleRefused(await call("/enrol", { challenge: byPassword.challenge }), 401, ENDED);
    const code = codeAt(own.secret, now());
    assertConsoleRefused(await call("/enrol/confirm", { ...thief, code }), 403, "首次设置二次验证,请使用密码登录");
    assert.equal((await call("/enrol/confirm", { challenge: byPassword.challenge, code })).status, 200);
  });
});
