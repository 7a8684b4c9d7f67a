import assert from "node:assert/strict";
import { startMemberSession } from "../src/domain/accounts/member-session.ts";
import { alice, bob } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT, clientAcme, logIn } from "./support/client-acme.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { collectGarbage } from "./support/memory.ts";
import { suiteWorld, type World } from "./support/world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Lists the conversations with this `authorization` header. */
function listWith(world: World, authorization: string | null): Promise<Answer> {
  return send(`${world.url}${CLIENT}/conversations`, { headers: { authorization } });
}

onBothEngines("client API: signing in", (engine, test) => {
  const world = suiteWorld(engine, clientAcme());

  test("the right password returns a token, its expiry and the member", async () => {
    const answer = await logIn(world(), alice);
    assertSuccess(answer);
    const { accessToken, ...rest } = answer.json.value;
    assert.match(accessToken, /^[\w-]{43}$/);
    assert.deepEqual(rest, {
      expiresAt: world().clock.now() + 7 * DAY,
      user: { userId: "u_alice", username: "alice", name: "Alice", tenantId: "t_acme" },
    });
    assertSuccess(await listWith(world(), `Bearer ${accessToken}`));
  });
  test("a wrong password, an unknown user or tenant, and a member without password get the same answer", async () => {
    const answers: Answer[] = [];
    for (const wrong of [
      { ...alice, password: "bob's password" },
      { ...alice, username: "zed" },
      { ...alice, username: "u_alice" },
      { ...alice, username: "Alice A" },
      { ...alice, tenantId: "t_nowhere" },
      { ...alice, tenantId: "t_other" },
      { tenantId: "t_acme", username: "dave", password: "undefined" },
      { tenantId: "t_acme", username: "dave", password: "null" },
    ]) {
      answers.push(await logIn(world(), wrong));
    }
    for (const answer of answers) assertRefused(answer, 401, "400001", answers[0]?.json.message);
  });
  for (const [what, body, named] of [
    ["no tenantId", { ...alice, tenantId: undefined }, "tenantId"],
    ["no username", { ...alice, username: undefined }, "username"],
    ["no password", { ...alice, password: undefined }, "password"],
    ["an empty password", { ...alice, password: "" }, "password"],
    ["a password that is a number", { ...alice, password: 1 }, "password"],
    ["a username with NUL", { ...alice, username: "alice\u0000" }, "username"],
    ["a password of 1,025 characters", { ...alice, password: "x".repeat(1_025) }, "password"],
  ] as const) {
    test(`${what} is refused with a message naming it`, async () => {
      const answer = await logIn(world(), body);
      assertRefused(answer, 400, "400006");
      assert.ok(answer.json.message.includes(named), answer.json.message);
    });
  }

  test("ten failures in ten minutes: 429 with Retry-After for this account only, until they have aged", async () => {
    const account = { tenantId: "t_acme", username: "erin", password: "erin's" };
    for (let n = 0; n < 10; n++) assertRefused(await logIn(world(), { ...account, password: `${n}` }), 401, "400001");
    const refused = await logIn(world(), { ...account, password: "11th" });
    assertRefused(refused, 429, "429001");
    assert.equal(refused.headers["retry-after"], "600");
    assertRefused(await logIn(world(), account), 429, "429001");
    assertSuccess(await logIn(world(), bob));

    world().clock.turn(10 * MINUTE - 1);
    const still = await logIn(world(), account);
    assertRefused(still, 429, "429001");
    assert.equal(still.headers["retry-after"], "1");
    world().clock.turn(1);
    assertSuccess(await logIn(world(), account));
  });
  test("ten failures of an unknown account are treated in the same way", async () => {
    const nobody = { tenantId: "t_acme", username: "nobody", password: "x" };
    for (let n = 0; n < 10; n++) assertRefused(await logIn(world(), nobody), 401, "400001");
    assertRefused(await logIn(world(), nobody), 429, "429001");
  });
  test("of 40 concurrent wrong passwords at most ten are checked", async () => {
    const tries = Array.from({ length: 40 }, (_, n) =>
      logIn(world(), { tenantId: "t_acme", username: "frank", password: `${n}` }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 429).length, 30, String(statuses));
    assert.equal(statuses.filter((status) => status === 401).length, 10, String(statuses));
  });
  test("40 concurrent correct sign-ins to one account all succeed", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => logIn(world(), bob)));
    for (const answer of answers) assertSuccess(answer);
  });
  test("failed sign-ins with very long account names leave no memory in use", async () => {
    const fail = (n: number) => logIn(world(), { ...alice, username: `${n} ${"x".repeat(8_000)}` });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => fail(n)));
    for (const { status } of answers) assert.ok(status === 400 || status === 401, String(status));
    const before = heapUsed();
    for (let n = 0; n < 40; n++) await fail(100 + n);
    const grownBy = heapUsed() - before;
    assert.ok(grownBy < 3_000_000, `the heap grew by ${grownBy} bytes`);
  });

  test("a token is valid for seven days", async () => {
    const { accessToken, expiresAt } = (await logIn(world(), alice)).json.value;
    world().clock.set(expiresAt - 1);
    assertSuccess(await listWith(world(), `Bearer ${accessToken}`));
    world().clock.set(expiresAt);
    assertRefused(await listWith(world(), `Bearer ${accessToken}`), 401, "400001");
  });
  test("a missing, malformed or altered token, or another scheme, is refused", async () => {
    const { accessToken } = (await logIn(world(), alice)).json.value;
    const altered = accessToken.replace(/.$/, (last: string) => (last === "A" ? "Q" : "A"));
    for (const authorization of [
      null,
      "",
      "Bearer",
      "Bearer ",
      "Bearer garbage",
      `Bearer ${altered}`,
      `Bearer ${accessToken}A`,
      `Bearer ${accessToken.slice(1)}`,
      `Bearer ${accessToken} ${accessToken}`,
      `Basic ${accessToken}`,
      accessToken,
    ]) {
      assertRefused(await listWith(world(), authorization), 401, "400001");
    }
    assertSuccess(await listWith(world(), `Bearer ${accessToken}`));
  });
  test("a member has at most 100 tokens: the oldest are removed", async () => {
    const { ctx } = world().portico;
    const oldest = (await logIn(world(), alice)).json.value.accessToken;
    const { password_hash: hash } = await ctx.storage.db
      .selectFrom("members")
      .select("password_hash")
      .where("user_id", "=", "u_alice")
      .executeTakeFirstOrThrow();
    const tokens: string[] = [];
    for (let n = 0; n < 100; n++) {
      world().clock.turn(1);
      // Without the password check, which takes time.
      const origin = { address: "127.0.0.1", userAgent: "test" };
      tokens.push((await startMemberSession(ctx, "u_alice", origin, hash))?.accessToken ?? "");
    }
    assertRefused(await listWith(world(), `Bearer ${oldest}`), 401, "400001");
    for (const token of [tokens[0], tokens.at(-1)]) assertSuccess(await listWith(world(), `Bearer ${token}`));
  });
  test("the database contains only hashes of tokens", async () => {
    const { accessToken } = (await logIn(world(), alice)).json.value;
    const dump = await dumpTables(world());
    assert.ok((dump.member_tokens?.length ?? 0) > 0);
    assert.ok(!JSON.stringify(dump).includes(accessToken));
  });
});

/** The heap in use after garbage collection, in bytes. */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
