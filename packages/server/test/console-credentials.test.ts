import assert from "node:assert/strict";
import {
  atOnce,
  type Created,
  callWith,
  create,
  createActive,
  operatedAcme,
  operator,
  signIns,
  statuses,
} from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { auditRowsOf } from "./support/audit.ts";
import { assertConsoleRefused, fellow, ownedApp } from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import type { Credentials } from "./support/http.ts";
import { suiteWorld } from "./support/world.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

onBothEngines("console: credentials", (engine, test) => {
  const given = ownedApp("app_given");
  const world = suiteWorld(engine, operatedAcme(given));
  const signIn = signIns(world);
  const active = async () => createActive(await signIn(), await signIn(operator));
  const startSecond = async () => {
    if (engine.name === "postgres" && world().all.length === 1) await world().start();
  };
  const rotate = async ({ appId }: Credentials): Promise<Credentials & { createdAt: number }> => ({
    appId,
    ...(await (await signIn()).ok("POST", `apps/${appId}/credentials`)),
  });
  const list = async ({ appId }: Credentials) => await (await signIn()).ok("GET", `apps/${appId}/credentials`);
  const last4 = ({ credentialId }: Credentials) => credentialId.slice(-4);
  const checkAll = async (credentials: Credentials, check: (answer: Awaited<ReturnType<typeof callWith>>) => void) => {
    for (const { url } of world().all) check(await callWith(world(), credentials, url));
  };

  test("a rotation shows a new credential once; the old one works for another 24 hours, then gives 401 + 400001", async () => {
    await startSecond();
    const old = await active();
    await checkAll(old, assertSuccess);
    world().clock.turn(HOUR);
    const rotatedAt = world().clock.now();
    const made = await rotate(old);
    assert.deepEqual(Object.keys(made), ["appId", "credentialId", "appSecret", "createdAt"]);
    assert.match(made.credentialId, /^cred_[\w-]{20}$/);
    assert.match(made.appSecret, /^[\w-]{43}$/);
    assert.equal(made.createdAt, rotatedAt);
    assertSuccess(await callWith(world(), made));
    world().clock.turn(1_000);
    await checkAll(made, assertSuccess);
    await checkAll(old, assertSuccess);

    world().clock.set(rotatedAt + DAY - 1);
    await checkAll(old, assertSuccess);
    world().clock.turn(1);
    await checkAll(old, (answer) => assertRefused(answer, 401, "400001", "身份认证失败"));
    await checkAll(made, assertSuccess);
    await checkAll({ ...made, appSecret: old.appSecret }, (answer) => assertRefused(answer, 401, "400001"));
  });
  test("the list shows each by the last four characters of its id, newest first, with its validity", async () => {
    const client = await signIn();
    const first = await create(client);
    const createdAt = world().clock.now();
    const bare = { createdAt, lastUsedAt: null };
    assert.deepEqual(await list(first), [
      { credential: last4(first), ...bare, rotatedAt: null, expiresAt: null, status: "CURRENT" },
    ]);
    world().clock.turn(HOUR);
    const second = await rotate(first);
    world().clock.turn(HOUR);
    const third = await rotate(first);
    const rotated = (credential: Credentials, at: number, hours: number, status: string) => ({
      credential: last4(credential),
      createdAt: createdAt + at * HOUR,
      rotatedAt: createdAt + hours * HOUR,
      expiresAt: createdAt + hours * HOUR + DAY,
      lastUsedAt: null,
      status,
    });
    const current = {
      credential: last4(third),
      createdAt: createdAt + 2 * HOUR,
      rotatedAt: null,
      expiresAt: null,
      lastUsedAt: null,
      status: "CURRENT",
    };
    const seen: object[] = await list(first);
    assert.deepEqual(seen, [current, rotated(second, 1, 2, "GRACE"), rotated(first, 0, 1, "GRACE")]);
    assert.deepEqual(Object.keys(seen[0] ?? {}), [
      "credential",
      "createdAt",
      "rotatedAt",
      "expiresAt",
      "lastUsedAt",
      "status",
    ]);
    world().clock.set(createdAt + HOUR + DAY);
    assert.deepEqual(await list(first), [current, rotated(second, 1, 2, "GRACE"), rotated(first, 0, 1, "EXPIRED")]);
    const other = await signIn(fellow);
    assert.deepEqual(await other.ok("GET", `apps/${first.appId}/credentials`), await list(first));
  });
  test("revoking old credentials ends their grace period at once, in other processes within a second, and keeps the current one", async () => {
    await startSecond();
    const client = await signIn();
    const first = await active();
    const second = await rotate(first);
    const third = await rotate(first);
    for (const credentials of [first, second, third]) await checkAll(credentials, assertSuccess);
    const remaining = await client.ok("POST", `apps/${first.appId}/credentials/revoke-old`);
    assert.deepEqual(
      remaining.map(({ credential, status }: { credential: string; status: string }) => [credential, status]),
      [[last4(third), "CURRENT"]],
    );
    // Uses are written down a while after they happen.
    const withoutUse = (all: { lastUsedAt: unknown }[]) => all.map(({ lastUsedAt: _, ...credential }) => credential);
    assert.deepEqual(withoutUse(await list(first)), withoutUse(remaining));
    assertRefused(await callWith(world(), second), 401, "400001");
    world().clock.turn(1_000);
    for (const old of [first, second]) await checkAll(old, (answer) => assertRefused(answer, 401, "400001"));
    await checkAll(third, assertSuccess);

    assert.deepEqual(
      (await client.ok("POST", `apps/${first.appId}/credentials/revoke-old`)).map(
        ({ status }: { status: string }) => status,
      ),
      ["CURRENT"],
    );
    const entries = (await auditRowsOf(world(), first.appId)).filter(({ action }) => action.startsWith("credential."));
    const shown = entries.map(({ action, target, before, after }) => ({ action, target, before, after }));
    const revoked = shown.pop();
    assert.deepEqual(shown, [
      {
        action: "credential.rotate",
        target: `credential:${last4(second)}`,
        before: { current: [last4(first)] },
        after: { current: [last4(second)] },
      },
      {
        action: "credential.rotate",
        target: `credential:${last4(third)}`,
        before: { current: [last4(second)] },
        after: { current: [last4(third)] },
      },
    ]);
    assert.deepEqual([revoked?.action, revoked?.target], ["credential.revoke", `app:${first.appId}`]);
    assert.deepEqual(revoked?.after.revoked.sort(), [last4(first), last4(second)].sort());
    assert.equal(revoked?.before.inGrace.length, 2);
  });
  test("20 concurrent rotations: 20 different credentials, one current, the others valid in their grace period", async () => {
    await startSecond();
    const client = await signIn();
    const first = await active();
    const answers = await atOnce(world(), 20, (url) =>
      client.at({ url }).call("POST", `apps/${first.appId}/credentials`),
    );
    assert.deepEqual(statuses(answers), Array(20).fill(200));
    const pairs: Credentials[] = answers.map(({ json }) => ({ appId: first.appId, ...json }));
    assert.equal(new Set(pairs.map(({ credentialId }) => credentialId)).size, 20);
    assert.equal(new Set(pairs.map(({ appSecret }) => appSecret)).size, 20);
    const states = (await list(first)).map(({ status }: { status: string }) => status);
    assert.deepEqual(states, ["CURRENT", ...Array(20).fill("GRACE")]);
    world().clock.turn(1_000);
    for (const pair of [first, ...pairs]) assertSuccess(await callWith(world(), pair));
  });
  test("50 may be in their grace period; after it, the oldest are removed", async () => {
    const client = await signIn();
    const first = await create(client);
    for (let n = 0; n < 50; n++) await rotate(first);
    const refused = await client.call("POST", `apps/${first.appId}/credentials`);
    assertConsoleRefused(refused, 409, "宽限期内的旧凭证最多50个,请先吊销旧凭证");
    assert.equal((await list(first)).length, 51);
    for (let round = 0; round < 2; round++) {
      world().clock.turn(DAY);
      for (let n = 0; n < 50; n++) await rotate(first);
    }
    world().clock.turn(DAY);
    await rotate(first);
    const left = await list(first);
    assert.equal(left.length, 101);
    assert.equal(left[0].status, "CURRENT");
  });

  test("the last use of a credential is shown to the minute, for verified calls only", async () => {
    await startSecond();
    const app = await active();
    const second = await rotate(app);
    const flushed = async () => {
      for (const { ctx } of world().all) await ctx.credentialUses.flush();
      const uses: { credential: string; lastUsedAt: number | null }[] = await list(app);
      const of = (credential: Credentials) => uses.find((use) => use.credential === last4(credential))?.lastUsedAt;
      return [of(app), of(second)];
    };
    const minute = Math.ceil(world().clock.now() / MINUTE) * MINUTE;
    world().clock.set(minute + 17_000);
    assertRefused(await callWith(world(), { ...second, appSecret: "wrong" }), 401, "400001");
    assert.deepEqual(await flushed(), [null, null]);
    await checkAll(app, assertSuccess);
    await checkAll(app, assertSuccess);
    assert.deepEqual(await flushed(), [minute, null]);
    world().clock.set(minute + 59_999);
    await checkAll(app, assertSuccess);
    assert.deepEqual(await flushed(), [minute, null]);
    world().clock.set(minute + MINUTE);
    assertSuccess(await callWith(world(), app, world().all.at(-1)?.url));
    assertSuccess(await callWith(world(), second));
    assert.deepEqual(await flushed(), [minute + MINUTE, minute + MINUTE]);
    world().clock.set(minute);
    assertSuccess(await callWith(world(), second));
    assert.deepEqual(await flushed(), [minute + MINUTE, minute + MINUTE]);
  });
  test("pending last uses are written when the service stops", async () => {
    const client = await signIn();
    assertSuccess(
      await callWith(world(), {
        appId: "app_given",
        credentialId: "cred_app_given",
        appSecret: "the secret of app_given ✓",
      }),
    );
    await world().restart();
    const [credential] = await client.at(world()).ok("GET", "apps/app_given/credentials");
    assert.equal(credential.lastUsedAt, Math.floor(world().clock.now() / MINUTE) * MINUTE);
  });

  test("a secret is shown once: no later answer, database row or log line contains it or a full id", async () => {
    const [client, admin] = [await signIn(), await signIn(operator)];
    const app = await active();
    const pairs: Created[] = [app];
    for (let n = 0; n < 2; n++) pairs.push({ ...app, ...(await rotate(app)) });
    for (const pair of pairs) assertSuccess(await callWith(world(), pair));
    assertRefused(await callWith(world(), { ...app, appSecret: "wrong" }), 401, "400001");
    await client.ok("POST", `apps/${app.appId}/scopes`, { scopes: ["bot.message.reply"] });
    const later = [
      await client.ok("GET", "apps?pageSize=100"),
      await client.ok("PATCH", `apps/${app.appId}`, { displayName: "Secretive" }),
      await client.ok("GET", `apps/${app.appId}/credentials`),
      await client.ok("GET", `apps/${app.appId}`),
      await client.ok("DELETE", `apps/${app.appId}/submit`),
      await client.ok("POST", `apps/${app.appId}/submit`),
      await admin.ok("GET", "operator/reviews?pageSize=100"),
      await admin.ok("GET", `operator/apps/${app.appId}`),
      await admin.ok("GET", "operator/apps?pageSize=100"),
      await admin.ok("POST", `operator/reviews/${app.appId}/approve`),
      await client.ok("POST", `apps/${app.appId}/credentials/revoke-old`),
    ].map((answer) => JSON.stringify(answer));
    for (const { ctx } of world().all) await ctx.requestLog.flush();
    // The request log contains the canonical string of a mismatched signature, and so the id.
    const { credentials, requests, ...tables } = await dumpTables(world());
    const [kept, elsewhere] = [JSON.stringify([credentials, requests]), JSON.stringify(tables)];
    const log = world().logLines.join("\n");
    for (const { appSecret, credentialId } of pairs) {
      for (const text of [...later, kept, elsewhere, log]) assert.ok(!text.includes(appSecret));
      for (const text of [...later, elsewhere]) {
        assert.ok(!text.includes(credentialId), "a whole id is told of");
      }
    }
  });
});
