import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { beforeEach } from "node:test";
import { TEST_CA } from "./support/certificates.ts";
import { clientAcme } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { newKey, TestIssuer, type TokenParts, unsignedToken } from "./support/issuer.ts";
import { suiteIssuerWorld } from "./support/issuer-world.ts";
import { assertProblem, type Begun, begin, end, MEMBERS, signIn } from "./support/oidc-walk.ts";
import { resolverOf } from "./support/receiver.ts";
import { World } from "./support/world.ts";

const NAMES = resolverOf({ "receiver.test": ["127.0.0.1"], "inside.test": ["10.0.0.1"] });
const NETWORK = { lookup: NAMES, ca: TEST_CA };
const ALICE = { sub: "s-alice", preferred_username: "alice" };
const seconds = () => Math.floor(Date.now() / 1_000);

/** Tokens that the provider has not meant for this sign-in, or that are not its own. */
const FORGED: [what: string, forge: (parts: TokenParts) => TokenParts | string][] = [
  ["of another issuer", withPayload({ iss: "https://evil.example" })],
  ["for another client", withPayload({ aud: "another" })],
  ["for several clients, of which this is not the one", withPayload({ aud: ["another", "third"] })],
  ["issued to another client on behalf of this", withPayload({ aud: ["portico", "another"], azp: "another" })],
  ["with another nonce", withPayload({ nonce: "another" })],
  ["without a nonce", withPayload({ nonce: undefined })],
  ["that has expired", withPayload({ iat: seconds() - 7_200, exp: seconds() - 3_600 })],
  ["that never expires", withPayload({ exp: undefined })],
  ["of the future", withPayload({ nbf: seconds() + 3_600 })],
  ["without a sub", withPayload({ sub: undefined })],
  ["with a sub that is no text", withPayload({ sub: 7 })],
  ["with a sub of 256 characters", withPayload({ sub: "x".repeat(256) })],
  ["with a sub with a control character", withPayload({ sub: "a\u0000b" })],
  ["signed by a key that is not the provider's", (parts) => ({ ...parts, key: newKey().privateKey })],
  ["that names a key that is not in the set", (parts) => ({ ...parts, header: { ...parts.header, kid: "k2" } })],
  ["without a signature", ({ payload }) => `${unsignedToken({ alg: "none" }, payload)}.`],
  ["that says it needs none, and has one", (parts) => ({ ...parts, header: { alg: "none", kid: "k1" } })],
  ["whose signature was cut off", ({ header, payload }) => `${unsignedToken(header, payload)}.`],
  ["signed with the client's secret", ({ payload }) => signedBySecret(payload, "the client's secret & more")],
  ["that is none", () => "not.a.token"],
];

