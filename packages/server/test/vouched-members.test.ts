import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT, logIn as logInMember } from "./support/client-acme.ts";
import {
  assertConsoleRefused,
  CONSOLE,
  ConsoleClient,
  consoleCall,
  ownedApp,
  refreshTokenOf,
} from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { suiteIssuerWorld } from "./support/issuer-world.ts";
import { MemberClient } from "./support/member.ts";
import { cookiesIn, signIn } from "./support/oidc-walk.ts";
import { pollQr, qrToken } from "./support/qr-sign-in.ts";
import { patch, ScimDirectory } from "./support/scim.ts";
import { codeAt, turnOn } from "./support/second-factor.ts";

const PASSWORD = "a password of theirs";
const NO_DEVELOPER = "当前成员没有可登录的开发者账号";

interface Person {
  userId: string;
  username: string;
  phone: string;
}

onBothEngines("a member for whom a directory or a provider vouches", (engine, test) => {
  const { world, issuer } = suiteIssuerWorld(
    engine,
    operatedAcme(ownedApp("app_bot"), ownedApp("app_other", { tenant: "t_other", installations: [] })),
  );
  let count = 0;
  const console = async () => (await ConsoleClient.logIn(world(), operator)).in("t_acme");
  let connected: Promise<ScimDirectory> | null = null;
  const directory = () => {
    connected ??= console().then((client) => ScimDirectory.connect(world().url, client));
    return connected;
  };
  const newPhone = () => `139${randomInt(10 ** 7, 10 ** 8)}`;
  /** A developer with a phone number of their own. */
  const developer = async (phone: string, other: object = {}) => {
    const body = { phone, channelId: 1, name: "Dev", password: PASSWORD, tenants: ["t_acme"], ...other };
    return (await (await console()).ok("POST", "operator/developers", body)).developerId as string;
  };
  const changeDeveloper = async (developerId: string, change: object) =>
    (await console()).ok("PATCH", `operator/developers/${developerId}`, change);
  /** A member whom an operator has made. */
  const member = async (phone = newPhone(), password = PASSWORD): Promise<Person> => {
    const username = `person-${count++}`;
    const { userId } = await (await console()).ok("POST", "operator/members", { username, phone, password });
    return { userId, username, phone };
  };
  const client = ({ username }: Person, password = PASSWORD) =>
    MemberClient.signIn(world(), { tenantId: "t_acme", username, password });
  const replace = async ({ userId }: Person, path: string, value: unknown) =>
    (await directory()).ok("PATCH", `/Users/${userId}`, patch({ op: "replace", path, value }));
  const mobile = (value: string) => [{ type: "mobile", value }];
  const begun = async () => {
    world().clock.turn(1_000);
    return (await consoleCall(world(), "POST", "auth/qr/generate")).json.qrToken as string;
  };
  const assertNobody = async (messenger: MemberClient) =>
    assertRefused(await messenger.post("qr/scan", { qrToken: await begun() }), 403, "400008", NO_DEVELOPER);
  /** Signs in to the console by a code. */
  const throughQr = async (messenger: MemberClient): Promise<Answer> => {
    const answer = await pollQr(world(), await qrToken(world(), messenger));
    assert.equal(answer.json.status, "confirmed", answer.text);
    return answer;
  };
  const calls = (answer: Answer, path: string, headers: Record<string, string> = {}, method = "GET", body?: object) =>
    consoleCall(world(), method, path, {
      headers: { authorization: `Bearer ${answer.json.accessToken}`, ...headers },
      ...(body && { body }),
    });
  const refresh = (answer: Answer) =>
    send(`${world().url}${CONSOLE}/auth/refresh`, {
      method: "POST",
      headers: { cookie: `open_refresh_token=${refreshTokenOf(answer)}` },
    });
  const assertEnded = async (answer: Answer, url = world().url) => {
    const headers = { authorization: `Bearer ${answer.json.accessToken}` };
    assertConsoleRefused(await consoleCall({ url }, "GET", "me", { headers }), 401);
    assertConsoleRefused(await refresh(answer), 401);
  };
  /** Signs a member in with the provider. */
  const withProvider = async ({ username }: Person) => {
    world().clock.turn(1_000);
    const answer = await signIn(world(), issuer(), { sub: `s-${username}`, preferred_username: username });
    const cookie = (cookiesIn(answer).get("portico_member_refresh") ?? "").split(";", 1)[0] ?? "";
    const { json } = await send(`${world().url}${CLIENT}/auth/refresh`, { method: "POST", headers: { cookie } });
    return MemberClient.with(world(), json.value.accessToken);
  };

  const writes: [string, (person: Person) => Promise<unknown>][] = [
    ["the phone number", ({ userId, phone }) => replace({ userId } as Person, "phoneNumbers", mobile(phone))],
    ["the password", (person) => replace(person, "password", PASSWORD)],
    [
      "that they are active",
      async (person) => {
        await replace(person, "active", false);
        await replace(person, "active", true);
      },
    ],
    ["the phone number as it is", ({ userId, phone }) => replace({ userId } as Person, "phoneNumbers", mobile(phone))],
    ["that they are active, as they are", (person) => replace(person, "active", true)],
    [
      "all of that as it is",
      async ({ userId, username, phone }) =>
        (await directory()).ok("PUT", `/Users/${userId}`, { userName: username, phoneNumbers: mobile(phone) }),
    ],
  ];
  for (const [what, write] of writes) {
    test(`is no operator after the directory has written ${what}, until an operator writes the number`, async () => {
      const phone = newPhone();
      await developer(phone, { operator: true, tenants: [] });
      const person = await member(what === "the phone number" ? newPhone() : phone);
      await write({ ...person, phone });
      const messenger = await client(person);
      await assertNobody(messenger);
      await (await console()).ok("PATCH", `operator/members/${person.userId}`, { name: "Renamed" });
      await assertNobody(messenger);
      await (await console()).ok("PATCH", `operator/members/${person.userId}`, { phone });
      assert.equal((await calls(await throughQr(messenger), "me")).json.operator, true);
    });
  }
  test("is none either if the directory or the provider has made the member", async () => {
    const phone = newPhone();
    await developer(phone, { operator: true });
    const made = { userName: `made-${count++}`, password: PASSWORD, phoneNumbers: mobile(phone) };
    const { id } = await (await directory()).ok("POST", "/Users", made, 201);
    await assertNobody(await client({ userId: id, username: made.userName, phone }));
  });
  test("stays vouched for when the identity is unlinked; each sign-in with the provider vouches anew", async () => {
    const phone = newPhone();
    await developer(phone, { operator: true });
    const person = await member(phone);
    await assertNobody(await withProvider(person));
    const identities = `operator/tenants/t_acme/members/${person.userId}/identities`;
    const operated = await console();
    const [{ identityId }] = (await operated.ok("GET", identities)).items;
    await operated.ok("PATCH", `operator/members/${person.userId}`, { phone });
    assertSuccess(await (await client(person)).post("qr/scan", { qrToken: await begun() }));
    const provided = await withProvider(person);
    await operated.ok("PATCH", `operator/members/${person.userId}`, { phone });
    // The number is the operator's word again, but who holds this sign-in is the provider's.
    await assertNobody(provided);
    await withProvider(person);
    await operated.ok("DELETE", `${identities}/${identityId}`, undefined, 204);
    await assertNobody(await client(person));
  });
  test("stays vouched for when an identity from before that was noted is unlinked, unless an operator has written the number", async () => {
    const { storage } = world().portico.ctx;
    for (const isOfOperator of [false, true]) {
      const phone = newPhone();
      await developer(phone, { operator: true });
      const person = await member(phone);
      await withProvider(person);
      await storage.write((tx) =>
        tx.updateTable("members").set({ vouched_by: null }).where("user_id", "=", person.userId).execute(),
      );
      const operated = await console();
      if (isOfOperator) await operated.ok("PATCH", `operator/members/${person.userId}`, { phone });
      const identities = `operator/tenants/t_acme/members/${person.userId}/identities`;
      const [{ identityId }] = (await operated.ok("GET", identities)).items;
      await operated.ok("DELETE", `${identities}/${identityId}`, undefined, 204);
      const messenger = await client(person);
      if (isOfOperator) assertSuccess(await messenger.post("qr/scan", { qrToken: await begun() }));
      else await assertNobody(messenger);
    }
  });
  test("is a developer whose tenants are all the member's, and sees that tenant alone", async () => {
    const phone = newPhone();
    const developerId = await developer(phone);
    const person = await member(phone);
    await replace(person, "password", PASSWORD);
    const messenger = await client(person);
    const login = await throughQr(messenger);
    const { storage } = world().portico.ctx;
    const assertConfined = async (answer: Answer) => {
      const tenant = { "x-open-tenant-id": "t_other" };
      const me = (await calls(answer, "me")).json;
      assert.deepEqual([me.operator, me.tenants], [false, [{ tenantId: "t_acme", name: "Acme" }]]);
      const { items } = (await calls(answer, "apps?pageSize=100")).json;
      assert.ok(items.length > 0 && items.every(({ tenantId }: { tenantId: string }) => tenantId === "t_acme"));
      assertConsoleRefused(await calls(answer, "apps", tenant), 403);
      assertConsoleRefused(await calls(answer, "apps/app_other"), 404);
      assertConsoleRefused(await calls(answer, "apps/app_other/bot-installations", tenant), 403);
      assertConsoleRefused(await calls(answer, "apps/app_other/agents", tenant), 403);
      const app = { type: "BOT", displayName: "New" };
      assertConsoleRefused(await calls(answer, "apps", {}, "POST", { ...app, tenantId: "t_other" }), 403);
      assert.equal((await calls(answer, "apps", {}, "POST", app)).json.tenantId, "t_acme");
      assertConsoleRefused(await calls(answer, "operator/developers"), 403);
    };
    // Behind the service's back, so that the login stays.
    const tenants = { developer_id: developerId, tenant_id: "t_other" };
    await storage.write((tx) => tx.insertInto("developer_tenants").values(tenants).execute());
    await storage.write((tx) =>
      tx.updateTable("developers").set({ operator: 1 }).where("developer_id", "=", developerId).execute(),
    );
    await assertConfined(login);
    await assertConfined(await refresh(login));
    // And no such developer is signed in by a code, not even by one that was confirmed before.
    await assertNobody(messenger);
  });
  for (const [what, other] of [
    ["of no tenant", { tenants: [] }],
    ["of another tenant", { tenants: ["t_other"] }],
    ["of two tenants", { tenants: ["t_acme", "t_other"] }],
    ["who is disabled", { disabled: true }],
  ] as const) {
    test(`is not a developer ${what}, also when that came after the confirmation`, async () => {
      const phone = newPhone();
      const developerId = await developer(phone);
      const person = await member(phone);
      await replace(person, "password", PASSWORD);
      const messenger = await client(person);
      const confirmed = await qrToken(world(), messenger);
      const scanned = await qrToken(world(), messenger, "scanned");
      await changeDeveloper(developerId, other);
      const confirmation = await messenger.post("qr/confirm", { qrToken: scanned });
      assert.equal(confirmation.status, 403, confirmation.text);
      assert.equal((await pollQr(world(), confirmed)).json.status, "expired");
      await assertNobody(messenger);
    });
  }
  for (const [what, change] of [
    ["becoming an operator", { operator: true }],
    ["a tenant more", { tenants: ["t_acme", "t_other"] }],
    ["another tenant", { tenants: ["t_other"] }],
  ] as const) {
    test(`loses the login to the console by ${what} of the developer's, in every process`, async () => {
      const phone = newPhone();
      const developerId = await developer(phone);
      const person = await member(phone);
      await replace(person, "password", PASSWORD);
      const login = await throughQr(await client(person));
      const own = await consoleCall(world(), "POST", "auth/login", {
        body: { phone, channelId: 1, password: PASSWORD },
      });
      await changeDeveloper(developerId, { tenants: ["t_acme"], name: "Same tenants" });
      assert.equal((await calls(login, "me")).status, 200);
      await changeDeveloper(developerId, change);
      await assertEnded(login, engine.name === "postgres" ? (await world().start()).url : undefined);
      assert.equal((await calls(own, "me")).status, 200);
    });
  }
  const ends: [string, (person: Person, messenger: MemberClient) => Promise<unknown>][] = [
    ["active: false", (person) => replace(person, "active", false)],
    ["a deletion by the directory", async ({ userId }) => (await directory()).call("DELETE", `/Users/${userId}`)],
    ["a new password from the directory", (person) => replace(person, "password", "another password")],
    ["another number from the directory", (person) => replace(person, "phoneNumbers", mobile(newPhone()))],
    ["the provider's first word", (person) => withProvider(person)],
    [
      "another number from an operator",
      async ({ userId }) => (await console()).ok("PATCH", `operator/members/${userId}`, { phone: newPhone() }),
    ],
    [
      "being disabled by an operator",
      async ({ userId }) => (await console()).ok("PATCH", `operator/members/${userId}`, { disabled: true }),
    ],
    [
      "a new password from an operator",
      async ({ userId }) =>
        (await console()).ok("PATCH", `operator/members/${userId}`, { password: "another password" }),
    ],
    [
      "an own new password",
      (_, messenger) =>
        messenger.post("me/password", { currentPassword: PASSWORD, newPassword: "another password" }, "PUT"),
    ],
    ["signing out everywhere", (_, messenger) => messenger.delete("sessions", {})],
    ["signing out elsewhere", (_, messenger) => messenger.post("sessions/end-others", {})],
    [
      "an erasure",
      async ({ userId }) => (await console()).ok("POST", `operator/tenants/t_acme/members/${userId}/erase`, {}),
    ],
  ];
  for (const [what, end] of ends) {
    test(`loses the login to the console by ${what}`, async () => {
      const phone = newPhone();
      await developer(phone, { operator: true });
      const person = await member(phone);
      const messenger = await client(person);
      const login = await throughQr(messenger);
      const confirmed = await qrToken(world(), messenger);
      assert.equal((await calls(login, "me")).json.operator, true);
      await end(person, messenger);
      await assertEnded(login, engine.name === "postgres" ? (await world().start()).url : undefined);
      assert.equal((await pollQr(world(), confirmed)).json.status, "expired");
    });
  }
  test("a second step that waits for its code decides anew", async () => {
    const phone = newPhone();
    const account = { phone, channelId: 1, password: PASSWORD };
    const developerId = await developer(phone);
    const person = await member(phone);
    await replace(person, "password", PASSWORD);
    const messenger = await client(person);
    const { secret } = await turnOn(world(), account);
    const waiting = async () => (await pollQr(world(), await qrToken(world(), messenger))).json.secondFactor.challenge;
    const pass = (challenge: string) => {
      world().clock.turn(30_000);
      const code = codeAt(secret, world().clock.now());
      return consoleCall(world(), "POST", "auth/second-factor", { body: { challenge, code } });
    };
    const login = await pass(await waiting());
    assert.deepEqual((await calls(login, "me")).json.tenants.length, 1);
    const second = await waiting();
    await changeDeveloper(developerId, { operator: true });
    await assertEnded(login);
    assertConsoleRefused(await pass(second), 401);
    await changeDeveloper(developerId, { operator: false });
    const third = await waiting();
    await replace(person, "phoneNumbers", mobile(newPhone()));
    assertConsoleRefused(await pass(third), 401);
  });
  test("while the directory writes and a sign-in completes, no login is left that rests on its word alone", async () => {
    const there = engine.name === "postgres" ? (await world().start()).url : world().url;
    for (let n = 0; n < 12; n++) {
      const phone = newPhone();
      await developer(phone, { operator: true });
      const person = await member(phone);
      const messenger = await client(person);
      const scim = await directory();
      const token = await qrToken(world(), messenger);
      const [change, value] = n % 2 === 0 ? ["password", "another password"] : ["phoneNumbers", mobile(newPhone())];
      const [polled] = await Promise.all([
        pollQr({ url: there }, token),
        scim.ok("PATCH", `/Users/${person.userId}`, patch({ op: "replace", path: change, value })),
      ]);
      if (polled.json.status === "confirmed") await assertEnded(polled);
      else assert.equal(polled.json.status, "expired");
    }
  });
  test("while an operator promotes the developer and a sign-in completes, nobody is an operator by it", async () => {
    const there = engine.name === "postgres" ? (await world().start()).url : world().url;
    for (let n = 0; n < 12; n++) {
      const phone = newPhone();
      const developerId = await developer(phone);
      const person = await member(phone);
      await replace(person, "password", PASSWORD);
      const token = await qrToken(world(), await client(person));
      const [polled] = await Promise.all([
        pollQr({ url: there }, token),
        changeDeveloper(developerId, n % 2 === 0 ? { operator: true } : { tenants: ["t_acme", "t_other"] }),
      ]);
      if (polled.json.status === "confirmed") await assertEnded(polled);
      else assert.equal(polled.json.status, "expired");
    }
  });

  test("who was disabled by an operator stays so whatever the directory says, and is told to it as inactive", async () => {
    const person = await member();
    const operated = await console();
    const path = `operator/members/${person.userId}`;
    const account = { tenantId: "t_acme", username: person.username, password: PASSWORD };
    const scim = await directory();
    const user = `/Users/${person.userId}`;
    await operated.ok("PATCH", path, { disabled: true });
    assert.equal((await replace(person, "active", true)).active, false);
    const put = await scim.ok("PUT", user, { userName: person.username, active: true, displayName: "Put" });
    assert.deepEqual([put.active, put.displayName], [false, "Put"]);
    assert.equal((await scim.ok("GET", user)).active, false);
    await replace(person, "active", false);
    assert.equal((await replace(person, "active", true)).active, false);
    assertRefused(await logInMember(world(), account), 401, "400001");
    await operated.ok("PATCH", path, { disabled: false });
    assertSuccess(await logInMember(world(), account));

    // What the directory has done, it takes back, unless an operator has said the same since.
    await replace(person, "active", false);
    assert.equal((await replace(person, "active", true)).active, true);
    await replace(person, "active", false);
    await operated.ok("PATCH", path, { disabled: true });
    assert.equal((await replace(person, "active", true)).active, false);
    // Whom the directory makes as inactive it may let in.
    const made = { userName: `idle-${count++}`, active: false };
    const { id } = await scim.ok("POST", "/Users", made, 201);
    assert.equal((await replace({ userId: id } as Person, "active", true)).active, true);
  });
  test("of who was disabled before that was noted, the audit log tells by whom", async () => {
    const { storage } = world().portico.ctx;
    for (const byDirectory of [true, false]) {
      const person = await member();
      if (byDirectory) await replace(person, "active", false);
      else await (await console()).ok("PATCH", `operator/members/${person.userId}`, { disabled: true });
      await storage.write((tx) =>
        tx.updateTable("members").set({ disabled_by: null }).where("user_id", "=", person.userId).execute(),
      );
      assert.equal((await replace(person, "active", true)).active, byDirectory);
    }
  });
});
