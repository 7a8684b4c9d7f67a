import assert from "node:assert/strict";
import { renameUser } from "../src/domain/scim/user-store.ts";
import { RaceLost } from "../src/platform/storage/savepoint.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT, logIn } from "./support/client-acme.ts";
import { ConsoleClient, consoleCall } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { assertScimRefused, patch, ScimDirectory } from "./support/scim.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld, type World } from "./support/world.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

async function connect(world: World, tenantId = "t_acme") {
  return await ScimDirectory.connect(world.url, await ConsoleClient.logIn(world, operator), tenantId);
}

onBothEngines("SCIM", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme());
  const conversing = suiteWorld(engine, operatedAcme(), { PORTICO_SCIM_GROUPS_AS_CONVERSATIONS: "true" });

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
      name: { formatted: "Mia 王" },
      displayName: "Mia 王",
      active: true,
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
  test("a user name that is given away in the middle of a renaming makes it look again", async () => {
    const renaming = world().portico.ctx.storage.write((tx) => renameUser(tx, "u_alice", "bob"));
    await assert.rejects(renaming, RaceLost);
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
    const directory = await connect(world());
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