onBothEngines("forged sign-ins with a provider", (engine, test) => {
  const { world, issuer } = suiteIssuerWorld(engine, clientAcme(), {}, NETWORK);
  // Sign-ins are limited per second of the service's clock, which stands still.
  beforeEach(() => {
    if (engine.missing === null) world().clock.turn(1_000);
  });
  const granted = async (): Promise<{ begun: Begun; code: string }> => {
    const begun = await begin(world());
    return { begun, code: issuer().grant(begun.authorization, ALICE) };
  };

  for (const [what, forge] of FORGED) {
    test(`a token ${what} is refused`, async () => {
      issuer().forge = forge;
      try {
        assertProblem(await signIn(world(), issuer(), ALICE), "TOKEN_REFUSED");
      } finally {
        issuer().forge = null;
      }
      assert.equal((await signIn(world(), issuer(), ALICE)).status, 302, "the same without forgery");
    });
  }
  test("a token endpoint that announces tokens without signatures gets none accepted", async () => {
    const trusting = await TestIssuer.start();
    trusting.metadata = { id_token_signing_alg_values_supported: ["none", "HS256", "ES256"] };
    const other = await World.create(engine, clientAcme(), trusting.env("MEMBERS", { LINK: "true" }), {
      network: NETWORK,
    });
    try {
      for (const forge of [
        ({ payload }: TokenParts) => `${unsignedToken({ alg: "none" }, payload)}.`,
        ({ payload }: TokenParts) => signedBySecret(payload, "the client's secret & more"),
      ]) {
        trusting.forge = forge;
        assertProblem(await signIn(other, trusting, ALICE), "TOKEN_REFUSED");
      }
      trusting.forge = null;
      assert.equal((await signIn(other, trusting, ALICE)).status, 302);
    } finally {
      await other.dispose();
      await trusting.stop();
    }
  });
  test("another state is refused, before anything is asked of the provider", async () => {
    const { begun, code } = await granted();
    const asked = issuer().asked("/token").length;
    assertProblem(await end(world(), begun, code, { changes: { state: "another" } }), "STATE_WRONG");
    const twice = `?code=${code}&state=a&state=b`;
    const headers = { cookie: begun.cookie, "accept-language": "en" };
    assertProblem(await send(`${world().url}${MEMBERS.callback}${twice}`, { headers }), "STATE_WRONG");
    assert.equal(issuer().asked("/token").length, asked);
    assert.equal((await end(world(), begun, code)).status, 302);
  });
  test("a browser without the flow's cookie, with another's, or with a changed one is refused", async () => {
    const { begun, code } = await granted();
    const other = await granted();
    const [name = "", value = ""] = begun.cookie.split(/=(.*)/s);
    const flipped = value.startsWith("A") ? `B${value.slice(1)}` : `A${value.slice(1)}`;
    const asked = issuer().asked("/token").length;
    assertProblem(await end(world(), { ...begun, cookie: "" }, code), "FLOW_UNKNOWN");
    assertProblem(await end(world(), { ...begun, cookie: other.begun.cookie }, code), "STATE_WRONG");
    assertProblem(await end(world(), { ...begun, cookie: `${name}=${flipped}` }, code), "FLOW_UNKNOWN");
    assertProblem(await end(world(), { ...begun, cookie: `${name}=x` }, code), "FLOW_UNKNOWN");
    assertProblem(await end(world(), { ...begun, cookie: `portico_console_oidc=${value}` }, code), "FLOW_UNKNOWN");
    assert.equal(issuer().asked("/token").length, asked);
  });
  test("a code of another browser's sign-in is refused, since only its own verifier fits", async () => {
    const [mine, theirs] = [await granted(), await granted()];
    assertProblem(await end(world(), mine.begun, theirs.code), "TOKEN_REFUSED");
  });
  test("a callback that comes again is refused, also by a provider that takes codes twice", async () => {
    issuer().isForgetful = true;
    try {
      const { begun, code } = await granted();
      assert.equal((await end(world(), begun, code)).status, 302);
      assertProblem(await end(world(), begun, code), "USED");
      const again = await granted();
      const answers = await Promise.all(Array.from({ length: 5 }, () => end(world(), again.begun, again.code)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 400, 400, 400, 400]);
    } finally {
      issuer().isForgetful = false;
    }
    const { begun, code } = await granted();
    assert.equal((await end(world(), begun, code)).status, 302);
    assertProblem(await end(world(), begun, code), "TOKEN_REFUSED");
  });
  test("what the provider refuses is a page, not the provider's words", async () => {
    const { begun } = await granted();
    const words = "<script>alert(1)</script>";
    const query = new URLSearchParams({
      error: "access_denied",
      error_description: words,
      state: begun.authorization.searchParams.get("state") ?? "",
    });
    const headers = { cookie: begun.cookie, "accept-language": "en" };
    const answer = await send(`${world().url}${MEMBERS.callback}?${query}`, { headers });
    assertProblem(answer, "PROVIDER_REFUSED");
    assert.ok(!answer.text.includes("script>"), answer.text);
    assert.match(String(answer.headers["content-security-policy"]), /^default-src 'none'/);
  });
  test("a userinfo endpoint that speaks of somebody else is refused", async () => {
    issuer().userinfo = { sub: "s-other", name: "Other" };
    assertProblem(await signIn(world(), issuer(), ALICE), "TOKEN_REFUSED");
    issuer().userinfo = {};
  });
  test("metadata and keys are asked for once, not at each sign-in", async () => {
    const count = () => [issuer().asked("/.well-known/openid-configuration").length, issuer().asked("/keys").length];
    assert.equal((await signIn(world(), issuer(), ALICE)).status, 302);
    const [metadata = 0, keys = 0] = count();
    for (let n = 0; n < 3; n++) assert.equal((await signIn(world(), issuer(), ALICE)).status, 302);
    assert.deepEqual(count(), [metadata, keys]);
    assert.ok(metadata >= 1 && keys <= FORGED.length);
  });
});

