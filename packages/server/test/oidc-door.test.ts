import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { before } from "node:test";
import { clientAcme } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import type { TestIssuer } from "./support/issuer.ts";
import { suiteIssuerWorld } from "./support/issuer-world.ts";
import { assertProblem, begin, end, MEMBERS, signIn } from "./support/oidc-walk.ts";
import type { Received } from "./support/receiver.ts";
import { until } from "./support/webhooks.ts";

const ALICE = { sub: "s-alice", preferred_username: "alice" };
/** So many sign-ins end at once. */
const TURNS = 24;
/** More than have a turn, from few sites. */
const CROWD = 150;
const START = `${MEMBERS.start}?tenantId=t_acme`;

onBothEngines("the door of the sign-ins with a provider", (engine, test) => {
  const { world, issuer } = suiteIssuerWorld(engine, clientAcme(), { PORTICO_TRUSTED_PROXIES: "127.0.0.1/32" });
  before(async () => {
    if (engine.missing === null) assert.equal((await signIn(world(), issuer(), ALICE)).status, 302);
  });
  const from = (address: string, other: Record<string, string> = {}) => ({
    headers: { "x-forwarded-for": address, "accept-language": "en", ...other },
  });
  const many = <T>(count: number, each: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => each(n)));

  test("one site begins 50 sign-ins a second, and however many sites do, another begins its own", async () => {
    world().clock.turn(1_000);
    for (const site of ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"]) {
      const statuses = (await many(51, () => send(world().url + START, from(site)))).map(({ status }) => status);
      assert.deepEqual([statuses.filter((status) => status === 302).length, statuses.includes(429)], [50, true]);
    }
    // The addresses of one IPv6 customer are one site.
    const customer = await many(51, (n) => send(world().url + START, from(`2001:db8:1:${n.toString(16)}::1`)));
    const refused = customer.find(({ status }) => status === 429);
    assert.ok(refused);
    assertProblem(refused, "TOO_MANY");
    assert.equal((await send(world().url + START, from("192.0.2.9"))).status, 302);
    assert.equal((await send(world().url + START, from("2001:db8:2::1"))).status, 302);
  });
  test("callbacks without a flow of their own take nothing from anybody, their own address included", async () => {
    const begun = await begin(world());
    const code = issuer().grant(begun.authorization, ALICE);
    const asked = issuer().receiver.requests.length;
    const junk = `${world().url}${MEMBERS.callback}?code=x&state=x`;
    for (const answer of await many(120, () => send(junk, from("127.0.0.1")))) assertProblem(answer, "FLOW_UNKNOWN");
    for (const answer of await many(120, () => send(junk, from("127.0.0.1", { cookie: begun.cookie })))) {
      assertProblem(answer, "STATE_WRONG");
    }
    assert.equal(issuer().receiver.requests.length, asked);
    assert.equal((await end(world(), begun, code)).status, 302);
  });
  test("who brings one sign-in waits for one turn of those who bring a hundred", async (t) => {
    const [theirs, mine] = [await begin(world()), await begin(world())];
    const state = theirs.authorization.searchParams.get("state") ?? "";
    const junk = `${world().url}${MEMBERS.callback}?code=junk&state=${state}`;
    const code = issuer().grant(mine.authorization, ALICE);
    const arrivals = countEndings(t);
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    let before = 0;
    let isMineThere = false;
    issuer().fault = (received, response) => {
      const isJunk = received.body.toString().includes("code=junk");
      if (isJunk && !isMineThere) before++;
      if (!isJunk) isMineThere = true;
      void (isJunk ? isOpen : Promise.resolve()).then(() => respond(issuer(), received, response));
    };
    try {
      const crowd = many(CROWD, (n) => send(junk, from(`192.0.2.${n % 3}`, { cookie: theirs.cookie })));
      await until(() => before === TURNS, "the crowd has all turns");
      const answer = end(world(), mine, code);
      // Then it stands in the line, behind more than a hundred.
      await until(() => arrivals() === CROWD + 1, "all have come");
      open();
      assert.equal((await answer).status, 302);
      assert.ok(before <= 2 * TURNS, `${before} of the others came first`);
      for (const { status } of await crowd) assert.notEqual(status, 302);
    } finally {
      issuer().fault = null;
    }
  });
});

/** Counts the requests to end a sign-in that have come to this process, until the test ends. */
function countEndings(t: { after(end: () => void): void }): () => number {
  let count = 0;
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.url?.startsWith(MEMBERS.callback)) count++;
  };
  subscribe("http.server.request.start", onRequest);
  t.after(() => void unsubscribe("http.server.request.start", onRequest));
  return () => count;
}

/** Has the issuer answer as it does without a fault. */
function respond(issuer: TestIssuer, received: Received, response: ServerResponse): void {
  const { fault } = issuer;
  issuer.fault = null;
  void issuer.receiver.respond(received, response);
  issuer.fault = fault;
}
