import assert from "node:assert/strict";
import { after, before, beforeEach } from "node:test";
import { acme, alice } from "./support/acme.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { TEST_CA } from "./support/certificates.ts";
import { CLIENT, clientAcme, logIn } from "./support/client-acme.ts";
import { ConsoleClient } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { newKey, TestIssuer } from "./support/issuer.ts";
import { assertProblem, begin, cookiesIn, end, MEMBERS, signIn } from "./support/oidc-walk.ts";
import { resolverOf } from "./support/receiver.ts";
import { World } from "./support/world.ts";

const NETWORK = { lookup: resolverOf({ "receiver.test": ["127.0.0.1"], "inside.test": ["10.0.0.1"] }), ca: TEST_CA };
const MINUTE = 60_000;
const TYPE = { "content-type": "application/json" };

/** What a refresh with the answer's cookie says. */
async function refreshed(world: World, answer: Answer): Promise<Answer> {
  const cookie = (cookiesIn(answer).get("portico_member_refresh") ?? "").split(";", 1)[0] ?? "";
  return await send(`${world.url}${CLIENT}/auth/refresh`, { method: "POST", headers: { cookie } });
}

/** The account that an answer has signed in. */
async function userOf(world: World, answer: Answer): Promise<Record<string, string>> {
  assert.equal(answer.status, 302, answer.text);
  const { json } = await refreshed(world, answer);
  return json.value.user;
}