onBothEngines("a provider that fails", (engine, test) => {
  const startAt = (world: World) =>
    send(`${world.url}${MEMBERS.start}?tenantId=t_acme`, { headers: { "accept-language": "en" } });
  const withWorld = async (
    env: (issuer: TestIssuer) => Record<string, string>,
    use: (world: World, issuer: TestIssuer) => Promise<void>,
  ) => {
    const issuer = await TestIssuer.start();
    const world = await World.create(engine, clientAcme(), env(issuer), { network: NETWORK });
    try {
      await use(world, issuer);
    } finally {
      await world.dispose();
      await issuer.stop();
    }
  };
  const linking = (issuer: TestIssuer) => issuer.env("MEMBERS", { LINK: "true" });

  test("that is down, answers nonsense or 500 is a page with Retry-After, and works again afterwards", async () => {
    await withWorld(linking, async (world, issuer) => {
      for (const fault of [
        (_: unknown, response: import("node:http").ServerResponse) => void response.writeHead(500).end("{}"),
        (_: unknown, response: import("node:http").ServerResponse) =>
          void response.writeHead(302, { location: "https://evil.example/" }).end(),
        (_: unknown, response: import("node:http").ServerResponse) => void response.end("<html>"),
        (_: unknown, response: import("node:http").ServerResponse) =>
          void response.writeHead(200, { "content-type": "application/json" }).end(`"${"x".repeat(600_000)}"`),
        (_: unknown, response: import("node:http").ServerResponse) => void response.socket?.destroy(),
      ]) {
        issuer.fault = fault;
        const answer = await startAt(world);
        assertProblem(answer, "PROVIDER_UNAVAILABLE");
        assert.equal(answer.headers["retry-after"], "5");
      }
      issuer.fault = null;
      assert.equal((await signIn(world, issuer, ALICE)).status, 302);
      // Metadata is known now; the token endpoint fails.
      const begun = await begin(world);
      const code = issuer.grant(begun.authorization, ALICE);
      issuer.fault = (_, response) => void response.writeHead(503).end();
      assertProblem(await end(world, begun, code), "PROVIDER_UNAVAILABLE");
      issuer.fault = null;
      assert.equal((await end(world, begun, code)).status, 302, "the flow is still good");
    });
  });
  test("that never answers holds a request for seconds, not for ever, and others that come share its wait", async () => {
    await withWorld(linking, async (world, issuer) => {
      issuer.fault = () => {};
      const begunAt = performance.now();
      const answers = await Promise.all([startAt(world), startAt(world), startAt(world)]);
      for (const answer of answers) assertProblem(answer, "PROVIDER_UNAVAILABLE");
      assert.ok(performance.now() - begunAt < 9_000);
      assert.equal(issuer.receiver.requests.length, 1);
    });
  });
  test("that calls itself something else is not trusted", async () => {
    await withWorld(linking, async (world, issuer) => {
      for (const other of ["https://evil.example", `${issuer.url}/realm`]) {
        issuer.metadata = { issuer: other };
        assertProblem(await startAt(world), "PROVIDER_UNAVAILABLE");
      }
    });
  });
  test("at an address inside is not asked unless its network is allowed", async () => {
    const inside = (issuer: TestIssuer) => ({
      ...linking(issuer),
      PORTICO_OIDC_MEMBERS_ISSUER: "https://inside.test/",
    });
    await withWorld(inside, async (world) => assertProblem(await startAt(world), "PROVIDER_UNAVAILABLE"));
    const notAllowed = (issuer: TestIssuer) => {
      const { PORTICO_OIDC_ALLOW_NETWORKS: _, ...env } = linking(issuer);
      return env;
    };
    await withWorld(notAllowed, async (world, issuer) => {
      assertProblem(await startAt(world), "PROVIDER_UNAVAILABLE");
      assert.equal(issuer.receiver.requests.length, 0);
    });
    const callbacksToo = (issuer: TestIssuer) => ({
      ...notAllowed(issuer),
      PORTICO_WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
    });
    await withWorld(callbacksToo, async (world, issuer) => {
      assert.equal((await signIn(world, issuer, ALICE)).status, 302);
    });
  });
});

function withPayload(changes: Record<string, unknown>) {
  return (parts: TokenParts): TokenParts => ({ ...parts, payload: { ...parts.payload, ...changes } });
}

function signedBySecret(payload: Record<string, unknown>, secret: string): string {
  const text = unsignedToken({ alg: "HS256" }, payload);
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
