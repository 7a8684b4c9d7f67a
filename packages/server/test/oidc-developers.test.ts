import assert from "node:assert/strict";
import { after, before, beforeEach } from "node:test";
import { mayUseQr } from "../src/domain/accounts/developer-of-member.ts";
import { Maintenance } from "../src/service/maintenance.ts";
import { operatedAcme, operator, otherOperator } from "./support/app-life.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { TEST_CA } from "./support/certificates.ts";
import { CLIENT } from "./support/client-acme.ts";
import { assertConsoleRefused, CONSOLE, ConsoleClient, consoleCall, logIn, nobody, owner } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { TestIssuer } from "./support/issuer.ts";
import { MemberClient } from "./support/member.ts";
import { assertProblem, begin, cookiesIn, DEVELOPERS, end, MEMBERS, signIn } from "./support/oidc-walk.ts";
import { pollQr, qrToken } from "./support/qr-sign-in.ts";
import { resolverOf } from "./support/receiver.ts";
import { World } from "./support/world.ts";

const NETWORK = { lookup: resolverOf({ "receiver.test": ["127.0.0.1"] }), ca: TEST_CA };
const PASSWORD = "a password of theirs";
const OPS = { groups: ["staff", "portico-ops"] };

onBothEngines("developers sign in with a provider", (engine, test) => {
  let issuer: TestIssuer;
  const worlds: World[] = [];
  const world = (kind: "creating" | "only") => {
    const found = worlds[kind === "creating" ? 0 : 1];
    assert.ok(found);
    return found;
  };
  before(async () => {
    if (engine.missing !== null) return;
    issuer = await TestIssuer.start();
    const settings: Record<string, string>[] = [
      { CREATE: "true", OPERATOR_CLAIM: "groups=portico-ops" },
      { ONLY: "true", LINK: "true" },
    ];
    for (const other of settings) {
      const env = { ...issuer.env("MEMBERS", { LINK: "true" }), ...issuer.env("DEVELOPERS", other) };
      worlds.push(await World.create(engine, operatedAcme(), env, { network: NETWORK }));
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
  const signedIn = (kind: "creating" | "only", claims: object) =>
    signIn(world(kind), issuer, { ...claims }, { paths: DEVELOPERS });
  /** Renews the login that an answer has begun. */
  const renew = (kind: "creating" | "only", answer: Answer) => {
    const cookie = (cookiesIn(answer).get("open_refresh_token") ?? "").split(";", 1)[0] ?? "";
    return send(`${world(kind).url}${CONSOLE}/auth/refresh`, { method: "POST", headers: { cookie } });
  };
  /** Who an answer has signed in, as the console tells. */
  const meOf = async (kind: "creating" | "only", answer: Answer) => {
    assert.equal(answer.status, 302, answer.text);
    assert.equal(answer.headers.location, "/console/");
    const refreshed = await renew(kind, answer);
    const headers = { authorization: `Bearer ${refreshed.json.accessToken}` };
    return (await send(`${world(kind).url}${CONSOLE}/me`, { headers })).json;
  };

  test("a new one belongs to no tenant and is no operator", async () => {
    const claims = { sub: "d-1", phone_number: "+8613700000001", name: "Ann" };
    const { developerId, ...me } = await meOf("creating", await signedIn("creating", claims));
    assert.match(developerId, /^dev_/);
    const { phone, channelId, name, operator: isOperator, tenants } = me;
    assert.deepEqual(
      { phone, channelId, name, isOperator, tenants },
      { phone: "+8613700000001", channelId: 1, name: "Ann", isOperator: false, tenants: [] },
    );
    const client = await ConsoleClient.logIn(world("creating"), operator);
    const { items } = await client.ok("GET", `operator/audit?actorId=${developerId}&action=session.start`);
    assert.deepEqual(items[0].after.method, "oidc");
  });
  test("where the provider is the only way, none unlink it but operators by a person's word", async () => {
    const { storage, clock } = world("only").portico.ctx;
    const linked = async (account: typeof operator) => {
      const client = await ConsoleClient.logIn(world("only"), account);
      const { developerId } = await client.ok("GET", "me");
      const row = { issuer: "https://x.example", subject: developerId, developer_id: developerId };
      await storage.write((tx) =>
        tx
          .insertInto("developer_identities")
          .values({ ...row, created_at: clock.now() })
          .execute(),
      );
      const [{ identityId }] = (await client.ok("GET", "me/identities")).items;
      const until = (at: number | null) =>
        storage.write((tx) =>
          tx.updateTable("developers").set({ operator_until: at }).where("developer_id", "=", developerId).execute(),
        );
      return { until, unlink: () => client.call("DELETE", `me/identities/${identityId}`) };
    };
    const developer = await linked(nobody);
    assertConsoleRefused(await developer.unlink(), 409, /没有密码/);
    const ops = await linked(otherOperator);
    await ops.until(clock.now() + 3_600_000);
    assertConsoleRefused(await ops.unlink(), 409, /没有密码/);
    await ops.until(null);
    assert.equal((await ops.unlink()).status, 204);
  });
  test("the claim makes an operator and takes it away again, in logins that are open too", async () => {
    const claims = { sub: "d-2", phone_number: "13700000002" };
    assert.equal((await meOf("creating", await signedIn("creating", { ...claims, ...OPS }))).operator, true);
    const begun = await begin(world("creating"), DEVELOPERS);
    const code = issuer.grant(begun.authorization, { ...claims, ...OPS });
    const open = await end(world("creating"), begun, code, { callback: DEVELOPERS.callback });
    assert.equal(
      (await meOf("creating", await signedIn("creating", { ...claims, groups: ["staff"] }))).operator,
      false,
    );
    assert.equal((await meOf("creating", open)).operator, false);
    assert.equal(
      (await meOf("creating", await signedIn("creating", { ...claims, groups: "portico-ops" }))).operator,
      true,
    );
    assert.equal((await meOf("creating", await signedIn("creating", claims))).operator, false);
  });
  test("a claim that the provider has left out for its length says nothing", async () => {
    const claims = { sub: "d-overage", phone_number: "13700000012" };
    assert.equal((await meOf("creating", await signedIn("creating", { ...claims, ...OPS }))).operator, true);
    const overage = { ...claims, _claim_names: { groups: "src1" }, _claim_sources: { src1: {} } };
    assert.equal((await meOf("creating", await signedIn("creating", overage))).operator, true);
    assert.equal((await meOf("creating", await signedIn("creating", claims))).operator, false);
  });
  test("the last operator who has a password stays one, and the log says so", async (t) => {
    const env = issuer.env("DEVELOPERS", { LINK: "true", CREATE: "true", OPERATOR_CLAIM: "groups=portico-ops" });
    const alone = await World.create(engine, operatedAcme(), env, { network: NETWORK });
    t.after(() => alone.dispose());
    const operatorsAmong = async (claims: Record<string, unknown>) => {
      alone.clock.turn(1_000);
      assert.equal((await signIn(alone, issuer, claims, { paths: DEVELOPERS })).status, 302);
      return await operators();
    };
    const operators = async () => {
      const rows = await alone.portico.ctx.storage.db
        .selectFrom("developers")
        .select("phone")
        .where("operator", "=", 1)
        .orderBy("phone")
        .execute();
      return rows.map(({ phone }) => phone);
    };
    // An operator of the provider's alone is no replacement for one who has a password.
    const ops = { sub: "d-new", phone_number: "13700000020" };
    assert.equal((await operatorsAmong({ ...ops, ...OPS })).length, 3);
    const logged = () => alone.logLines.filter((line) => line.includes("no other operator could sign in")).length;
    assert.deepEqual(await operatorsAmong({ sub: "d-other", phone_number: otherOperator.phone }), [
      ops.phone_number,
      operator.phone,
    ]);
    assert.equal(logged(), 0);
    const last = { sub: "d-last", phone_number: operator.phone };
    assert.deepEqual(await operatorsAmong(last), [ops.phone_number, operator.phone]);
    assert.equal(logged(), 1);
    assert.deepEqual(await operatorsAmong(ops), [operator.phone]);
    assert.deepEqual(await operatorsAmong(last), [operator.phone]);
    // Each round asks again, and the log is told once.
    const maintenance = new Maintenance(alone.portico.ctx);
    t.after(() => maintenance.close());
    const before = logged();
    for (let round = 0; round < 2; round++) {
      await maintenance.run();
      assert.deepEqual(await operators(), [operator.phone]);
    }
    assert.equal(logged(), before + 1);
    // Another one who can sign in is there: the right ends by itself.
    await alone.portico.ctx.storage.write((tx) =>
      tx.updateTable("developers").set({ operator: 1 }).where("phone", "=", otherOperator.phone).execute(),
    );
    await maintenance.run();
    assert.deepEqual(await operators(), [otherOperator.phone]);
  });
  test("the claim makes an operator for eight hours, by whatever login; then all end, and the provider says anew", async () => {
    const claims = { sub: "d-lapse", phone_number: "13700000013" };
    const { portico, clock } = world("creating");
    const maintain = async () => {
      const maintenance = new Maintenance(portico.ctx);
      await maintenance.run();
      await maintenance.close();
    };
    const HOUR = 3_600_000;
    const [first, second] = [
      await signedIn("creating", { ...claims, ...OPS }),
      await signedIn("creating", { ...claims, ...OPS }),
    ];
    clock.turn(8 * HOUR - 60_000);
    await maintain();
    assert.equal((await meOf("creating", second)).operator, true);
    clock.turn(60_000);
    await maintain();
    assert.equal((await renew("creating", first)).status, 401);
    const again = await signedIn("creating", { ...claims, ...OPS });
    const me = await meOf("creating", again);
    assert.equal(me.operator, true);
    // Who signs in meanwhile is bound anew.
    clock.turn(7 * HOUR);
    const renewed = await signedIn("creating", { ...claims, ...OPS });
    clock.turn(7 * HOUR);
    await maintain();
    assert.equal((await meOf("creating", renewed)).operator, true);
    clock.turn(HOUR);
    await maintain();
    assert.equal((await meOf("creating", await signedIn("creating", claims))).operator, false);
    // What an operator decides stays, and counts at once.
    const client = await ConsoleClient.logIn(world("creating"), operator);
    await client.ok("PATCH", `operator/developers/${me.developerId}`, { operator: true });
    clock.turn(9 * HOUR);
    await maintain();
    const clientLater = await ConsoleClient.logIn(world("creating"), operator);
    assert.equal((await clientLater.ok("GET", `operator/developers?keyword=13700000013`)).items[0].operator, true);
    const query = `target=developer:${me.developerId}&action=developer.update`;
    const { items } = await clientLater.ok("GET", `operator/audit?${query}`);
    const lapses = items.filter(
      ({ actor, after }: { actor: { id: string }; after: { operator?: boolean } | null }) =>
        actor.id === "oidc" && after?.operator === false,
    );
    assert.equal(lapses.length, 2);
  });
  test("the phone number of an account is worth nothing without a link", async () => {
    assertProblem(await signedIn("creating", { sub: "d-3", phone_number: owner.phone }), "NAME_TAKEN");
    assertProblem(await signedIn("creating", { sub: "d-4" }), "CLAIMS_INCOMPLETE");
    const unverified = { sub: "d-5", phone_number: "13700000005", phone_number_verified: false };
    assertProblem(await signedIn("creating", unverified), "CLAIMS_INCOMPLETE");
  });
  test("with a link it is that account, in channel 1, with its tenants and without more rights", async () => {
    const me = await meOf("only", await signedIn("only", { sub: "d-6", phone_number: owner.phone, ...OPS }));
    assert.deepEqual([me.name, me.channelId, me.operator], ["Owner", 1, false]);
    assert.deepEqual(
      me.tenants.map(({ tenantId }: { tenantId: string }) => tenantId),
      ["t_acme"],
    );
    assertProblem(await signedIn("only", { sub: "d-7", phone_number: owner.phone }), "NAME_TAKEN");
    assertProblem(await signedIn("only", { sub: "d-8", phone_number: "13700000009" }), "UNKNOWN_PERSON");
  });
  test("a disabled developer cannot sign in", async () => {
    const claims = { sub: "d-9", phone_number: nobody.phone };
    const { developerId } = await meOf("only", await signedIn("only", claims));
    const client = await ConsoleClient.logIn(world("only"), operator);
    await client.ok("PATCH", `operator/developers/${developerId}`, { disabled: true });
    assertProblem(await signedIn("only", claims), "DISABLED");
  });
  test("where the provider is the only way, operators alone have a password", async () => {
    const strangers = { ...owner, phone: "13999999999" };
    // One answer to all of them: it tells neither who is an operator nor whose password is right.
    for (const account of [owner, { ...owner, password: "wrong" }, { ...operator, password: "wrong" }, strangers]) {
      assertConsoleRefused(await logIn(world("only"), account), 401, "手机号或密码错误;此处仅平台运营人员可用密码登录");
    }
    assert.equal((await logIn(world("only"), operator)).status, 200);
  });
  test("ten first sign-ins of one person at once make one developer", async () => {
    const claims = { sub: "d-race", phone_number: "13700000010" };
    const begun = await Promise.all(Array.from({ length: 10 }, () => begin(world("creating"), DEVELOPERS)));
    const answers = await Promise.all(
      begun.map((each) => end(world("creating"), each, issuer.grant(each.authorization, claims), DEVELOPERS)),
    );
    const ids = await Promise.all(answers.map(async (answer) => (await meOf("creating", answer)).developerId));
    assert.equal(new Set(ids).size, 1);
  });
  test("the methods name the provider, and that passwords are for operators", async () => {
    const methodsOf = async (kind: "creating" | "only") =>
      (await send(`${world(kind).url}${CONSOLE}/auth/methods`)).json;
    const { consoleUrl } = world("only").portico.ctx.config;
    const name = new URL(issuer.url).host;
    assert.deepEqual(await methodsOf("only"), {
      password: false,
      qr: true,
      oidc: { startUrl: `${consoleUrl}${DEVELOPERS.start}`, name },
    });
    assert.equal((await methodsOf("creating")).password, true);
  });
  test("where the provider is the only way, a code signs in who is no operator only from a member's sign-in by it", async () => {
    const operated = (await ConsoleClient.logIn(world("only"), operator)).in("t_acme");
    const qrOf = async (username: string, phone: string, isProvided: boolean) => {
      const { userId } = await operated.ok("POST", "operator/members", { username, phone, password: PASSWORD });
      if (isProvided) {
        const answer = await signIn(world("only"), issuer, { sub: `s-${username}`, preferred_username: username });
        const cookie = (cookiesIn(answer).get("portico_member_refresh") ?? "").split(";", 1)[0] ?? "";
        const refreshed = await send(`${world("only").url}${CLIENT}/auth/refresh`, {
          method: "POST",
          headers: { cookie },
        });
        assert.equal(refreshed.json.value.user.userId, userId);
        return MemberClient.with(world("only"), refreshed.json.value.accessToken);
      }
      return await MemberClient.signIn(world("only"), { tenantId: "t_acme", username, password: PASSWORD });
    };
    const byPassword = await qrOf("qr-password", owner.phone, false);
    world("only").clock.turn(1_000);
    const code = (await consoleCall(world("only"), "POST", "auth/qr/generate")).json.qrToken;
    assertRefused(await byPassword.post("qr/scan", { qrToken: code }), 403, "400008", "当前成员没有可登录的开发者账号");
    const byProvider = await qrOf("qr-provider", owner.phone, true);
    const confirmed = await pollQr(world("only"), await qrToken(world("only"), byProvider));
    assert.equal(confirmed.json.status, "confirmed", confirmed.text);
    const byOperator = await qrOf("qr-operator", operator.phone, false);
    assert.equal((await pollQr(world("only"), await qrToken(world("only"), byOperator))).json.status, "confirmed");

    const { oidc } = world("only").portico.ctx.config;
    assert.equal(mayUseQr({ oidc }), true);
    for (const members of [
      null,
      { ...(oidc.members as NonNullable<typeof oidc.members>), issuer: "https://x.example" },
    ]) {
      assert.equal(mayUseQr({ oidc: { ...oidc, members } }), false);
    }
    assert.equal(mayUseQr({ oidc: { ...oidc, developers: null } }), true);
  });
  test("a flow of developers is none of members", async () => {
    const begun = await begin(world("only"), DEVELOPERS);
    const code = issuer.grant(begun.authorization, { sub: "d-6" });
    assertProblem(await end(world("only"), begun, code, { callback: MEMBERS.callback }), "FLOW_UNKNOWN");
  });
});
