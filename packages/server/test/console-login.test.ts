import assert from "node:assert/strict";
import { DEVELOPER_LOGINS } from "../src/domain/accounts/developer-login-store.ts";
import { startSession } from "../src/domain/accounts/developer-session.ts";
import {
  type Account,
  assertConsoleRefused,
  CONSOLE,
  consoleAcme,
  consoleCall,
  fellow,
  logIn,
  ownedApp,
  owner,
  refreshTokenOf,
} from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import type { Answer } from "./support/http.ts";
import { suiteWorld } from "./support/world.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const PROTECTED = "apps/app_bot/subscriptions";

onBothEngines("console: logging in", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")));
  /** The status of a protected call with an access token. */
  const statusWith = async (accessToken: string, url = world().url) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await consoleCall({ url }, "GET", PROTECTED, { headers })).status;
  };
  const withCookie = (path: string, token: string, url = world().url) =>
    consoleCall({ url }, "POST", path, { headers: { cookie: `open_refresh_token=${token}` } });
  const refresh = (token: string, url?: string) => withCookie("auth/refresh", token, url);
  const logOut = (token: string, url?: string) => withCookie("auth/logout", token, url);
  const enter = async (account: Account = owner) => {
    const answer = await logIn(world(), account);
    assert.equal(answer.status, 200, answer.text);
    return { accessToken: answer.json.accessToken as string, refreshToken: refreshTokenOf(answer) };
  };
  /** The URL of another process, if there can be one. */
  const secondUrl = async () => (engine.name === "postgres" ? (await world().start()).url : world().url);

  test("the right password returns a token for 7,200 seconds, its expiry, the developer and the refresh cookie", async () => {
    const answer = await logIn(world(), owner);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(answer.json), ["accessToken", "expiresAt", "developerId"]);
    assert.match(answer.json.accessToken, /^[\w-]{43}$/);
    assert.equal(answer.json.expiresAt, world().clock.now() + 7_200_000);
    assert.match(answer.json.developerId, /^dev_/);
    assert.equal(answer.headers["cache-control"], "no-store");

    const [cookie = "", ...others] = answer.headers["set-cookie"] ?? [];
    assert.deepEqual(others, []);
    const [value = "", ...attributes] = cookie.split("; ");
    assert.match(value, /^open_refresh_token=[\w-]{64}$/);
    assert.deepEqual(attributes.sort(), [
      "HttpOnly",
      "Max-Age=2592000",
      `Path=${CONSOLE}/auth`,
      "SameSite=Strict",
      "Secure",
    ]);
    assert.equal(await statusWith(answer.json.accessToken), 200);
  });
  test("the same phone number in another channel is another developer", async () => {
    const [one, two] = [await logIn(world(), owner), await logIn(world(), inChannel2)];
    assert.deepEqual([one.status, two.status], [200, 200]);
    assert.notEqual(one.json.developerId, two.json.developerId);
  });
  test("a wrong password, an unknown phone or channel, and a developer without password get the same answer", async () => {
    const answers: Answer[] = [];
    for (const wrong of [
      { ...owner, password: fellow.password },
      { ...owner, phone: "13899999999" },
      { ...owner, channelId: 2 },
      { ...owner, channelId: 7 },
      { phone: "13800000004", password: "undefined", channelId: 1 },
      { phone: "13800000004", password: "null", channelId: 1 },
      { phone: "alice", password: "alice's password", channelId: 1 },
    ]) {
      answers.push(await logIn(world(), wrong));
    }
    for (const answer of answers) {
      assertConsoleRefused(answer, 401, answers[0]?.json.message);
      assert.equal(answer.headers["set-cookie"], undefined);
    }
  });
  for (const [what, body, named] of [
    ["no phone", { ...owner, phone: undefined }, "phone"],
    ["no password", { ...owner, password: undefined }, "password"],
    ["no channelId", { ...owner, channelId: undefined }, "channelId"],
    ["an empty phone", { ...owner, phone: "" }, "phone"],
    ["an empty password", { ...owner, password: "" }, "password"],
    ["a phone that is a number", { ...owner, phone: 13800000000 }, "phone"],
    ["a phone with NUL", { ...owner, phone: "1380\u0000" }, "phone"],
    ["a phone of 129 characters", { ...owner, phone: "1".repeat(129) }, "phone"],
    ["a password of 1,025 characters", { ...owner, password: "x".repeat(1_025) }, "password"],
    ["a channelId that is a text", { ...owner, channelId: "1" }, "channelId"],
    ["a channelId with a fraction", { ...owner, channelId: 1.5 }, "channelId"],
    ["a channelId wider than the column", { ...owner, channelId: 2 ** 31 }, "channelId"],
  ] as const) {
    test(`${what} is refused with a message naming it`, async () => {
      assertConsoleRefused(await logIn(world(), body), 400, new RegExp(named));
    });
  }

  test("ten failures in ten minutes: 429 with Retry-After for this phone and channel, until they have aged", async () => {
    const account = { ...owner, phone: "13811111111" };
    for (let n = 0; n < 10; n++) assertConsoleRefused(await logIn(world(), { ...account, password: `${n}` }), 401);
    const refused = await logIn(world(), account);
    assertConsoleRefused(refused, 429);
    assert.equal(refused.headers["retry-after"], "600");
    assertConsoleRefused(await logIn(world(), { ...account, channelId: 2 }), 401);
    assert.equal((await logIn(world(), fellow)).status, 200);
    world().clock.turn(10 * MINUTE);
    assertConsoleRefused(await logIn(world(), account), 401);
  });
  test("after ten failures the right password is refused, too; an earlier success clears the failures before it", async () => {
    const fail = (n: number) => logIn(world(), { ...fellow, password: `${n}` });
    for (let n = 0; n < 9; n++) assertConsoleRefused(await fail(n), 401);
    assert.equal((await logIn(world(), fellow)).status, 200);
    for (let n = 0; n < 10; n++) assertConsoleRefused(await fail(n), 401);
    assertConsoleRefused(await logIn(world(), fellow), 429);
    world().clock.turn(10 * MINUTE);
    assert.equal((await logIn(world(), fellow)).status, 200);
  });

  test("an access token is valid for 7,200 seconds", async () => {
    const { accessToken } = await enter();
    world().clock.turn(2 * HOUR - 1);
    assert.equal(await statusWith(accessToken), 200);
    world().clock.turn(1);
    assert.equal(await statusWith(accessToken), 401);
  });
  test("a missing, malformed or altered access token, another scheme, a refresh token and a member's token are refused", async () => {
    const { accessToken, refreshToken } = await enter();
    for (const authorization of [
      null,
      "",
      "Bearer",
      "Bearer garbage",
      `Bearer ${accessToken}A`,
      `Bearer ${accessToken.slice(1)}`,
      `Basic ${accessToken}`,
      accessToken,
      `Bearer ${refreshToken}`,
    ]) {
      const answer = await consoleCall(world(), "GET", PROTECTED, { headers: { authorization } });
      assertConsoleRefused(answer, 401, "未登录或登录已过期");
    }
  });

  test("refresh answers like login, with a new cookie", async () => {
    const first = await enter();
    world().clock.turn(2 * HOUR);
    const answer = await refresh(first.refreshToken);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(answer.json), ["accessToken", "expiresAt", "developerId"]);
    assert.equal(answer.json.expiresAt, world().clock.now() + 7_200_000);
    assert.match(answer.headers["set-cookie"]?.[0] ?? "", /Max-Age=2592000; HttpOnly; Secure; SameSite=Strict; Path=/);
    assert.notEqual(refreshTokenOf(answer), first.refreshToken);
    assert.equal(await statusWith(answer.json.accessToken), 200);
    assert.equal((await refresh(refreshTokenOf(answer))).status, 200);
  });
  test("other tabs' access tokens stay valid after a refresh", async () => {
    const { accessToken, refreshToken } = await enter();
    assert.equal((await refresh(refreshToken)).status, 200);
    assert.equal(await statusWith(accessToken), 200);
  });
  test("the cookie is found among other cookies", async () => {
    const { refreshToken } = await enter();
    const cookie = `x=1; not_open_refresh_token=a; open_refresh_token=${refreshToken}; y="open_refresh_token=b"`;
    const answer = await consoleCall(world(), "POST", "auth/refresh", { headers: { cookie } });
    assert.equal(answer.status, 200, answer.text);
  });
  test("two refresh cookies are refused, because another host may have set one; neither is used up", async () => {
    const [mine, planted] = [await enter(), await enter()];
    const cookie = `open_refresh_token=${planted.refreshToken}; open_refresh_token=${mine.refreshToken}`;
    const answer = await consoleCall(world(), "POST", "auth/refresh", { headers: { cookie } });
    assert.equal(answer.status, 401, answer.text);
    for (const { refreshToken } of [mine, planted]) assert.equal((await refresh(refreshToken)).status, 200);
  });
  test("a refresh cookie is valid for 30 days, and each refresh gives 30 more", async () => {
    const { refreshToken } = await enter();
    world().clock.turn(30 * DAY - 1);
    const renewed = await refresh(refreshToken);
    assert.equal(renewed.status, 200);
    world().clock.turn(30 * DAY - 1);
    const again = await refresh(refreshTokenOf(renewed));
    assert.equal(again.status, 200);
    world().clock.turn(30 * DAY);
    assertConsoleRefused(await refresh(refreshTokenOf(again)), 401);
  });
  test("refresh without a cookie, or with an unknown one, is 401", async () => {
    assertConsoleRefused(await consoleCall(world(), "POST", "auth/refresh"), 401);
    for (const token of ["", "garbage", "A".repeat(64), "A".repeat(10_000), "%00"]) {
      assertConsoleRefused(await refresh(token), 401, "未登录或登录已过期");
    }
  });
  test("logout ends access and refresh at once in every process, and removes the cookie", async () => {
    const url = await secondUrl();
    const { accessToken, refreshToken } = await enter();
    assert.equal(await statusWith(accessToken, url), 200);
    const answer = await logOut(refreshToken);
    assert.deepEqual([answer.status, answer.text], [204, ""]);
    assert.match(answer.headers["set-cookie"]?.[0] ?? "", /^open_refresh_token=; Max-Age=0; .*Path=\/api\/open/);
    for (const each of [world().url, url]) {
      assert.equal(await statusWith(accessToken, each), 401);
      assertConsoleRefused(await refresh(refreshToken, each), 401);
    }
  });
  test("logout with an old cookie ends the login as well; without a cookie, or repeated, it does nothing", async () => {
    const { accessToken, refreshToken } = await enter();
    assert.equal((await refresh(refreshToken)).status, 200);
    assert.equal((await logOut(refreshToken)).status, 204);
    assert.equal(await statusWith(accessToken), 401);
    assert.equal((await logOut(refreshToken)).status, 204);
    assert.equal((await consoleCall(world(), "POST", "auth/logout")).status, 204);
  });
  test("a concurrent logout and refreshes leave no token, whatever their order", async () => {
    const url = await secondUrl();
    for (let round = 0; round < 10; round++) {
      const { accessToken, refreshToken } = await enter();
      const [renewed] = await Promise.all([refresh(refreshToken), logOut(refreshToken, url)]);
      assert.equal(await statusWith(accessToken), 401);
      if (renewed.status === 200) {
        assert.equal(await statusWith(renewed.json.accessToken), 401);
        assertConsoleRefused(await refresh(refreshTokenOf(renewed)), 401);
      }
    }
  });

  test("the database contains only hashes of tokens and cookies", async () => {
    const { accessToken, refreshToken } = await enter();
    const dump = JSON.stringify(await dumpTables(world()));
    for (const secret of [accessToken, refreshToken, refreshToken.slice(0, 24), refreshToken.slice(24)]) {
      assert.ok(!dump.includes(secret));
    }
  });
  test("a developer has at most 100 logins, and a login 20 access tokens: the oldest are removed", async () => {
    const { db } = world().portico.ctx.storage;
    const oldest = await enter();
    world().clock.turn(1);
    const { developerId } = (await logIn(world(), owner)).json;
    const tokens: string[] = [];
    for (let n = 0; n < 99; n++) {
      world().clock.turn(1);
      // Without the password check, which takes time.
      tokens.push(
        (await startSession(world().portico.ctx, developerId, { address: "127.0.0.1", userAgent: "test" })).login
          .accessToken,
      );
    }
    assert.equal(await statusWith(oldest.accessToken), 401);
    for (const token of tokens) assert.equal(await statusWith(token), 200);
    const logins = db.selectFrom("console_logins").select("login_id").where("developer_id", "=", developerId);
    assert.equal((await logins.execute()).length, 100);

    const first = await enter();
    let { accessToken, refreshToken } = first;
    for (let n = 0; n < 20; n++) {
      world().clock.turn(1);
      const renewed = await refresh(refreshToken);
      refreshToken = refreshTokenOf(renewed);
      accessToken = renewed.json.accessToken;
    }
    assert.equal(await statusWith(first.accessToken), 401);
    assert.equal(await statusWith(accessToken), 200);
  });
  test("the sweep deletes access tokens after two hours and logins after 30 days", async () => {
    const { storage } = world().portico.ctx;
    const count = async (table: "console_logins" | "console_access_tokens") =>
      (await storage.db.selectFrom(table).selectAll().execute()).length;
    await enter();
    world().clock.turn(2 * HOUR);
    await DEVELOPER_LOGINS.sweep(storage, world().clock.now());
    assert.equal(await count("console_access_tokens"), 0);
    assert.ok((await count("console_logins")) > 0);
    const { accessToken } = await enter();
    world().clock.turn(HOUR);
    await DEVELOPER_LOGINS.sweep(storage, world().clock.now());
    assert.equal(await statusWith(accessToken), 200);
    world().clock.turn(30 * DAY);
    await world().portico.ctx.storage.synced();
    await DEVELOPER_LOGINS.sweep(storage, world().clock.now());
    assert.deepEqual([await count("console_logins"), await count("console_access_tokens")], [0, 0]);
  });
});

onBothEngines("console: lives of tokens as configured", (engine, test) => {
  const env = { PORTICO_CONSOLE_ACCESS_TOKEN_TTL: "10m", PORTICO_CONSOLE_REFRESH_TTL: "1m" };
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")), env);

  test("an access token that expires after the cookie is swept neither before nor with it", async () => {
    const answer = await logIn(world(), owner);
    assert.match(answer.headers["set-cookie"]?.[0] ?? "", /; Max-Age=60; /);
    assert.equal(answer.json.expiresAt, world().clock.now() + 600_000);
    world().clock.turn(599_999);
    await DEVELOPER_LOGINS.sweep(world().portico.ctx.storage, world().clock.now());
    const headers = { authorization: `Bearer ${answer.json.accessToken}` };
    assert.equal((await consoleCall(world(), "GET", PROTECTED, { headers })).status, 200);
  });
});

const inChannel2 = { ...owner, password: "the password in channel 2", channelId: 2 };
