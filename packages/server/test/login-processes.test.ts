import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { alice, bob } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT } from "./support/client-acme.ts";
import { assertConsoleRefused, consoleAcme, fellow, logIn, ownedApp, owner } from "./support/console.ts";
import { postgres } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { noPrivateServices, privateService } from "./support/private-services.ts";
import { suiteWorld, World } from "./support/world.ts";

const MINUTE = 60_000;
const skip = postgres.missing ?? false;

/** Tries to sign a member in; returns the raw answer. */
function signIn({ url }: { url: string }, account: unknown) {
  const headers = { "content-type": "application/json" };
  return send(`${url}${CLIENT}/auth/login`, { method: "POST", headers, body: JSON.stringify(account) });
}

describe("signing in to several processes", () => {
  const world = suiteWorld(postgres, consoleAcme(ownedApp("app_bot")));

  test("ten failures count together across processes, and each process reports them in the same way", {
    skip,
  }, async () => {
    const second = await world().start();
    const urls = [world(), second];
    for (let n = 0; n < 10; n++) {
      assertConsoleRefused(await logIn(urls[n % 2] ?? second, { ...owner, password: `${n}` }), 401);
      assertRefused(await signIn(urls[n % 2] ?? second, { ...alice, password: `${n}` }), 401, "400001");
    }
    for (const url of urls) {
      const refused = await logIn(url, owner);
      assertConsoleRefused(refused, 429, "登录失败次数过多,请稍后再试");
      assert.equal(refused.headers["retry-after"], "600");
      assertRefused(await signIn(url, alice), 429, "429001");
    }
    world().clock.turn(10 * MINUTE - 1);
    assert.equal((await logIn(second, owner)).headers["retry-after"], "1");
    world().clock.turn(1);
    assert.equal((await logIn(second, owner)).status, 200);
    assertSuccess(await signIn(world(), alice));
  });
  test("a success at one process clears the failures at another", { skip }, async () => {
    const second = await world().start();
    for (let n = 0; n < 9; n++) assertConsoleRefused(await logIn(world(), { ...fellow, password: `${n}` }), 401);
    assert.equal((await logIn(second, fellow)).status, 200);
    for (let n = 0; n < 9; n++) assertConsoleRefused(await logIn(world(), { ...fellow, password: `${n}` }), 401);
    assert.equal((await logIn(world(), fellow)).status, 200);
  });
  test("of 40 concurrent guesses at two processes at most ten are checked", { skip }, async () => {
    const second = await world().start();
    const tries = Array.from({ length: 40 }, (_, n) => signIn(n % 2 ? second : world(), { ...bob, password: `${n}` }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    const looked = statuses.filter((status) => status === 401).length;
    assert.ok(looked <= 10 && looked + statuses.filter((status) => status === 429).length === 40, String(statuses));
    world().clock.turn(10 * MINUTE);
  });
  test("concurrent correct sign-ins at two processes succeed, or get a Retry-After of one second", {
    skip,
  }, async () => {
    const second = await world().start();
    const tries = Array.from({ length: 40 }, (_, n) => signIn(n % 2 ? second : world(), bob));
    const answers = await Promise.all(tries);
    assert.ok(answers.filter(({ status }) => status === 200).length >= 20);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertRefused(answer, 429, "429001");
      assert.equal(answer.headers["retry-after"], "1");
    }
    assertSuccess(await signIn(second, bob));
  });
  test("without Redis each process uses its own counts, from before and during the outage", {
    skip: skip || (noPrivateServices ?? false),
  }, async (t) => {
    const redis = await privateService(t, "redis");
    if (redis === null) return;
    const lonely = await World.create(postgres, consoleAcme(ownedApp("app_bot")), { PORTICO_REDIS_URL: redis.url });
    t.after(() => lonely.dispose());
    for (let n = 0; n < 5; n++) assertConsoleRefused(await logIn(lonely, { ...owner, password: `${n}` }), 401);
    await redis.stop();
    for (let n = 5; n < 10; n++) assertConsoleRefused(await logIn(lonely, { ...owner, password: `${n}` }), 401);
    assertConsoleRefused(await logIn(lonely, owner), 429, "登录失败次数过多,请稍后再试");
    assert.equal((await logIn(lonely, fellow)).status, 200);
  });
});
