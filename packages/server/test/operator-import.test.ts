import assert from "node:assert/strict";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertConsoleRefused, ConsoleClient } from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

const PASSWORD = "a password of theirs";

onBothEngines("operator: the import of members", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme());
  const inAcme = async () => (await ConsoleClient.logIn(world(), operator)).in("t_acme");
  const lines = (usernames: readonly string[]) =>
    usernames.map((username, index) => ({ line: index + 2, username, password: PASSWORD }));
  const outcomes = async (client: ConsoleClient, body: unknown) => {
    const { items } = await client.ok("POST", "operator/members/import", body);
    return items.map(({ outcome }: { outcome: string }) => outcome);
  };

  test("new members sign in with their passwords, which are nowhere to be read", async () => {
    const client = await inAcme();
    const members = [
      { line: 2, username: "ann", name: "Ann", password: PASSWORD, phone: "13900000021" },
      { line: 3, username: "ben", name: "", password: PASSWORD, phone: "" },
    ];
    const { items } = await client.ok("POST", "operator/members/import", { members });
    assert.deepEqual(items, [
      { line: 2, outcome: "CREATED", problem: null },
      { line: 3, outcome: "CREATED", problem: null },
    ]);
    await MemberClient.signIn(world(), { tenantId: "t_acme", username: "ann", password: PASSWORD });
    const { items: found } = await client.ok("GET", "operator/members?keyword=ben");
    assert.deepEqual(
      found.map(({ username, name, phone }: Record<string, unknown>) => ({ username, name, phone })),
      [{ username: "ben", name: "ben", phone: null }],
    );
    assert.ok(!JSON.stringify(await dumpTables(world())).includes(PASSWORD));
    const { items: entries } = await client.ok("GET", "operator/audit?action=member.create&tenantId=t_acme&limit=2");
    assert.deepEqual(entries.map(({ after }: { after: { username: string } }) => after.username).sort(), [
      "ann",
      "ben",
    ]);
  });
  test("a username that differs from another in its case alone is refused by line, naming the other", async () => {
    const client = await inAcme();
    const members = lines(["Alice", "dora", "DORA", "alice"]);
    const { items } = await client.ok("POST", "operator/members/import", { members });
    assert.deepEqual(items, [
      { line: 2, outcome: "INVALID", problem: "taken", other: "alice" },
      { line: 3, outcome: "CREATED", problem: null },
      { line: 4, outcome: "INVALID", problem: "repeated", other: "dora" },
      { line: 5, outcome: "INVALID", problem: "repeated", other: "Alice" },
    ]);
    const racing = await Promise.all(
      ["Race", "RACE", "race", "rAce"].map((username) =>
        client.ok("POST", "operator/members/import", { members: lines([username]) }),
      ),
    );
    const kinds = racing.map(({ items: [{ outcome }] }) => outcome).sort();
    assert.deepEqual(kinds, ["CREATED", "INVALID", "INVALID", "INVALID"]);
  });
  test("each wrong line is told with what is wrong, and keeps none of the others out", async () => {
    const client = await inAcme();
    const good = { username: "good", password: PASSWORD };
    const wrong: [string, Record<string, string>][] = [
      ["username", { ...good, username: "" }],
      ["username", { ...good, username: "two words" }],
      ["username", { ...good, username: "a\u0000b" }],
      ["username", { ...good, username: "\ud800" }],
      ["username", { ...good, username: "x".repeat(129) }],
      ["name", { ...good, name: "x".repeat(101) }],
      ["name", { ...good, name: "  " }],
      ["password", { ...good, password: "" }],
      ["password", { ...good, password: "7 chars" }],
      ["phone", { ...good, phone: "call me" }],
    ];
    const members = [...wrong.map(([, fields]) => fields), good, good].map((fields, line) => ({
      line: line + 2,
      ...fields,
    }));
    const { items } = await client.ok("POST", "operator/members/import", { members });
    assert.deepEqual(
      items.map(({ outcome, problem }: Record<string, string>) => [outcome, problem]),
      [...wrong.map(([problem]) => ["INVALID", problem]), ["CREATED", null], ["INVALID", "repeated"]],
    );
  });
  test("repeated, at once too, it creates nobody twice and changes nobody", async () => {
    const client = await inAcme();
    const body = { members: lines(["cat", "dan", "eve"]) };
    const answers = await Promise.all([1, 2, 3].map(() => outcomes(client, body)));
    const created = answers.flat().filter((outcome) => outcome === "CREATED");
    assert.deepEqual([created.length, answers.flat().length], [3, 9]);
    const changed = { members: body.members.map((member) => ({ ...member, password: "another password" })) };
    assert.deepEqual(await outcomes(client, changed), ["EXISTS", "EXISTS", "EXISTS"]);
    await MemberClient.signIn(world(), { tenantId: "t_acme", username: "cat", password: PASSWORD });
    assert.equal((await client.ok("GET", "operator/members?keyword=cat")).total, 1);
  });
  test("tried dry, it says what would become of each line and changes nothing", async () => {
    const client = await inAcme();
    const body = { members: lines(["alice", "fay", "not one"]), dryRun: true };
    assert.deepEqual(await outcomes(client, body), ["EXISTS", "READY", "INVALID"]);
    assert.equal((await client.ok("GET", "operator/members?keyword=fay")).total, 0);
  });
  test("a username of another tenant is free", async () => {
    const client = (await inAcme()).in("t_other");
    assert.deepEqual(await outcomes(client, { members: lines(["alice"]) }), ["CREATED"]);
  });
  test("a sign-in does not wait for the passwords of an import", async (t) => {
    const client = await inAcme();
    await client.ok("POST", "operator/members", { username: "patient", password: PASSWORD });
    const { passwords } = world().portico.ctx;
    const [signedIn, hash] = [Promise.withResolvers<void>(), passwords.hash.bind(passwords)];
    // The second password of the import is hashed once the sign-in is over.
    let hashed = 0;
    t.mock.method(passwords, "hash", async (password: string) => {
      if (++hashed === 2) await signedIn.promise;
      return await hash(password);
    });
    const importing = outcomes(client, { members: lines(["ivo", "jan", "kim"]) });
    await MemberClient.signIn(world(), { tenantId: "t_acme", username: "patient", password: PASSWORD });
    signedIn.resolve();
    assert.deepEqual(await importing, ["CREATED", "CREATED", "CREATED"]);
  });
  test("no line, or more than 100: 400", async () => {
    const client = await inAcme();
    for (const count of [0, 101]) {
      const members = lines(Array.from({ length: count }, (_, n) => `many_${n}`));
      assertConsoleRefused(await client.call("POST", "operator/members/import", { members }), 400);
    }
  });
});
