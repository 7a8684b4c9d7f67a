import assert from "node:assert/strict";
import { alice, bob } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT, clientAcme } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld } from "./support/world.ts";

const DAY = 86_400_000;

onBothEngines("members: where they are signed in", (engine, test) => {
  const world = suiteWorld(engine, clientAcme());
  const secondUrl = async () => (engine.name === "postgres" ? (await world().start()).url : world().url);
  const call = (token: string, method: string, path: string, url = world().url): Promise<Answer> =>
    send(`${url}${CLIENT}/${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  /** Signs in from a browser. */
  const enter = async (account: typeof alice, userAgent: string) => {
    const answer = await send(`${world().url}${CLIENT}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": userAgent },
      body: JSON.stringify(account),
    });
    assertSuccess(answer);
    const [cookie = ""] = answer.headers["set-cookie"] ?? [];
    return { token: String(answer.json.value.accessToken), cookie: cookie.split(";", 1)[0] ?? "" };
  };
  const listed = async (token: string) => {
    const answer = await call(token, "GET", "sessions");
    assertSuccess(answer);
    return answer.json.value.items;
  };
  const renewed = (cookie: string) =>
    send(`${world().url}${CLIENT}/auth/refresh`, { method: "POST", headers: { cookie, "user-agent": "renewed" } });
  const auditOf = async (userId: string) => {
    const { db } = world().portico.ctx.storage;
    const rows = await db
      .selectFrom("audit_entries")
      .select("action")
      .where("target", "=", `member:${userId}`)
      .orderBy("audit_id")
      .execute();
    return rows.map(({ action }) => action).filter((action) => action.startsWith("member.sign-out"));
  };

  test("they are listed, the most recently used first, with where they were used; this one is marked", async () => {
    const first = await enter(alice, "first");
    const createdAt = world().clock.now();
    world().clock.turn(1_000);
    const second = await enter(alice, "x".repeat(300));
    const [one, other] = await listed(first.token);
    assert.match(one.sessionId, /^[\w-]{43}$/);
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
    world().clock.turn(1_000);
    assertSuccess(await renewed(first.cookie));
    const [last] = await listed(second.token);
    assert.deepEqual([last.sessionId, last.userAgent, last.current], [other.sessionId, "renewed", false]);
    assert.ok(!JSON.stringify(await listed(second.token)).includes(first.token));
    world().clock.turn(31 * DAY);
    assert.equal((await listed((await enter(alice, "late")).token)).length, 1, "what has expired is not listed");
  });
  test("a login from before this was kept is listed without a place", async () => {
    const { token } = await enter(bob, "before");
    await world().portico.ctx.storage.write(async (tx) => {
      const unknown = { address: null, user_agent: null, last_used_at: null };
      await tx.updateTable("member_logins").set(unknown).where("user_id", "=", "u_bob").execute();
    });
    const [{ address, userAgent, lastUsedAt, createdAt }] = await listed(token);
    assert.deepEqual([address, userAgent, lastUsedAt], ["", "", createdAt]);
  });
  test("one is ended with its token, its cookie and its stream, in every process, and no other", async () => {
    const url = await secondUrl();
    const [lost, kept] = [await enter(alice, "lost"), await enter(alice, "kept")];
    const [stream, other] = [await StreamClient.open(url, lost.token), await StreamClient.open(url, kept.token)];
    const { sessionId } = (await listed(lost.token)).find(({ current }: { current: boolean }) => current);
    // Nobody but its owner ends it, and who is told nothing learns nothing.
    const stranger = await enter(bob, "stranger");
    assertSuccess(await call(stranger.token, "DELETE", `sessions/${sessionId}`));
    assertSuccess(await call(lost.token, "GET", "conversations", url));
    assertSuccess(await call(kept.token, "DELETE", `sessions/${sessionId}`));
    await stream.closed;
    for (const each of [url, world().url])
      assertRefused(await call(lost.token, "GET", "conversations", each), 401, "400001");
    assertRefused(await renewed(lost.cookie), 401, "400001");
    assertSuccess(await call(kept.token, "GET", "conversations", url));
    assert.equal(other.socket.readyState, other.socket.OPEN);
    assertSuccess(await call(kept.token, "DELETE", `sessions/${sessionId}`));
    assertSuccess(await renewed(kept.cookie));
    assert.deepEqual(await auditOf("u_alice"), ["member.sign-out"]);
    assert.deepEqual(await auditOf("u_bob"), []);
    await other.close();
  });
  test("all others are ended, and this one stays", async () => {
    const url = await secondUrl();
    const [one, two, kept] = [await enter(alice, "1"), await enter(alice, "2"), await enter(alice, "3")];
    const stream = await StreamClient.open(url, one.token);
    assertSuccess(await call(kept.token, "POST", "sessions/end-others"));
    await stream.closed;
    for (const { token, cookie } of [one, two]) {
      assertRefused(await call(token, "GET", "conversations", url), 401, "400001");
      assertRefused(await renewed(cookie), 401, "400001");
    }
    const items = await listed(kept.token);
    assert.deepEqual([items.length, items[0].current], [1, true]);
    assert.equal((await auditOf("u_alice")).at(-1), "member.sign-out-elsewhere");
  });
  test("none of it is for somebody who is not signed in", async () => {
    for (const [method, path] of [
      ["GET", "sessions"],
      ["DELETE", "sessions/x"],
      ["POST", "sessions/end-others"],
    ] as const) {
      assertRefused(await call("x", method, path), 401, "400001");
    }
  });
});
