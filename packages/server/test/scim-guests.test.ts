import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT, logIn } from "./support/client-acme.ts";
import { assertConsoleRefused, ConsoleClient } from "./support/console.ts";
import { customerApp } from "./support/customer-acme.ts";
import { DESK } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { suiteIssuerWorld } from "./support/issuer-world.ts";
import { assertProblem, cookiesIn, signIn } from "./support/oidc-walk.ts";
import { assertScimRefused, patch, ScimDirectory } from "./support/scim.ts";
import { StreamClient } from "./support/stream-client.ts";

const DESK_APP = "app_desk";
const GUEST = "ann_contoso.com#EXT#@acme.example";
const PASSWORD = "a password of Ann's";

onBothEngines("SCIM: names, returns and pace of directories", (engine, test) => {
  const { world, issuer } = suiteIssuerWorld(engine, operatedAcme(customerApp(DESK_APP)));
  const connect = async (tenantId = "t_acme") =>
    await ScimDirectory.connect(world().url, await ConsoleClient.logIn(world(), operator), tenantId);
  const named = (name: string) => `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`;

  test("a guest of Entra's has the name that Entra gave, and signs in by one that fits", async () => {
    const entra = await connect();
    assert.equal((await entra.ok("GET", named(GUEST))).totalResults, 0);
    const { id, userName } = await entra.ok("POST", "/Users", { userName: GUEST, password: PASSWORD }, 201);
    assert.equal(userName, GUEST);
    const [found] = (await entra.ok("GET", named(GUEST))).Resources;
    assert.deepEqual([found.id, found.userName], [id, GUEST]);
    const account = { tenantId: "t_acme", username: "ann_contoso.com-EXT-@acme.example", password: PASSWORD };
    assertSuccess(await logIn(world(), account));
    // What fits is no name of the directory's, and cannot be given to another.
    assert.equal((await entra.ok("GET", named(account.username))).totalResults, 0);
    await entra.refused("POST", "/Users", { userName: account.username }, 409, "uniqueness");
    await entra.refused("POST", "/Users", { userName: GUEST }, 409, "uniqueness");
    const renamed = await entra.ok(
      "PATCH",
      `/Users/${id}`,
      patch({ op: "Replace", path: "userName", value: "o'brien@acme.example" }),
    );
    assert.equal(renamed.userName, "o'brien@acme.example");
    assertSuccess(await logIn(world(), { ...account, username: "o-brien@acme.example" }));
    const plain = await entra.ok("PUT", `/Users/${id}`, { userName: "o-brien@acme.example" });
    assert.equal(plain.userName, "o-brien@acme.example");
    assert.equal((await entra.ok("GET", named("o-brien@acme.example"))).totalResults, 1);
    assert.equal((await entra.ok("GET", named("o'brien@acme.example"))).totalResults, 0);
  });
  for (const [userName, username] of [
    [".dot@acme.example", "_.dot@acme.example"],
    ["müller+x", "m-ller-x"],
    ["王 1", "_--1"],
  ] as const) {
    test(`${userName} is ${username} here`, async () => {
      const directory = await connect();
      const { id } = await directory.ok("POST", "/Users", { userName, password: PASSWORD }, 201);
      assert.equal((await directory.ok("GET", `/Users/${id}`)).userName, userName);
      assertSuccess(await logIn(world(), { tenantId: "t_acme", username, password: PASSWORD }));
    });
  }
  for (const userName of ["", "王", "x".repeat(129), "a\u0000", "a\u0007b", 7]) {
    test(`${JSON.stringify(userName).slice(0, 20)} is no userName`, async () => {
      await (await connect()).refused("POST", "/Users", { userName }, 400, "invalidValue");
    });
  }
  test("a guest is known to the provider by the same name, and nobody else by the name that was made of it", async () => {
    const directory = await connect();
    const { id } = await directory.ok("POST", "/Users", { userName: "eve_x.com#EXT#@acme.example" }, 201);
    const thief = { sub: "s-thief", preferred_username: "eve_x.com-EXT-@acme.example" };
    assertProblem(await signIn(world(), issuer(), thief), "NAME_TAKEN");
    const other = { sub: "s-other", preferred_username: "eve_x.com+EXT+@acme.example" };
    assertProblem(await signIn(world(), issuer(), other), "NAME_TAKEN");
    world().clock.turn(1_000);
    const answer = await signIn(world(), issuer(), { sub: "s-eve", preferred_username: "eve_x.com#EXT#@acme.example" });
    assert.equal(answer.status, 302, answer.text);
    const cookie = (cookiesIn(answer).get("portico_member_refresh") ?? "").split(";", 1)[0] ?? "";
    const { json } = await send(`${world().url}${CLIENT}/auth/refresh`, { method: "POST", headers: { cookie } });
    assert.equal(json.value.user.userId, id);
  });
  test("who was deactivated may be enabled by an operator, and the directory's next word counts; who was deleted may not", async () => {
    const directory = await connect();
    const account = { tenantId: "t_acme", username: "back", password: PASSWORD };
    const { id } = await directory.ok("POST", "/Users", { userName: "back", password: PASSWORD }, 201);
    const client = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    const deactivate = patch({ op: "replace", path: "active", value: false });
    await directory.ok("PATCH", `/Users/${id}`, deactivate);
    assertRefused(await logIn(world(), account), 401, "400001");
    await client.ok("PATCH", `operator/members/${id}`, { disabled: false });
    assertSuccess(await logIn(world(), account));
    assert.equal((await directory.ok("GET", `/Users/${id}`)).active, true);
    await directory.ok("PATCH", `/Users/${id}`, deactivate);
    assertRefused(await logIn(world(), account), 401, "400001");

    assert.equal((await directory.call("DELETE", `/Users/${id}`)).status, 204);
    for (const body of [{ disabled: false }, { password: PASSWORD }, { name: "Back" }]) {
      assertConsoleRefused(await client.call("PATCH", `operator/members/${id}`, body), 404);
    }
    const { items } = await client.ok("GET", `operator/members?keyword=${id}`);
    assert.deepEqual([items[0].username, items[0].disabled], [`~${id}`, true]);
    assertRefused(await logIn(world(), { ...account, username: `~${id}` }), 401, "400001");
  });
  test("who is deactivated, or deleted, loses streams, those of a desk too, and calls in every process, at once", async () => {
    const directory = await connect();
    const url = engine.name === "postgres" ? (await world().start()).url : world().url;
    for (const lose of [
      (id: string) => directory.ok("PATCH", `/Users/${id}`, patch({ op: "replace", path: "active", value: false })),
      (id: string) => directory.ok("DELETE", `/Users/${id}`, undefined, 204),
    ]) {
      const username = `lost-${randomUUID()}`;
      const { id } = await directory.ok("POST", "/Users", { userName: username, password: PASSWORD }, 201);
      const login = await logIn(world(), { tenantId: "t_acme", username, password: PASSWORD });
      const token = String(login.json.value.accessToken);
      const headers = { authorization: `Bearer ${token}` };
      await world().portico.ctx.storage.write(async (tx) => {
        await tx.insertInto("app_agents").values({ app_id: DESK_APP, user_id: id }).execute();
      });
      const streams = await Promise.all(
        [url, world().url].flatMap((each) => [
          StreamClient.open(each, token),
          StreamClient.open(each, token, `${DESK}/stream`),
        ]),
      );
      // Each process knows the token now.
      for (const each of [url, world().url]) assertSuccess(await send(`${each}${CLIENT}/conversations`, { headers }));
      await lose(id);
      for (const stream of streams) assert.equal((await stream.closed).code, 4401);
      for (const each of [url, world().url])
        assertRefused(await send(`${each}${CLIENT}/conversations`, { headers }), 401, "400001");
      await assert.rejects(StreamClient.open(url, token));
      await assert.rejects(StreamClient.open(url, token, `${DESK}/stream`));
      const [cookie = ""] = login.headers["set-cookie"] ?? [];
      const renewal = { method: "POST", headers: { cookie: cookie.split(";", 1)[0] ?? "" } };
      assertRefused(await send(`${url}${CLIENT}/auth/refresh`, renewal), 401, "400001");
    }
  });
  test("a tenant's directories call 50 times a second, after a burst; another tenant's and members are not held up", async () => {
    const [runaway, calm] = [await connect(), await connect("t_other")];
    world().clock.turn(10_000);
    const answers = await Promise.all(Array.from({ length: 260 }, () => runaway.call("GET", "/Users/u_alice")));
    const refused = answers.filter(({ status }) => status === 429);
    assert.deepEqual([answers.filter(({ status }) => status === 200).length, refused.length > 0], [250, true]);
    for (const answer of refused) {
      assertScimRefused(answer, 429);
      assert.equal(answer.headers["retry-after"], "1");
    }
    const second = await connect();
    assertScimRefused(await second.call("GET", "/Users/u_alice"), 429);
    assert.equal((await calm.call("GET", "/Users?count=1")).status, 200);
    world().clock.turn(1_000);
    const later = await Promise.all(Array.from({ length: 60 }, () => runaway.call("GET", "/Users/u_alice")));
    assert.equal(later.filter(({ status }) => status === 200).length, 50);
  });
  test("of a tenant's calls two are worked on at once, and the others wait", async (t) => {
    world().clock.turn(10_000);
    const directory = await connect();
    const { storage } = world().portico.ctx;
    const write = storage.write.bind(storage);
    let running = 0;
    let most = 0;
    t.mock.method(storage, "write", async (...[unit, lane]: Parameters<typeof write>) => {
      if (!lane?.startsWith("scim")) return await write(unit, lane);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return await write(unit, lane).finally(() => running--);
    });
    const names = Array.from({ length: 12 }, (_, n) => patch({ op: "replace", path: "displayName", value: `A${n}` }));
    const answers = await Promise.all(names.map((body) => directory.call("PATCH", "/Users/u_alice", body)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(most, 2);
  });
});
