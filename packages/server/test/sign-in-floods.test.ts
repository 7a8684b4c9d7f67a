import assert from "node:assert/strict";
import { alice, bob } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT } from "./support/client-acme.ts";
import { assertConsoleRefused, consoleAcme, consoleCall, fellow, logIn, ownedApp, owner } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { suiteWorld } from "./support/world.ts";

const CONNECTIONS = 80;
/** The number of failures after which a caller's attempts are refused without a check. */
const BURST = 100;

onBothEngines("floods of sign-ins", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")), { PORTICO_TRUSTED_PROXIES: "127.0.0.0/8" });
  const signIn = (account: unknown, from?: string) => {
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (from !== undefined) headers["x-forwarded-for"] = from;
    return send(`${world().url}${CLIENT}/auth/login`, { method: "POST", headers, body: JSON.stringify(account) });
  };
  const madeUp = (name: string, from?: string) => signIn({ ...alice, username: `made up ${name}` }, from);
  const madeUpPhone = (n: number) => logIn(world(), { ...owner, phone: `139${String(n).padStart(8, "0")}` });

  test("during a flood of 80 connections with made-up accounts every correct sign-in succeeds", async () => {
    const members = Array.from({ length: CONNECTIONS }, (_, n) => madeUp(`${n}`));
    const phones = Array.from({ length: CONNECTIONS / 4 }, (_, n) => madeUpPhone(n));
    for (let n = 0; n < 2; n++) {
      for (const answer of await Promise.all([signIn(alice), signIn(bob)])) assertSuccess(answer);
      for (const answer of await Promise.all([logIn(world(), owner), logIn(world(), fellow)])) {
        assert.equal(answer.status, 200, answer.text);
      }
    }
    const answers = await Promise.all(members);
    const seen = answers.filter(({ status }) => status === 401).length;
    assert.ok(seen > 0 && seen <= BURST, `${seen} were looked at`);
    for (const answer of answers.filter(({ status }) => status !== 401)) {
      assertRefused(answer, 429, "429001");
      assert.match(answer.headers["retry-after"] ?? "", /^[12]$/);
    }
    for (const answer of await Promise.all(phones)) assertConsoleRefused(answer, answer.status === 401 ? 401 : 429);
  });
  test("members' sign-ins that have used up their budget do not affect the console", async (t) => {
    // For most attempts the result of a check is known, so the slow check is skipped.
    const verify = t.mock.method(world().portico.ctx.passwords, "verify", async () => false);
    for (let n = 0; n < BURST; n++) if ((await madeUp(`${n} more`)).status === 429) break;
    verify.mock.restore();
    const refused = await madeUp("one");
    assertRefused(refused, 429, "429001");
    assert.deepEqual([refused.json.message, refused.headers["retry-after"]], ["登录请求过多,请稍后再试", "2"]);
    assertConsoleRefused(await madeUpPhone(999), 401);
    assert.equal((await logIn(world(), owner)).status, 200);
  });
  test("a wrong password and a made-up account get the same answer while only reserved places are left", async () => {
    const answers = await Promise.all([signIn({ ...bob, password: "wrong" }), madeUp("two")]);
    for (const answer of answers) assertRefused(answer, 429, "429001");
    const [known, unknown] = answers.map(({ headers, json }) => [
      Object.keys(headers),
      headers["retry-after"],
      json.message,
    ]);
    assert.deepEqual(known, unknown);
  });
  test("behind a proxy each client has its own budget", async () => {
    assertRefused(await madeUp("three", "203.0.113.9"), 401, "400001");
    assertRefused(await madeUp("three"), 429, "429001");
  });
  test("the budget returns with time", async () => {
    world().clock.turn(2_000);
    assertRefused(await madeUp("four"), 401, "400001");
    assertRefused(await madeUp("five"), 429, "429001");
  });
  test("in the console attempts beyond the budget are also refused with 429 and Retry-After", async (t) => {
    t.mock.method(world().portico.ctx.passwords, "verify", async () => false);
    for (let n = 0; n < BURST; n++) if ((await madeUpPhone(1_000 + n)).status === 429) break;
    const refused = await madeUpPhone(2_000);
    assertConsoleRefused(refused, 429, "登录请求过多,请稍后再试");
    assert.equal(refused.headers["retry-after"], "2");
  });
  test("an unknown refresh cookie causes no write", async (t) => {
    const write = t.mock.method(world().portico.ctx.storage, "write");
    const headers = { cookie: `open_refresh_token=${"A".repeat(64)}` };
    assertConsoleRefused(await consoleCall(world(), "POST", "auth/refresh", { headers }), 401);
    assert.equal((await consoleCall(world(), "POST", "auth/logout", { headers })).status, 204);
    assert.equal(write.mock.callCount(), 0);
  });
});
