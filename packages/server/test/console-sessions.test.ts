import assert from "node:assert/strict";
import {
  type Account,
  assertConsoleRefused,
  CONSOLE,
  ConsoleClient,
  consoleAcme,
  consoleCall,
  fellow,
  logIn,
  nobody,
  ownedApp,
  owner,
  refreshTokenOf,
} from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { suiteWorld } from "./support/world.ts";

/** So long a token that was just rotated still answers (docs/contract/console.md#signing-in). */
const GRACE_MS = 10_000;

const DAY = 86_400_000;

onBothEngines("console: who is signed in, and by which logins", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")));
  const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });
  const statusWith = async (accessToken: string, url = world().url) =>
    (await consoleCall({ url }, "GET", "me", { headers: bearer(accessToken) })).status;
  const refresh = (token: string, { url = world().url, userAgent = "second" } = {}) =>
    consoleCall({ url }, "POST", "auth/refresh", {
      headers: { cookie: `open_refresh_token=${token}`, "user-agent": userAgent },
    });
  /** Logs in from a browser. */
  const enter = async (account: Account, userAgent = "first") => {
    const answer = await send(`${world().url}${CONSOLE}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": userAgent },
      body: JSON.stringify(account),
    });
    assert.equal(answer.status, 200, answer.text);
    const { accessToken, developerId } = answer.json;
    return { accessToken: String(accessToken), developerId: String(developerId), refreshToken: refreshTokenOf(answer) };
  };
  const sessionsOf = async (accessToken: string, url = world().url) => {
    const answer = await consoleCall({ url }, "GET", "sessions", { headers: bearer(accessToken) });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.items;
  };
  /** The id of the login that an access token belongs to. */
  const currentOf = async (accessToken: string): Promise<string> =>
    (await sessionsOf(accessToken)).find((each: { current: boolean }) => each.current).sessionId;
  const revoke = (accessToken: string, sessionId: string, url = world().url) =>
    consoleCall({ url }, "DELETE", `sessions/${sessionId}`, { headers: bearer(accessToken) });
  const secondUrl = async () => (engine.name === "postgres" ? (await world().start()).url : world().url);
  const auditOf = async (target: string) => {
    const { db } = world().portico.ctx.storage;
    const entries = db.selectFrom("audit_entries").select(["action", "actor_id", "address", "before", "after"]);
    return await entries.where("target", "=", target).orderBy("audit_id").execute();
  };

  test("me is the signed-in developer, with tenants in order", async () => {
    const client = await ConsoleClient.logIn(world(), fellow);
    const me = await client.ok("GET", "me");
    assert.deepEqual(me, {
      developerId: me.developerId,
      phone: fellow.phone,
      channelId: 1,
      name: "Fellow",
      operator: false,
      tenants: [
        { tenantId: "t_acme", name: "Acme" },
        { tenantId: "t_other", name: "Other" },
      ],
    });
    assert.match(me.developerId, /^dev_/);
    assert.deepEqual((await (await ConsoleClient.logIn(world(), nobody)).ok("GET", "me")).tenants, []);
  });
  test("me and sessions need a login", async () => {
    for (const [method, path] of [
      ["GET", "me"],
      ["GET", "sessions"],
      ["DELETE", "sessions/ses_1"],
    ] as const) {
      assertConsoleRefused(await consoleCall(world(), method, path), 401, "未登录或登录已过期");
    }
  });

  test("sessions are the developer's own logins, most recently used first; the current one is marked", async () => {
    world().clock.turn(30 * DAY);
    const first = await enter(nobody);
    const createdAt = world().clock.now();
    world().clock.turn(1_000);
    const second = await enter(nobody, "x".repeat(300));
    const [one, other] = await sessionsOf(first.accessToken);
    assert.deepEqual(one, {
      sessionId: one.sessionId,
      address: "127.0.0.1",
      userAgent: "x".repeat(256),
      createdAt: createdAt + 1_000,
      lastUsedAt: createdAt + 1_000,
      expiresAt: createdAt + 1_000 + 30 * DAY,
      current: false,
    });
    assert.deepEqual([other.userAgent, other.current], ["first", true]);
    assert.match(one.sessionId, /^ses_[\w-]{12}$/);

    world().clock.turn(1_000);
    assert.equal((await refresh(first.refreshToken)).status, 200);
    const [renewed] = await sessionsOf(second.accessToken);
    assert.deepEqual(
      [renewed.sessionId, renewed.userAgent, renewed.createdAt, renewed.lastUsedAt, renewed.expiresAt, renewed.current],
      [other.sessionId, "second", createdAt, createdAt + 2_000, createdAt + 2_000 + 30 * DAY, false],
    );
    world().clock.turn(30 * DAY);
    const late = await enter(nobody);
    assert.equal((await sessionsOf(late.accessToken)).length, 1, "what has expired is not listed");
  });
  test("a login from before session ids existed can be listed and revoked", async () => {
    const [old, now] = [await enter(fellow), await enter(fellow)];
    const sessionId = await currentOf(old.accessToken);
    await world().portico.ctx.storage.write(async (tx) => {
      const unnamed = { session_id: null, address: null, user_agent: null, last_used_at: null };
      await tx.updateTable("console_logins").set(unnamed).where("session_id", "=", sessionId).execute();
    });
    const found = (await sessionsOf(now.accessToken)).find((each: { address: string }) => each.address === "");
    assert.deepEqual([found.userAgent, found.lastUsedAt, found.current], ["", found.createdAt, false]);
    assert.equal(await currentOf(old.accessToken), found.sessionId);
    assert.equal((await revoke(now.accessToken, found.sessionId)).status, 204);
    assert.equal(await statusWith(old.accessToken), 401);
  });

  test("a revoked login ends at once in every process, access and refresh; other logins do not", async () => {
    const url = await secondUrl();
    const [lost, kept] = [await enter(owner), await enter(owner)];
    const sessionId = await currentOf(lost.accessToken);
    assert.equal(await statusWith(lost.accessToken, url), 200);
    const answer = await revoke(kept.accessToken, sessionId);
    assert.deepEqual([answer.status, answer.text], [204, ""]);
    for (const each of [world().url, url]) {
      assert.equal(await statusWith(lost.accessToken, each), 401);
      assertConsoleRefused(await refresh(lost.refreshToken, { url: each }), 401, "未登录或登录已过期");
      assert.equal(await statusWith(kept.accessToken, each), 200);
    }
    assertConsoleRefused(await revoke(kept.accessToken, sessionId), 404, "登录会话不存在");
    assert.equal((await refresh(kept.refreshToken)).status, 200);
  });
  test("another developer's login, or an unknown one, is 404; the current login can be revoked", async () => {
    const [mine, other] = [await enter(owner), await enter(fellow)];
    const sessionId = await currentOf(other.accessToken);
    for (const named of [sessionId, "ses_none", "x".repeat(200), "%E4%BA%8C"]) {
      assertConsoleRefused(await revoke(mine.accessToken, named), 404, "登录会话不存在");
    }
    assertConsoleRefused(await revoke(mine.accessToken, "ses%00"), 400);
    assert.equal(await statusWith(other.accessToken), 200);
    assert.equal((await revoke(other.accessToken, sessionId)).status, 204);
    assert.equal(await statusWith(other.accessToken), 401);
  });
  test("all others end in every process, and the one that asks stays", async () => {
    const url = await secondUrl();
    const [one, two, kept] = [await enter(fellow), await enter(fellow), await enter(fellow)];
    const headers = bearer(kept.accessToken);
    assert.equal((await consoleCall({ url }, "POST", "sessions/end-others", { headers })).status, 204);
    for (const { accessToken, refreshToken } of [one, two]) {
      assert.equal(await statusWith(accessToken), 401);
      assertConsoleRefused(await refresh(refreshToken), 401);
    }
    assert.equal(await statusWith(kept.accessToken, url), 200);
    assert.equal((await sessionsOf(kept.accessToken)).length, 1);
    assert.equal((await refresh(kept.refreshToken)).status, 200);
    assert.equal((await auditOf(`developer:${kept.developerId}`)).at(-1)?.action, "session.end-others");
  });
  test("concurrent revocations of a login count once", async () => {
    const [lost, kept] = [await enter(owner), await enter(owner)];
    const sessionId = await currentOf(lost.accessToken);
    const answers = await Promise.all([1, 2, 3].map(() => revoke(kept.accessToken, sessionId)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404]);
  });
  test("reuse of an old cookie ends the login with the tokens of both holders in every process", async () => {
    const url = await secondUrl();
    const login = await enter(owner);
    const thief = await refresh(login.refreshToken, { url });
    assert.equal(thief.status, 200);
    world().clock.turn(GRACE_MS);
    assertConsoleRefused(await refresh(login.refreshToken), 401, "未登录或登录已过期");
    for (const each of [world().url, url]) {
      assert.equal(await statusWith(login.accessToken, each), 401);
      assert.equal(await statusWith(thief.json.accessToken, each), 401);
      assertConsoleRefused(await refresh(refreshTokenOf(thief), { url: each }), 401);
    }
  });

  test("the audit log records the start, end and revocation of each login, and no token", async () => {
    const [ended, revoked] = [await enter(owner), await enter(owner)];
    const [first, second] = [await currentOf(ended.accessToken), await currentOf(revoked.accessToken)];
    const headers = { cookie: `open_refresh_token=${ended.refreshToken}` };
    assert.equal((await consoleCall(world(), "POST", "auth/logout", { headers })).status, 204);
    assert.equal((await consoleCall(world(), "POST", "auth/logout", { headers })).status, 204);
    assert.equal((await revoke(revoked.accessToken, second)).status, 204);

    const by = { actor_id: ended.developerId, address: "127.0.0.1", before: null };
    const start = { ...by, action: "session.start", after: '{"method":"password"}' };
    assert.deepEqual(await auditOf(`session:${first}`), [start, { ...by, action: "session.end", after: null }]);
    assert.deepEqual(await auditOf(`session:${second}`), [start, { ...by, action: "session.revoke", after: null }]);
  });
  test("it records reuse of a refresh token with its origin, but not of an expired one", async () => {
    const [reused, expired] = [await enter(owner), await enter(owner)];
    const [first, second] = [await currentOf(reused.accessToken), await currentOf(expired.accessToken)];
    assert.equal((await refresh(reused.refreshToken)).status, 200);
    world().clock.turn(GRACE_MS);
    assertConsoleRefused(await refresh(reused.refreshToken), 401);
    world().clock.turn(31 * 86_400_000);
    assertConsoleRefused(await refresh(expired.refreshToken), 401);

    const by = { actor_id: reused.developerId, address: "127.0.0.1", before: null };
    const start = { ...by, action: "session.start", after: '{"method":"password"}' };
    const end = { ...by, action: "session.end", after: '{"reason":"reuse"}' };
    assert.deepEqual(await auditOf(`session:${first}`), [start, end]);
    assert.deepEqual(await auditOf(`session:${second}`), [start]);
  });
  test("a refused login writes nothing to the audit log", async () => {
    const count = async () => (await dumpTables(world())).audit_entries?.length;
    const before = await count();
    assertConsoleRefused(await logIn(world(), { ...owner, password: "wrong" }), 401);
    assert.equal(await count(), before);
  });
});
