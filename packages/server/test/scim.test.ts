import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { findMentionable, findUserIds } from "../src/domain/directory/user-names.ts";
import { renameUser } from "../src/domain/scim/user-store.ts";
import { checkNames } from "../src/operations/check-store/check-names.ts";
import { Findings } from "../src/operations/check-store/findings.ts";
import { RaceLost } from "../src/platform/storage/savepoint.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT, logIn } from "./support/client-acme.ts";
import { assertConsoleRefused, ConsoleClient, consoleCall } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { assertScimRefused, patch, ScimDirectory } from "./support/scim.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld, type World } from "./support/world.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

const connected = new Map<string, Promise<ScimDirectory>>();

/** A tenant's directory, with one token for all tests: a tenant has a bounded number of them. */
function connect(world: World, tenantId = "t_acme"): Promise<ScimDirectory> {
  const key = `${world.url} ${tenantId}`;
  const known = connected.get(key) ?? connectAnew(world, tenantId);
  connected.set(key, known);
  return known;
}

async function connectAnew(world: World, tenantId: string): Promise<ScimDirectory> {
  return await ScimDirectory.connect(world.url, await ConsoleClient.logIn(world, operator), tenantId);
}

onBothEngines("SCIM", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme());
  const conversing = suiteWorld(engine, operatedAcme(), { PORTICO_SCIM_GROUPS_AS_CONVERSATIONS: "true" });

  // Calls of directories are limited per second of the service's clock, which stands still.
  beforeEach(() => {
    if (engine.missing === null) world().clock.turn(1_000);
  });

  test("Entra's walk: look for the user, make it, change it, disable it, delete it", async () => {
    const entra = await connect(world());
    const filter = (name: string) => `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`;
    const none = await entra.ok("GET", filter("mia@acme.example"));
    assert.deepEqual([none.totalResults, none.Resources], [0, []]);
    const created = await entra.call("POST", "/Users", {
      schemas: [USER, ENTERPRISE],
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName: "mia@acme.example",
      active: true,
      displayName: "Mia 王",
      emails: [{ primary: true, type: "work", value: "mia@acme.example" }],
      meta: { resourceType: "User" },
      name: { formatted: "Mia Wang", familyName: "Wang", givenName: "Mia" },
      phoneNumbers: [
        { type: "work", value: "1" },
        { type: "mobile", value: "+86 139 0000 0042" },
      ],
      roles: [],
      [ENTERPRISE]: { department: "Sales", manager: { value: "x" } },
    });
    assert.equal(created.status, 201, created.text);
    const { id, meta, ...shown } = created.json;
    assert.equal(created.headers.location, meta.location);
    assert.deepEqual(shown, {
      schemas: [USER],
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName: "mia@acme.example",
      name: { formatted: "Mia Wang", givenName: "Mia", familyName: "Wang" },
      displayName: "Mia 王",
      active: true,
      emails: [{ value: "mia@acme.example", type: "work", primary: true }],
      groups: [],
      phoneNumbers: [{ type: "mobile", value: "+8613900000042" }],
    });
    assert.equal((await entra.ok("GET", filter("mia@acme.example"))).Resources[0].id, id);
    const changed = await entra.ok(
      "PATCH",
      `/Users/${id}`,
      patch(
        { op: "Replace", path: 'emails[type eq "work"].value', value: "mia@new.example" },
        { op: "Replace", path: "displayName", value: "Mia Li" },
        { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "13900000043" },
        { op: "Add", path: `${ENTERPRISE}:department`, value: "Support" },
        { op: "Replace", value: { "name.givenName": "Mia", externalId: "new-id", [`${ENTERPRISE}:title`]: "x" } },
      ),
    );
    assert.deepEqual(
      [changed.displayName, changed.phoneNumbers[0].value, changed.externalId],
      ["Mia Li", "13900000043", "new-id"],
    );
    assert.deepEqual(changed.emails, [{ value: "mia@new.example", type: "work", primary: true }]);
    const disabled = await entra.ok("PATCH", `/Users/${id}`, patch({ op: "Replace", path: "active", value: "False" }));
    assert.equal(disabled.active, false);
    assert.equal(
      (await entra.ok("PATCH", `/Users/${id}`, patch({ op: "Add", path: "active", value: "True" }))).active,
      true,
    );
    assert.equal((await entra.call("DELETE", `/Users/${id}`)).status, 204);
    for (const method of ["GET", "DELETE"]) assertScimRefused(await entra.call(method, `/Users/${id}`), 404);
    await entra.refused("PATCH", `/Users/${id}`, patch({ op: "Replace", path: "active", value: "True" }), 404);
    const again = await entra.ok("POST", "/Users", { schemas: [USER], userName: "mia@acme.example" }, 201);
    assert.notEqual(again.id, id);
  });
  test("Okta's walk: ask for a page, make the user with a password, replace it, deactivate it", async () => {
    const okta = await connect(world());
    const page = await okta.ok("GET", "/Users?startIndex=1&count=1");
    assert.deepEqual([page.startIndex, page.itemsPerPage, page.Resources.length], [1, 1, 1]);
    assert.ok(page.totalResults >= 3);
    const body = {
      schemas: [USER],
      userName: "noah@acme.example",
      name: { givenName: "Noah", familyName: "Ng" },
      emails: [{ primary: true, value: "noah@acme.example", type: "work" }],
      displayName: "Noah Ng",
      locale: "en-US",
      externalId: "00ujl29u0le5T6Aj10h7",
      groups: [],
      password: "a password of Okta's",
      active: true,
    };
    const { id } = await okta.ok("POST", "/Users", body, 201);
    const account = { tenantId: "t_acme", username: "noah@acme.example", password: "a password of Okta's" };
    const login = await logIn(world(), account);
    assertSuccess(login);
    const { password: _, ...put } = { ...body, id, displayName: "Noah N." };
    const replaced = await okta.ok("PUT", `/Users/${id}`, put);
    assert.equal(replaced.displayName, "Noah N.");
    assert.ok(!JSON.stringify(replaced).includes("password"));
    const stream = await StreamClient.open(world().url, login.json.value.accessToken);
    await okta.ok("PATCH", `/Users/${id}`, patch({ op: "replace", value: { active: false } }));
    await stream.closed;
    const headers = { authorization: `Bearer ${login.json.value.accessToken}` };
    assertRefused(await send(`${world().url}${CLIENT}/conversations`, { headers }), 401, "400001");
    assertRefused(await logIn(world(), account), 401, "400001");
    // What a PUT does not say of active stays as it is.
    assert.equal((await okta.ok("PUT", `/Users/${id}`, { userName: account.username })).active, false);
  });
  test("a user name is unique among those who are not deleted", async () => {
    const directory = await connect(world());
    await directory.refused("POST", "/Users", { userName: "alice" }, 409, "uniqueness");
    const { id } = await directory.ok("POST", "/Users", { userName: "unique-1" }, 201);
    await directory.refused(
      "PATCH",
      `/Users/${id}`,
      patch({ op: "replace", path: "userName", value: "bob" }),
      409,
      "uniqueness",
    );
    await directory.refused("PUT", `/Users/${id}`, { userName: "bob" }, 409, "uniqueness");
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => directory.call("POST", "/Users", { userName: "unique-2" })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  });
  test("user names differ without regard to case, whoever adds them, and are kept as written", async () => {
    const directory = await connect(world());
    const client = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    const filtered = async (name: string) =>
      (await directory.ok("GET", `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`)).Resources;
    const { id } = await directory.ok(
      "POST",
      "/Users",
      { userName: "Kim.Lee@Acme.example", password: "kim's own one" },
      201,
    );
    for (const name of ["kim.lee@acme.example", "KIM.LEE@ACME.EXAMPLE", "\u212aim.lee@acme.example"]) {
      await directory.refused("POST", "/Users", { userName: name }, 409, "uniqueness");
      const [found, ...others] = await filtered(name);
      assert.deepEqual([found.id, found.userName, others.length], [id, "Kim.Lee@Acme.example", 0]);
    }
    const inConsole = await client.call("POST", "operator/members", { username: "kim.lee@acme.example" });
    assertConsoleRefused(inConsole, 409, "用户名与已有的Kim.Lee@Acme.example仅大小写不同");
    await directory.refused(
      "PATCH",
      `/Users/u_bob`,
      patch({ op: "replace", path: "userName", value: "ALICE" }),
      409,
      "uniqueness",
    );
    const login = await logIn(world(), {
      tenantId: "t_acme",
      username: "KIM.lee@acme.EXAMPLE",
      password: "kim's own one",
    });
    assertSuccess(login);
    assert.equal(login.json.value.user.username, "Kim.Lee@Acme.example");
    const { groupId } = await client.ok("POST", "operator/groups", {
      name: "Kims",
      members: ["kim.LEE@acme.example", "BOB"],
    });
    const { members } = await client.ok("GET", `operator/groups/${groupId}`);
    assert.deepEqual(members.map(({ username }: { username: string }) => username).sort(), [
      "Kim.Lee@Acme.example",
      "bob",
    ]);
    const renamed = await directory.ok(
      "PATCH",
      `/Users/${id}`,
      patch({ op: "replace", path: "userName", value: "kim.lee@acme.example" }),
    );
    assert.equal(renamed.userName, "kim.lee@acme.example");
    const guest = await directory.ok("POST", "/Users", { userName: "Ünal#EXT#@acme.example" }, 201);
    assert.equal((await filtered("üNAL#ext#@acme.example"))[0].id, guest.id);
    const answers = await Promise.all(
      ["Race", "RACE", "race", "rAcE"].map((userName) => directory.call("POST", "/Users", { userName })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });
  test("where names that differ in their case alone are there already, each is found by its own", async () => {
    const { storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      for (const [user_id, username] of [
        ["u_pair1", "Pair"],
        ["u_pair2", "pair"],
      ] as const)
        await tx
          .insertInto("members")
          .values({ user_id, tenant_id: "t_acme", username, name: username, password_hash: null, phone: null })
          .execute();
    });
    const accounts = ["Pair", "pair", "PAIR"];
    const found = await findUserIds(storage.db, "t_acme", accounts);
    assert.deepEqual(
      accounts.map((account) => found.get(account)),
      ["u_pair1", "u_pair2", "u_pair1"],
    );
    const mentioned = await Promise.all(
      accounts.map((account) =>
        storage.writeInStep((tx) => findMentionable(tx, "t_acme", [account]), { selfContained: true }),
      ),
    );
    assert.deepEqual(
      mentioned.map((each, index) => each.get(accounts[index] ?? "")?.userId),
      ["u_pair1", "u_pair2", "u_pair1"],
    );
    const directory = await connect(world());
    const filter = encodeURIComponent('userName eq "pair"');
    assert.deepEqual(
      (await directory.ok("GET", `/Users?filter=${filter}`)).Resources.map(({ id }: { id: string }) => id),
      ["u_pair2"],
    );
    await directory.ok("PATCH", "/Users/u_pair2", patch({ op: "replace", path: "displayName", value: "The other" }));
    await directory.refused("POST", "/Users", { userName: "PAIR" }, 409, "uniqueness");
    const findings = new Findings();
    await checkNames(storage, findings);
    assert.deepEqual(
      findings.report().findings.map(({ kind, of }) => `${kind} ${of}`),
      ["member u_pair2"],
    );
    await directory.ok("PATCH", "/Users/u_pair2", patch({ op: "replace", path: "userName", value: "pair.2" }));
  });
  test("a user name that is given away in the middle of a renaming makes it look again", async () => {
    const renaming = world().portico.ctx.storage.write((tx) => renameUser(tx, "u_alice", "bob"));
    await assert.rejects(renaming, RaceLost);
  });
  test("Okta's own test: names and addresses are kept and told, and the display name follows from them", async () => {
    const okta = await connect(world());
    const body = {
      schemas: [USER],
      userName: "Runscope300@acme.example",
      name: { givenName: "Runscope", familyName: "Tester" },
      emails: [{ primary: true, value: "runscope@acme.example", type: "work" }],
      active: true,
    };
    const before = Date.now() - 60_000;
    const created = await okta.ok("POST", "/Users", body, 201);
    const { id, meta } = created;
    assert.deepEqual(created.name, { formatted: "Runscope Tester", givenName: "Runscope", familyName: "Tester" });
    assert.deepEqual(
      [created.displayName, created.emails],
      ["Runscope Tester", [{ value: "runscope@acme.example", type: "work", primary: true }]],
    );
    assert.ok(Date.parse(meta.created) > before && meta.lastModified === meta.created);
    assert.deepEqual(await okta.ok("GET", `/Users/${id}`), created);
    world().clock.turn(1_000);
    const changed = await okta.ok(
      "PATCH",
      `/Users/${id}`,
      patch({ op: "Replace", path: "name.familyName", value: "Walker" }),
    );
    assert.deepEqual(
      [changed.displayName, changed.name.familyName, changed.name.formatted],
      ["Runscope Walker", "Walker", "Runscope Walker"],
    );
    assert.ok(changed.meta.lastModified > meta.lastModified && changed.meta.created === meta.created);
    const own = await okta.ok(
      "PATCH",
      `/Users/${id}`,
      patch({ op: "add", value: { displayName: "Run", "name.givenName": "Ronnie" } }),
    );
    assert.deepEqual([own.displayName, own.name.formatted], ["Run", "Ronnie Walker"]);
    const put = await okta.ok("PUT", `/Users/${id}`, { ...body, name: { familyName: "王", givenName: "小明" } });
    assert.deepEqual([put.displayName, put.name.formatted], ["王小明", "王小明"]);
    const whole = await okta.ok("PUT", `/Users/${id}`, {
      ...body,
      name: { formatted: "Dr. Runscope", givenName: "R" },
      emails: [],
    });
    assert.deepEqual([whole.displayName, whole.emails], ["Dr. Runscope", undefined]);
    const bare = await okta.ok("PATCH", `/Users/${id}`, patch({ op: "remove", path: "name" }));
    assert.deepEqual(
      [bare.displayName, bare.name],
      ["Runscope300@acme.example", { formatted: "Runscope300@acme.example" }],
    );
    const group = await okta.ok("POST", "/Groups", { displayName: "Walkers", members: [{ value: id }] }, 201);
    const [shown] = (await okta.ok("GET", `/Users?filter=${encodeURIComponent(`id eq "${id}"`)}`)).Resources;
    assert.deepEqual(
      shown.groups.map(({ value, display, type }: Record<string, string>) => [value, display, type]),
      [[group.id, "Walkers", "direct"]],
    );
    assert.ok(group.meta.created && group.meta.lastModified);
  });
  test("a name that an operator has given since stays until the directory gives one", async () => {
    const directory = await connect(world());
    const client = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    const { id } = await directory.ok(
      "POST",
      "/Users",
      { userName: "given", name: { givenName: "Gi", familyName: "Ven" } },
      201,
    );
    await client.ok("PATCH", `operator/members/${id}`, { name: "The chief" });
    const renamed = await directory.ok(
      "PATCH",
      `/Users/${id}`,
      patch({ op: "add", path: "name.givenName", value: "Go" }),
    );
    assert.deepEqual([renamed.displayName, renamed.name.givenName], ["The chief", "Go"]);
    const alice = await directory.ok(
      "PATCH",
      "/Users/u_alice",
      patch({ op: "add", path: "emails", value: [{ value: "a@acme.example" }] }),
    );
    assert.deepEqual([alice.displayName, alice.emails], ["Alice", [{ value: "a@acme.example" }]]);
  });
  test("addresses are changed as Entra and Okta do", async () => {
    const directory = await connect(world());
    const { id } = await directory.ok("POST", "/Users", { userName: "mails" }, 201);
    const after = async (...operations: object[]) =>
      (await directory.ok("PATCH", `/Users/${id}`, patch(...operations))).emails;
    const work = { value: "w@acme.example", type: "work" };
    assert.deepEqual(await after({ op: "Add", path: 'emails[type eq "work"].value', value: work.value }), [work]);
    assert.deepEqual(await after({ op: "Replace", path: 'emails[type eq "work"].primary', value: "True" }), [
      { ...work, primary: true },
    ]);
    const home = { value: "h@acme.example", type: "home", primary: true };
    assert.deepEqual(await after({ op: "add", path: "emails", value: [home] }), [work, home]);
    assert.deepEqual(await after({ op: "replace", value: { 'emails[type eq "home"].value': "x@acme.example" } }), [
      work,
      { ...home, value: "x@acme.example" },
    ]);
    assert.deepEqual(await after({ op: "remove", path: 'emails[type eq "home"]' }), [work]);
    assert.deepEqual(await after({ op: "replace", path: "emails.value", value: "y@acme.example" }), [
      { ...work, value: "y@acme.example" },
    ]);
    assert.deepEqual(await after({ op: "replace", path: "emails", value: [{ value: "", type: "work" }] }), undefined);
    const twice = [{ ...home }, { ...home, value: "z@acme.example" }];
    await directory.refused(
      "PATCH",
      `/Users/${id}`,
      patch({ op: "replace", path: "emails", value: twice }),
      400,
      "invalidValue",
    );
  });
  for (const [name, value] of [
    ["name", ["Ann"]],
    ["name", "Ann"],
    ["name", { givenName: ["Ann"] }],
    ["name", { familyName: { value: "Ann" } }],
    ["displayName", { value: "x" }],
    ["emails", "x@acme.example"],
    ["emails", ["x@acme.example"]],
    ["emails", [{ value: 7 }]],
    ["emails", [{ value: "x", primary: "maybe" }]],
    ["phoneNumbers", { value: "1" }],
    ["phoneNumbers", [5]],
    ["phoneNumbers", [{ type: 5, value: "13900000001" }]],
    ["phoneNumbers", [{ type: "mobile", value: 139 }]],
    ["active", 1],
    ["active", []],
    ["externalId", 5],
    ["userName", ["x"]],
    ["password", 12345678],
    ["schemas", USER],
  ] as const) {
    test(`${name} as ${JSON.stringify(value)} is 400`, async () => {
      const directory = await connect(world());
      const body = { userName: "typed", ...{ [name]: value } };
      await directory.refused("POST", "/Users", body, 400, "invalidValue");
      await directory.refused("PUT", "/Users/u_carol", body, 400, "invalidValue");
      if (name !== "schemas")
        await directory.refused(
          "PATCH",
          "/Users/u_carol",
          patch({ op: "replace", path: name, value }),
          400,
          "invalidValue",
        );
    });
  }
  test("attributes and excludedAttributes choose what is told, everywhere", async () => {
    const directory = await connect(world());
    const body = {
      userName: "chosen",
      name: { givenName: "Cho", familyName: "Sen" },
      emails: [{ value: "c@acme.example", type: "work" }],
    };
    const created = await directory.ok("POST", "/Users?attributes=userName", body, 201);
    assert.deepEqual(Object.keys(created).sort(), ["id", "schemas", "userName"]);
    const path = `/Users/${created.id}`;
    const keys = async (method: string, query: string, sent?: unknown) =>
      Object.keys(await directory.ok(method, `${path}?${query}`, sent)).sort();
    assert.deepEqual(await keys("GET", `attributes=${USER}:displayName,unknown`), ["displayName", "id", "schemas"]);
    assert.deepEqual(await keys("PUT", "excludedAttributes=meta,groups,name,id,EMAILS,active", body), [
      "displayName",
      "id",
      "schemas",
      "userName",
    ]);
    assert.deepEqual(
      await keys("PATCH", "attributes=active", patch({ op: "replace", path: "active", value: "True" })),
      ["active", "id", "schemas"],
    );
    const parts = await directory.ok("GET", `${path}?attributes=name.givenName,emails.value`);
    assert.deepEqual([parts.name, parts.emails], [{ givenName: "Cho" }, [{ value: "c@acme.example" }]]);
    const rest = await directory.ok("GET", `${path}?excludedAttributes=name.formatted,emails.type`);
    assert.deepEqual(
      [rest.name, rest.emails],
      [{ givenName: "Cho", familyName: "Sen" }, [{ value: "c@acme.example" }]],
    );
    const [listed] = (await directory.ok("GET", "/Users?attributes=userName&count=1")).Resources;
    assert.deepEqual(Object.keys(listed).sort(), ["id", "schemas", "userName"]);
    const group = await directory.ok(
      "POST",
      "/Groups?excludedAttributes=members",
      { displayName: "Chosen", members: [{ value: created.id }] },
      201,
    );
    assert.deepEqual(Object.keys(group).sort(), ["displayName", "id", "meta", "schemas"]);
    const inList = (
      await directory.ok(
        "GET",
        `/Groups?attributes=members.value&filter=${encodeURIComponent('displayName eq "Chosen"')}`,
      )
    ).Resources[0];
    assert.deepEqual(inList.members, [{ value: created.id }]);
    const renamed = await directory.ok(
      "PATCH",
      `/Groups/${group.id}?attributes=displayName`,
      patch({ op: "replace", path: "displayName", value: "Chosen 2" }),
    );
    assert.deepEqual(Object.keys(renamed).sort(), ["displayName", "id", "schemas"]);
    await directory.refused("GET", "/Users?attributes=a&attributes=b", undefined, 400, "invalidValue");
    await directory.refused(
      "POST",
      "/Users?excludedAttributes=a&excludedAttributes=b",
      { userName: "never" },
      400,
      "invalidValue",
    );
  });
  test("filters by eq, joined by and and or; anything else is invalidFilter", async () => {
    const directory = await connect(world());
    await directory.ok("POST", "/Users", { userName: "filtered", externalId: "x-1", displayName: 'A "b" c' }, 201);
    const found = async (filter: string) => {
      const { Resources } = await directory.ok("GET", `/Users?filter=${encodeURIComponent(filter)}`);
      return Resources.map(({ userName }: { userName: string }) => userName);
    };
    assert.deepEqual(await found('externalId eq "x-1"'), ["filtered"]);
    assert.deepEqual(await found('displayName eq "A \\"b\\" c"'), ["filtered"]);
    assert.deepEqual(await found(`${USER}:userName EQ "alice"`), ["alice"]);
    assert.deepEqual(await found('id eq "u_alice" and active eq true'), ["alice"]);
    assert.deepEqual(await found('userName eq "alice" and externalId eq "x-1"'), []);
    assert.deepEqual(await found('userName eq "bob" or userName eq "alice"'), ["alice", "bob"]);
    assert.deepEqual(await found('userName eq "a\' or 1=1 --"'), []);
    for (const filter of [
      'userName co "a"',
      'nickName eq "x"',
      'emails.value eq "filtered@acme.example"',
      'userName eq "alice" or emails.value eq "a"',
      "userName pr",
      'userName eq "a" or',
      'userName eq "a',
      "userName eq a",
      '(userName eq "a")',
      `userName eq "${"x".repeat(1_100)}"`,
      Array.from({ length: 11 }, () => 'userName eq "a"').join(" or "),
    ]) {
      await directory.refused("GET", `/Users?filter=${encodeURIComponent(filter)}`, undefined, 400, "invalidFilter");
    }
    const byOwner = `/Groups?filter=${encodeURIComponent('owner eq "x"')}`;
    await directory.refused("GET", byOwner, undefined, 400, "invalidFilter");
  });
  test("pages: startIndex and count, with the total", async () => {
    const directory = await connect(world(), "t_other");
    for (const n of [1, 2, 3]) await directory.ok("POST", "/Users", { userName: `page-${n}` }, 201);
    const page = async (query: string) => {
      const { totalResults, startIndex, itemsPerPage, Resources } = await directory.ok("GET", `/Users?${query}`);
      return [totalResults, startIndex, itemsPerPage, Resources.map(({ userName }: { userName: string }) => userName)];
    };
    assert.deepEqual(await page("startIndex=2&count=2"), [3, 2, 2, ["page-2", "page-3"]]);
    assert.deepEqual(await page("count=0"), [3, 1, 0, []]);
    assert.deepEqual(await page("startIndex=0&count=-1"), [3, 1, 0, []]);
    assert.deepEqual(await page("startIndex=9"), [3, 9, 0, []]);
    assert.deepEqual((await page("count=100000"))[0], 3);
    await directory.refused("GET", "/Users?count=x", undefined, 400, "invalidValue");
  });
  for (const [what, body, scimType] of [
    ["no operations", { schemas: [] }, "invalidSyntax"],
    ["an unknown operation", patch({ op: "move", path: "active", value: true }), "invalidSyntax"],
    ["a path that is none", patch({ op: "add", path: "emails[type eq", value: "x" }), "invalidPath"],
    ["a filter in a path that is none", patch({ op: "add", path: "emails[type]", value: "x" }), "invalidFilter"],
    ["a removal without a path", patch({ op: "remove" }), "noTarget"],
    ["a value that is no object", patch({ op: "replace", value: "x" }), "invalidValue"],
    ["an active that is neither", patch({ op: "replace", path: "active", value: "maybe" }), "invalidValue"],
    ["a removed user name", patch({ op: "remove", path: "userName" }), "invalidValue"],
    ["another id", patch({ op: "replace", path: "id", value: "u_bob" }), "mutability"],
    ["a password that is too short", patch({ op: "replace", path: "password", value: "short" }), "invalidValue"],
    [
      "a password that everybody tries",
      patch({ op: "replace", path: "password", value: "password123" }),
      "invalidValue",
    ],
    [
      "a hundred and one operations",
      patch(...Array.from({ length: 101 }, () => ({ op: "add", path: "x" }))),
      "tooMany",
    ],
    ["no JSON", "{", "invalidSyntax"],
  ] as const) {
    test(`${what}: 400 ${scimType}`, async () => {
      await (await connect(world(), "t_acme")).refused("PATCH", "/Users/u_alice", body, 400, scimType);
    });
  }
  test("groups: made, filtered, changed as Entra and Okta do, deleted; no conversations", async () => {
    const directory = await connect(world());
    const { id } = await directory.ok(
      "POST",
      "/Groups",
      { schemas: [GROUP], externalId: "g-1", displayName: "Sales", members: [{ value: "u_alice" }] },
      201,
    );
    const [listed] = (
      await directory.ok(
        "GET",
        `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Sales"')}`,
      )
    ).Resources;
    assert.deepEqual([listed.id, listed.externalId, listed.members], [id, "g-1", undefined]);
    const members = async () =>
      (await directory.ok("GET", `/Groups/${id}`)).members.map(({ value }: { value: string }) => value);
    await directory.ok(
      "PATCH",
      `/Groups/${id}`,
      patch({ op: "Add", path: "members", value: [{ $ref: null, value: "u_bob" }] }),
    );
    assert.deepEqual(await members(), ["u_alice", "u_bob"]);
    await directory.ok(
      "PATCH",
      `/Groups/${id}`,
      patch({ op: "Remove", path: "members", value: [{ value: "u_alice" }] }),
    );
    assert.deepEqual(await members(), ["u_bob"]);
    await directory.ok("PATCH", `/Groups/${id}`, patch({ op: "remove", path: 'members[value eq "u_bob"]' }));
    assert.deepEqual(await members(), []);
    const renamed = await directory.ok(
      "PATCH",
      `/Groups/${id}`,
      patch({ op: "replace", value: { id, displayName: "Sales EU" } }),
    );
    assert.equal(renamed.displayName, "Sales EU");
    await directory.ok("PUT", `/Groups/${id}`, { displayName: "Sales EU", members: [{ value: "u_carol" }] });
    assert.deepEqual(await members(), ["u_carol"]);
    await directory.refused(
      "PATCH",
      `/Groups/${id}`,
      patch({ op: "add", path: "members", value: [{ value: "u_x" }] }),
      400,
      "invalidValue",
    );
    const many = Array.from({ length: 5_001 }, (_, n) => ({ value: `u_${n}` }));
    await directory.refused("PUT", `/Groups/${id}`, { displayName: "Sales", members: many }, 400, "tooMany");
    const client = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    assert.equal((await client.call("GET", `operator/groups/${id}`)).status, 404);
    assert.equal((await directory.call("DELETE", `/Groups/${id}`)).status, 204);
    assertScimRefused(await directory.call("GET", `/Groups/${id}`), 404);
  });
  test("as conversations, groups have their members in the messenger, and keep the conversation when they go", async () => {
    const directory = await connect(conversing());
    const { id } = await directory.ok("POST", "/Groups", { displayName: "All", members: [{ value: "u_alice" }] }, 201);
    const client = (await ConsoleClient.logIn(conversing(), operator)).in("t_acme");
    const members = async () =>
      (await client.ok("GET", `operator/groups/${id}`)).members.map(({ userId }: { userId: string }) => userId);
    assert.deepEqual(await members(), ["u_alice"]);
    await directory.ok("PATCH", `/Groups/${id}`, patch({ op: "add", path: "members", value: [{ value: "u_bob" }] }));
    assert.deepEqual(await members(), ["u_alice", "u_bob"]);
    assert.equal((await directory.call("DELETE", "/Users/u_bob")).status, 204);
    assert.deepEqual(await members(), ["u_alice"]);
    assert.equal((await directory.call("DELETE", `/Groups/${id}`)).status, 204);
    assert.deepEqual(await members(), []);
  });
  test("only a token of the tenant is accepted, and none after it was deleted", async () => {
    const directory = await connectAnew(world(), "t_acme");
    const at = (tenantId: string, authorization: string | null) =>
      send(`${world().url}/scim/v2/${tenantId}/Users`, { headers: { authorization } });
    assert.equal((await at("t_acme", `Bearer ${directory.token}`)).status, 200);
    for (const [tenantId, authorization] of [
      ["t_other", `Bearer ${directory.token}`],
      ["t_nowhere", `Bearer ${directory.token}`],
      ["t_acme", null],
      ["t_acme", "Bearer x"],
      ["t_acme", `Basic ${directory.token}`],
      ["%00", `Bearer ${directory.token}`],
    ] as const) {
      const answer = await at(tenantId, authorization);
      if (tenantId === "%00") assert.equal(answer.status, 400);
      else assertScimRefused(answer, 401);
    }
    const client = await ConsoleClient.logIn(world(), operator);
    const path = "operator/tenants/t_acme/scim-tokens";
    const { items } = await client.ok("GET", path);
    assert.ok(items.some(({ tokenId }: { tokenId: string }) => tokenId === directory.tokenId));
    assert.ok(!JSON.stringify(items).includes(directory.token));
    await client.ok("DELETE", `${path}/${directory.tokenId}`, undefined, 204);
    assertScimRefused(await at("t_acme", `Bearer ${directory.token}`), 401);
    const refused = await consoleCall(world(), "GET", path);
    assert.equal(refused.status, 401);
  });
  test("another tenant's users and groups do not exist", async () => {
    const directory = await connect(world(), "t_other");
    for (const path of ["/Users/u_alice", "/Groups/g_team"]) {
      assertScimRefused(await directory.call("GET", path), 404);
      assertScimRefused(await directory.call("DELETE", path), 404);
    }
    const mine = await directory.ok("POST", "/Groups", { displayName: "Mine" }, 201);
    const add = patch({ op: "add", path: "members", value: [{ value: "u_alice" }] });
    await directory.refused("PATCH", `/Groups/${mine.id}`, add, 400, "invalidValue");
  });
  test("says what it can do, and what its resources have", async () => {
    const directory = await connect(world());
    const config = await directory.ok("GET", "/ServiceProviderConfig");
    assert.deepEqual([config.patch.supported, config.etag.supported, config.filter.maxResults], [true, false, 200]);
    const { Resources: schemas } = await directory.ok("GET", "/Schemas");
    assert.deepEqual(
      schemas.map(({ id }: { id: string }) => id),
      [USER, GROUP],
    );
    assert.equal((await directory.ok("GET", `/Schemas/${USER}`)).name, "User");
    assert.equal((await directory.ok("GET", "/ResourceTypes")).totalResults, 2);
    assertScimRefused(await directory.call("GET", "/Schemas/none"), 404);
  });
  test("other types than JSON, and bodies of more than a MiB, are refused", async () => {
    const directory = await connect(world());
    assertScimRefused(await directory.call("POST", "/Users", "<a/>", { "content-type": "application/xml" }), 415);
    const long = await directory.call("POST", "/Users", { userName: "long", x: "x".repeat(1_100_000) });
    assertScimRefused(long, 413);
  });
});
