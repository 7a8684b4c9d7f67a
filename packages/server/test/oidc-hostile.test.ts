import assert from "node:assert/strict";
import { after, before, beforeEach } from "node:test";
import { operatedAcme } from "./support/app-life.ts";
import { TEST_CA } from "./support/certificates.ts";
import { owner } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { TestIssuer } from "./support/issuer.ts";
import { assertProblem, type Begun, begin, DEVELOPERS, end, MEMBERS } from "./support/oidc-walk.ts";
import { resolverOf } from "./support/receiver.ts";
import { World } from "./support/world.ts";

const NETWORK = { lookup: resolverOf({ "receiver.test": ["127.0.0.1"] }), ca: TEST_CA };
const ALICE = { sub: "s-alice", preferred_username: "alice" };
const OWNER = { sub: "d-owner", phone_number: owner.phone };

onBothEngines("hostile sign-ins with providers", (engine, test) => {
  /** The providers of members and of developers are two. */
  let issuers: { members: TestIssuer; developers: TestIssuer };
  let created: World | null = null;
  const world = () => {
    assert.ok(created);
    return created;
  };
  before(async () => {
    if (engine.missing !== null) return;
    issuers = { members: await TestIssuer.start(), developers: await TestIssuer.start() };
    const env = {
      ...issuers.members.env("MEMBERS", { LINK: "true" }),
      ...issuers.developers.env("DEVELOPERS", { LINK: "true" }),
    };
    created = await World.create(engine, operatedAcme(), env, { network: NETWORK });
  });
  beforeEach(() => {
    created?.clock.turn(1_000);
  });
  after(async () => {
    await created?.dispose();
    await issuers?.members.stop();
    await issuers?.developers.stop();
  });
  const asMember = async (query = ""): Promise<{ begun: Begun; code: string }> => {
    const begun = await begin(world(), MEMBERS, query);
    return { begun, code: issuers.members.grant(begun.authorization, ALICE) };
  };
  const asDeveloper = async (): Promise<{ begun: Begun; code: string }> => {
    const begun = await begin(world(), DEVELOPERS);
    return { begun, code: issuers.developers.grant(begun.authorization, OWNER) };
  };
  const asked = () => issuers.members.asked("/token").length + issuers.developers.asked("/token").length;

  for (const returnTo of [
    "/%2fevil.example",
    "/%2F%2Fevil.example/",
    "/%5cevil.example",
    "/..//evil.example",
    "/.//evil.example",
    "/%09/evil.example",
    "/%0d%0aset-cookie:a=b",
    "/@evil.example",
    "/?next=//evil.example",
    "/#//evil.example",
  ]) {
    test(`returnTo ${returnTo} leads to this service`, async () => {
      const { begun, code } = await asMember(`?returnTo=${encodeURIComponent(returnTo)}`);
      const answer = await end(world(), begun, code);
      assert.equal(answer.status, 302, answer.text);
      // As a browser reads it, on any host.
      const here = "https://open.example.com";
      assert.equal(new URL(String(answer.headers.location), `${here}${MEMBERS.callback}`).origin, here);
      assert.ok((answer.headers["set-cookie"] ?? []).every((cookie) => !cookie.startsWith("a=b")));
    });
  }
  for (const returnTo of ["%2F%2Fevil.example", "%09//evil.example", "/%0A/evil.example", "https:evil.example"]) {
    test(`returnTo=${returnTo} is refused as it is decoded`, async () => {
      const answer = await send(`${world().url}${MEMBERS.start}?returnTo=${returnTo}`, {
        headers: { "accept-language": "en" },
      });
      assertProblem(answer, "RETURN_PATH_INVALID");
    });
  }
  test("of two returnTo none is taken", async () => {
    const twice = "?returnTo=/messenger/&returnTo=//evil.example";
    const headers = { "accept-language": "en" };
    assertProblem(await send(`${world().url}${MEMBERS.start}${twice}`, { headers }), "RETURN_PATH_INVALID");
  });
  test("a second flow cookie, as another host of the domain can set, makes both worth nothing", async () => {
    const [mine, theirs] = [await asMember(), await asMember()];
    const before = asked();
    for (const cookie of [
      `${theirs.begun.cookie}; ${mine.begun.cookie}`,
      `${mine.begun.cookie}; ${theirs.begun.cookie}`,
      `${mine.begun.cookie}; portico_member_oidc=`,
    ]) {
      assertProblem(await end(world(), { ...mine.begun, cookie }, mine.code), "FLOW_UNKNOWN");
      assertProblem(await end(world(), { ...theirs.begun, cookie }, theirs.code), "FLOW_UNKNOWN");
    }
    assert.equal(asked(), before);
    assert.equal((await end(world(), mine.begun, mine.code)).status, 302);
  });
  test("a flow of one kind of people is none of the other, whatever its cookie is called", async () => {
    const [member, developer] = [await asMember(), await asDeveloper()];
    const before = asked();
    const renamed = (cookie: string, name: string) => cookie.replace(/^[^=]+/, name);
    for (const cookie of [developer.begun.cookie, renamed(developer.begun.cookie, "portico_member_oidc")]) {
      assertProblem(await end(world(), { ...developer.begun, cookie }, developer.code), "FLOW_UNKNOWN");
    }
    for (const cookie of [member.begun.cookie, renamed(member.begun.cookie, "portico_console_oidc")]) {
      const { callback } = DEVELOPERS;
      assertProblem(await end(world(), { ...member.begun, cookie }, member.code, { callback }), "FLOW_UNKNOWN");
    }
    assert.equal(asked(), before);
    assert.equal((await end(world(), developer.begun, developer.code, DEVELOPERS)).status, 302);
  });
  test("a code of one provider is never brought to the other", async () => {
    const developer = await asDeveloper();
    const member = await begin(world());
    assertProblem(await end(world(), member, developer.code), "TOKEN_REFUSED");
    // Nor did asking the wrong one use it up: the one that gave it never heard of it.
    assert.equal((await end(world(), developer.begun, developer.code, DEVELOPERS)).status, 302);
  });
  test("an answer that names another issuer is refused before its code is sent anywhere (RFC 9207)", async () => {
    const { begun, code } = await asMember();
    const before = asked();
    for (const iss of [issuers.developers.url, "https://evil.example", `${issuers.members.url}/`]) {
      assertProblem(await end(world(), begun, code, { changes: { iss } }), "TOKEN_REFUSED");
    }
    assert.equal(asked(), before);
    assert.equal((await end(world(), begun, code, { changes: { iss: issuers.members.url } })).status, 302);
  });
  test("a provider that says that it names itself has to (RFC 9207)", async (t) => {
    const issuer = await TestIssuer.start();
    issuer.metadata = { authorization_response_iss_parameter_supported: true };
    const other = await World.create(engine, operatedAcme(), issuer.env("MEMBERS", { LINK: "true" }), {
      network: NETWORK,
    });
    t.after(async () => {
      await other.dispose();
      await issuer.stop();
    });
    const begun = await begin(other);
    const code = issuer.grant(begun.authorization, ALICE);
    assertProblem(await end(other, begun, code), "TOKEN_REFUSED");
    assertProblem(await end(other, begun, code, { changes: { iss: "" } }), "TOKEN_REFUSED");
    assert.equal(issuer.asked("/token").length, 0);
    assert.equal((await end(other, begun, code, { changes: { iss: issuer.url } })).status, 302);
  });
});