onBothEngines("members sign in with a provider", (engine, test) => {
  let issuer: TestIssuer;
  const worlds: World[] = [];
  const world = (kind: "linking" | "creating" | "only" | "strict") => {
    const found = worlds[["linking", "creating", "only", "strict"].indexOf(kind)];
    assert.ok(found);
    return found;
  };
  before(async () => {
    if (engine.missing !== null) return;
    issuer = await TestIssuer.start();
    for (const other of [
      { LINK: "true" },
      { CREATE: "true", NAME: "Acme ID" },
      { ONLY: "true", LINK: "true" },
      {},
    ] as Record<string, string>[]) {
      const provision = other.CREATE ? operatedAcme() : clientAcme();
      const env = issuer.env("MEMBERS", other);
      worlds.push(await World.create(engine, provision, env, { network: NETWORK }));
    }
  });
  // Sign-ins are limited per second of the service's clock, which stands still.
  beforeEach(() => {
    for (const each of worlds) each.clock.turn(1_000);
  });
  after(async () => {
    for (const each of worlds) await each.dispose();
    await issuer?.stop();
  });

  test("a browser is sent to the provider with state, nonce and a code challenge, and keeps the flow in a Lax cookie", async () => {
    const answer = await send(`${world("linking").url}${MEMBERS.start}?tenantId=t_acme&returnTo=/desk/`);
    assert.equal(answer.status, 302);
    assert.equal(answer.headers["cache-control"], "no-store");
    const { origin, pathname, searchParams } = new URL(String(answer.headers.location));
    assert.equal(origin + pathname, `${issuer.url}/auth`);
    const { state = "", nonce = "", code_challenge = "", ...others } = Object.fromEntries(searchParams);
    for (const random of [state, nonce, code_challenge]) assert.match(random, /^[\w-]{43}$/);
    assert.deepEqual(others, {
      client_id: "portico",
      response_type: "code",
      redirect_uri: `${world("linking").portico.ctx.config.baseUrl}${MEMBERS.callback}`,
      scope: "openid profile phone",
      code_challenge_method: "S256",
    });
    const [cookie = ""] = answer.headers["set-cookie"] ?? [];
    assert.match(cookie, /; Max-Age=600; HttpOnly; Secure; SameSite=Lax; Path=\/api\/client\/v1\/auth\/oidc$/);
    assert.ok(!cookie.includes(nonce) && !cookie.includes(state), "the cookie is sealed");
  });
  test("the account of that name is signed in, and the browser goes where it wanted to", async () => {
    const answer = await signIn(
      world("linking"),
      issuer,
      { sub: "s-alice", preferred_username: "alice" },
      {
        query: "?tenantId=t_acme&returnTo=%2Fqr%2Flogin%23token%3Dabc",
      },
    );
    assert.equal(answer.headers.location, "/qr/login#token=abc");
    assert.deepEqual(await userOf(world("linking"), answer), {
      userId: "u_alice",
      username: "alice",
      name: "Alice",
      tenantId: "t_acme",
    });
    const cookies = cookiesIn(answer);
    assert.match(cookies.get("portico_member_refresh") ?? "", /HttpOnly; Secure; SameSite=Strict/);
    assert.match(cookies.get("portico_member_oidc") ?? "", /=; Max-Age=0;/);
  });
  test("a doubt that only the userinfo endpoint tells is heard", async () => {
    const claims = { name: "B", phone_number: "13900000078", preferred_username: "bob" };
    issuer.userinfo = { preferred_username_verified: false };
    try {
      assertProblem(await signIn(world("linking"), issuer, { sub: "s-doubt", ...claims }), "CLAIMS_INCOMPLETE");
    } finally {
      issuer.userinfo = {};
    }
  });
  for (const [what, status, body] of [
    ["401", 401, "{}"],
    ["503", 503, "{}"],
    ["no subject", 200, '{"name":"No one"}'],
    ["no JSON", 200, "<html>"],
    ["a redirect", 302, ""],
  ] as const) {
    test(`userinfo that answers with ${what} keeps out nobody whose token has what is required`, async () => {
      const known = { sub: `s-known-${what}`, preferred_username: `known-${what.replace(" ", "-")}` };
      await userOf(world("creating"), await signIn(world("creating"), issuer, known));
      await userOf(
        world("linking"),
        await signIn(world("linking"), issuer, { sub: "s-bob", preferred_username: "bob" }),
      );
      const linked = { sub: `s-linked-${what}`, preferred_username: "carol" };
      issuer.faults.set("/userinfo", (_, response) => void response.writeHead(status, TYPE).end(body));
      try {
        await userOf(world("creating"), await signIn(world("creating"), issuer, known));
        const fresh = { sub: `s-fresh-${what}`, preferred_username: `fresh-${what.replace(" ", "-")}` };
        await userOf(world("creating"), await signIn(world("creating"), issuer, fresh));
        // A link needs to know whether the provider doubts the name.
        assertProblem(await signIn(world("linking"), issuer, linked), "PROVIDER_UNAVAILABLE");
        await userOf(world("linking"), await signIn(world("linking"), issuer, { ...linked, sub: "s-bob" }));
        assertProblem(await signIn(world("creating"), issuer, { sub: `s-none-${what}` }), "PROVIDER_UNAVAILABLE");
      } finally {
        issuer.faults.clear();
      }
    });
  }
  test("userinfo about another subject is refused", async () => {
    issuer.userinfo = { sub: "s-another" };
    try {
      const claims = { sub: "s-one", preferred_username: "one" };
      assertProblem(await signIn(world("creating"), issuer, claims), "TOKEN_REFUSED");
    } finally {
      issuer.userinfo = {};
    }
  });
  for (const [what, claims, problem] of [
    ["claim that nobody asked for", { groups: ["x".repeat(100_000)] }, null],
    ["display name", { name: "x".repeat(100_000) }, null],
    ["user name", { preferred_username: "x".repeat(100_000) }, "CLAIMS_INCOMPLETE"],
    ["token of a megabyte", { groups: ["x".repeat(1_000_000)] }, "TOKEN_REFUSED"],
  ] as const) {
    test(`a ${what} of 100 KB or more is ${problem === null ? "no obstacle" : "refused in words"}`, async () => {
      const person = { sub: `s-long-${what}`, preferred_username: `long-${what.replaceAll(" ", "-")}`, ...claims };
      const answer = await signIn(world("creating"), issuer, person);
      if (problem === null) assert.equal(answer.status, 302, answer.text);
      else assertProblem(answer, problem);
    });
  }
  test("after the provider has changed its keys, with names or without, sign-ins go on at once", async () => {
    const claims = { sub: "s-keys", preferred_username: "keys" };
    // A provider may write an address in another way than it is asked for.
    issuer.metadata = { token_endpoint: `${issuer.url}/./token`.replace("https:", "HTTPS:") };
    world("creating").clock.turn(3_600_000);
    await userOf(world("creating"), await signIn(world("creating"), issuer, claims));
    for (const kid of ["k2", "k2", undefined, "k1"]) {
      issuer.key = newKey();
      issuer.kid = kid;
      await userOf(world("creating"), await signIn(world("creating"), issuer, claims));
    }
    const asked = issuer.asked("/keys").length;
    await userOf(world("creating"), await signIn(world("creating"), issuer, claims));
    assert.equal(issuer.asked("/keys").length, asked, "known keys are not asked for");
    issuer.forge = (parts) => ({ ...parts, key: newKey().privateKey });
    try {
      for (let tries = 0; tries < 15; tries++)
        assertProblem(await signIn(world("creating"), issuer, claims), "TOKEN_REFUSED");
    } finally {
      issuer.forge = null;
      issuer.metadata = {};
      world("creating").clock.turn(3_600_000);
    }
    assert.ok(issuer.asked("/keys").length - asked <= 10, "and seldom for tokens that none fits");
  });
  test("a clock that is 25 seconds ahead or behind is none to refuse, one of 40 seconds is", async () => {
    const claims = { sub: "s-clock", preferred_username: "clock" };
    const seconds = Math.floor(Date.now() / 1_000);
    for (const [late, isTaken] of [
      [-25, true],
      [25, true],
      [-45, false],
      [45, false],
    ] as const) {
      const times = late < 0 ? { exp: seconds + late } : { nbf: seconds + late };
      const answer = await signIn(world("creating"), issuer, { ...claims, ...times });
      if (isTaken) assert.equal(answer.status, 302, answer.text);
      else assertProblem(answer, "TOKEN_REFUSED");
    }
  });
  test("a start without a tenant, with an empty one or with two is refused", async () => {
    for (const query of ["", "?tenantId=", "?tenantId=t_acme&tenantId=t_acme", "?returnTo=/messenger/"]) {
      assertProblem(await send(`${world("creating").url}${MEMBERS.start}${query}`, english()), "TENANT_MISSING");
    }
  });
  test("later the sub decides: a changed user name changes nothing, a changed name the display name alone", async () => {
    const claims = { sub: "s-bob", preferred_username: "bob" };
    await userOf(world("linking"), await signIn(world("linking"), issuer, claims));
    const renamed = { ...claims, preferred_username: "carol", name: "Robert" };
    const user = await userOf(world("linking"), await signIn(world("linking"), issuer, renamed));
    assert.deepEqual([user.userId, user.username, user.name], ["u_bob", "bob", "Robert"]);
  });
  test("another sub with a linked name is refused", async () => {
    await userOf(
      world("linking"),
      await signIn(world("linking"), issuer, { sub: "s-carol", preferred_username: "carol" }),
    );
    const other = await signIn(world("linking"), issuer, { sub: "s-thief", preferred_username: "carol" });
    assertProblem(other, "NAME_TAKEN");
  });
  test("without a link the name of an account is worth nothing, and without creation nobody is made", async () => {
    for (const kind of ["strict", "creating"] as const) {
      const answer = await signIn(world(kind), issuer, { sub: "s-1", preferred_username: "alice" });
      assertProblem(answer, "NAME_TAKEN");
    }
    assertProblem(await signIn(world("strict"), issuer, { sub: "s-2", preferred_username: "new" }), "UNKNOWN_PERSON");
  });
  test("a new person gets an account with what the token and the userinfo endpoint tell", async () => {
    issuer.userinfo = { name: "Dora 王", phone_number: "13900000077", preferred_username: "not this one" };
    const answer = await signIn(world("creating"), issuer, { sub: "s-dora", preferred_username: "dora@acme.example" });
    issuer.userinfo = {};
    const user = await userOf(world("creating"), answer);
    assert.deepEqual([user.username, user.name, user.tenantId], ["dora@acme.example", "Dora 王", "t_acme"]);
    const client = (await ConsoleClient.logIn(world("creating"), operator)).in("t_acme");
    const { items } = await client.ok("GET", "operator/members?keyword=dora");
    assert.deepEqual([items[0].phone, items[0].disabled], ["13900000077", false]);
    const { items: entries } = await client.ok("GET", `operator/audit?target=member:${user.userId}`);
    assert.deepEqual(
      entries.map(({ action }: { action: string }) => action),
      ["member.link", "member.create"],
    );
  });
  for (const [what, claims] of [
    ["no user name", {}],
    ["one that no account can have", { preferred_username: "a b" }],
    ["one that is no text", { preferred_username: 7 }],
    ["one that the provider has not verified", { preferred_username: "eve", preferred_username_verified: false }],
  ] as const) {
    test(`a person with ${what} is refused`, async () => {
      assertProblem(await signIn(world("creating"), issuer, { sub: "s-odd", ...claims }), "CLAIMS_INCOMPLETE");
    });
  }
  test("ten first sign-ins of one person at once make one account", async () => {
    const claims = { sub: "s-race", preferred_username: "race" };
    const begun = await Promise.all(Array.from({ length: 10 }, () => begin(world("creating"))));
    const answers = await Promise.all(
      begun.map((each) => end(world("creating"), each, issuer.grant(each.authorization, claims))),
    );
    const ids = await Promise.all(answers.map(async (answer) => (await userOf(world("creating"), answer)).userId));
    assert.equal(new Set(ids).size, 1);
  });
  test("of two people who first come under one name at once, one gets it", async () => {
    const begun = await Promise.all(Array.from({ length: 6 }, () => begin(world("creating"))));
    const answers = await Promise.all(
      begun.map((each, n) =>
        end(world("creating"), each, issuer.grant(each.authorization, { sub: `s-n${n}`, preferred_username: "name" })),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [302, 403, 403, 403, 403, 403]);
  });
  test("a disabled member cannot sign in", async () => {
    const claims = { sub: "s-disabled", preferred_username: "gone" };
    const { userId } = await userOf(world("creating"), await signIn(world("creating"), issuer, claims));
    const client = (await ConsoleClient.logIn(world("creating"), operator)).in("t_acme");
    await client.ok("PATCH", `operator/members/${userId}`, { disabled: true });
    assertProblem(await signIn(world("creating"), issuer, claims), "DISABLED");
  });
  test("another tenant than the provider's is refused, whether it exists or not", async () => {
    for (const tenantId of ["t_other", "t_nowhere"]) {
      assertProblem(
        await send(`${world("creating").url}${MEMBERS.start}?tenantId=${tenantId}`, english()),
        "TENANT_REFUSED",
      );
    }
  });
  for (const returnTo of [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "\\/evil.example",
    "/a\\..\\..//evil.example",
    "javascript:alert(1)",
    "messenger/",
    "/\t/evil.example",
    "/messenger/中",
    "/messenger/é",
    "/%0d%0a".replace("%0d%0a", "\r\nset-cookie: a=b"),
    `/${"x".repeat(1_024)}`,
    "",
  ]) {
    test(`returnTo ${JSON.stringify(returnTo.slice(0, 30))} is refused`, async () => {
      const query = new URLSearchParams({ tenantId: "t_acme", returnTo });
      assertProblem(await send(`${world("creating").url}${MEMBERS.start}?${query}`, english()), "RETURN_PATH_INVALID");
    });
  }
  test("a flow ends after ten minutes", async () => {
    const begun = await begin(world("creating"));
    const code = issuer.grant(begun.authorization, { sub: "s-late", preferred_username: "late" });
    world("creating").clock.turn(10 * MINUTE);
    assertProblem(await end(world("creating"), begun, code), "FLOW_UNKNOWN");
  });
  test("where the provider is the only way, passwords are refused, right or wrong, and another tenant's are not", async () => {
    for (const password of [alice.password, "wrong"]) {
      assertRefused(await logIn(world("only"), { ...alice, password }), 403, "400008");
    }
    assertRefused(await logIn(world("only"), { ...alice, tenantId: "t_other" }), 401, "400001");
    assertSuccess(await logIn(world("strict"), alice));
  });
  test("the methods of a tenant name the provider, or say that there is none", async () => {
    const methodsOf = async (kind: Parameters<typeof world>[0], query: string) => {
      const answer = await send(`${world(kind).url}${CLIENT}/auth/methods${query}`);
      assertSuccess(answer);
      return answer.json.value;
    };
    const startUrl = (kind: Parameters<typeof world>[0]) =>
      `${world(kind).portico.ctx.config.baseUrl}${MEMBERS.start}?tenantId=t_acme`;
    const oidc = { startUrl: startUrl("creating"), name: "Acme ID" };
    assert.deepEqual(await methodsOf("creating", "?tenantId=t_acme"), { password: true, qr: false, oidc });
    assert.deepEqual(await methodsOf("creating", ""), { password: true, qr: false, oidc });
    assert.deepEqual(await methodsOf("creating", "?tenantId=t_other"), { password: true, qr: false, oidc: null });
    const name = new URL(issuer.url).host;
    const only = { startUrl: startUrl("only"), name };
    assert.deepEqual(await methodsOf("only", "?tenantId=t_acme"), { password: false, qr: false, oidc: only });
    // Somebody who has not said whose member they are may be another tenant's.
    assert.deepEqual(await methodsOf("only", ""), { password: true, qr: false, oidc: only });
  });
  test("a sign-out ends the login that a provider began", async () => {
    const answer = await signIn(world("linking"), issuer, { sub: "s-alice", preferred_username: "alice" });
    const cookie = (cookiesIn(answer).get("portico_member_refresh") ?? "").split(";", 1)[0] ?? "";
    assertSuccess(await send(`${world("linking").url}${CLIENT}/auth/logout`, { method: "POST", headers: { cookie } }));
    assertRefused(await refreshed(world("linking"), answer), 401, "400001");
  });
});

onBothEngines("without a provider", (engine, test) => {
  test("both addresses are a page that says so, and the methods name none", async (t) => {
    const world = await World.create(engine, acme());
    t.after(() => world.dispose());
    for (const path of Object.values(MEMBERS)) assertProblem(await send(world.url + path, english()), "OFF");
    const { json } = await send(`${world.url}${CLIENT}/auth/methods?tenantId=t_acme`);
    assert.deepEqual(json.value, { password: true, qr: false, oidc: null });
    const chinese = await send(world.url + MEMBERS.start, { headers: { "accept-language": "zh-CN,en;q=0.5" } });
    assert.match(chinese.text, /<html lang="zh-CN">[\s\S]*此处未启用企业登录/);
  });
});

function english() {
  return { headers: { "accept-language": "en" } };
}
