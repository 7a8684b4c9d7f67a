import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { PictureTickets } from "../src/domain/pictures/picture-tickets.ts";
import { backUp } from "../src/operations/backup/backup.ts";
import { restore } from "../src/operations/backup/restore.ts";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { checkConfiguration } from "../src/operations/doctor.ts";
import { masterKeyStatus } from "../src/operations/master-key/master-key-status.ts";
import { rotateMasterKey } from "../src/operations/master-key/rotate-master-key.ts";
import { keyIdOf, SecretBox } from "../src/platform/crypto/secret-box.ts";
import { alice, botApp, credentialsOf, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { operatedAcme } from "./support/app-life.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { consoleCall, fellow, logIn, owner, refreshTokenOf } from "./support/console.ts";
import { dumpLasting } from "./support/dump.ts";
import { onBothEngines, sqlite } from "./support/engines.ts";
import { CHEAP_HASHES } from "./support/hash-cost.ts";
import { sendSigned } from "./support/http.ts";
import {
  addKey,
  allBoxes,
  hasBegun,
  isSealedAnew,
  keyedWorld,
  readKeys,
  untilDone,
  untilKeys,
  writeKeys,
} from "./support/master-key.ts";
import { MemberClient } from "./support/member.ts";
import { apply } from "./support/provisioning.ts";
import { type Received, startReceiver } from "./support/receiver.ts";
import { challengeOf, codeAt, STEP_MS, turnOn } from "./support/second-factor.ts";
import { isSignedWith, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe, until, untilAll } from "./support/webhooks.ts";
import { World } from "./support/world.ts";

const APPS = 6;
const provision = operatedAcme(...Array.from({ length: APPS }, (_, index) => botApp(`app_${index}`)));

function opens(keys: readonly Buffer[], { owner: of, box }: { owner: string; box: string }): boolean {
  try {
    new SecretBox(keys).open(box, of);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signed call, of each application in turn, until it is stopped; resolves with how many there were. */
async function keepCalling(world: World, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (; !signal.aborted; count++) {
    const { url } = world.all[count % world.all.length] ?? world;
    const sending = { method: "POST", target: MESSAGES, body: textBody(`call ${count}`), timestamp: world.clock.now() };
    const answer = await sendSigned(url, credentialsOf(`app_${count % APPS}`), sending);
    assertSuccess(answer);
  }
  return count;
}

/** Has a login renewed again and again, by each process in turn. */
async function keepRenewing(world: World, signal: AbortSignal): Promise<number> {
  let token = refreshTokenOf(await logIn(world, fellow));
  let count = 0;
  for (; !signal.aborted; count++) token = await renewed(world.all[count % world.all.length] ?? world, token);
  return count;
}

/** The refresh token that is given for one. */
async function renewed(process: { url: string }, token: string): Promise<string> {
  const headers = { cookie: `open_refresh_token=${token}` };
  const answer = await consoleCall(process, "POST", "auth/refresh", { headers });
  assert.equal(answer.status, 200, answer.text);
  return refreshTokenOf(answer);
}

/** Has events sent by webhook until it is stopped. */
async function keepTalking(world: World, signal: AbortSignal): Promise<number> {
  const member = await MemberClient.signIn(world, alice);
  let count = 0;
  for (; !signal.aborted; count++) {
    const body = { msgType: "text", content: { text: `event ${count}` } };
    const answer = await member.post("conversations/bot:app_0/messages", body);
    assert.equal(answer.status, 200, answer.text);
  }
  return count;
}

async function busyWorld(t: TestContext, engine: Parameters<typeof keyedWorld>[0], env = {}): Promise<World> {
  const world = await keyedWorld(engine, provision, env, { hashCost: CHEAP_HASHES, network: LOOPBACK_NETWORK });
  t.after(() => world.dispose());
  if (engine.name === "postgres") await world.start();
  return world;
}

onBothEngines("a rotation of the master key", (engine, test) => {
  test("seals everything anew while calls, events, renewals and second factors go on, of which none fails", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    const world = await busyWorld(t, engine, LOOPBACK_CALLBACKS);
    const secret = await subscribe(world, "app_0", receiver.url());
    const factor = await turnOn(world, owner);
    const passSecondFactor = async () => {
      const challenge = await challengeOf(world, owner);
      world.clock.turn(2 * STEP_MS);
      const code = codeAt(factor.secret, world.clock.now());
      const answer = await consoleCall(world, "POST", "auth/second-factor", { body: { challenge, code } });
      assert.equal(answer.status, 200, answer.text);
    };
    const before = await allBoxes(world);
    const [old = Buffer.alloc(0)] = readKeys(world);
    assert.ok(before.length > APPS && before.every((one) => opens([old], one)));

    let talked = 0;
    /** Does something while all of the others are busy. */
    const busily = async (work: () => Promise<void>) => {
      const stop = new AbortController();
      const going = Promise.all([keepCalling, keepRenewing, keepTalking].map((keep) => keep(world, stop.signal)));
      // A failure is seen at the end; it must not end the process before.
      going.catch(() => {});
      await work().finally(() => stop.abort());
      const counts = await going;
      assert.ok(
        counts.every((count) => count > 0),
        `it was busy: ${counts}`,
      );
      talked += counts[2] ?? 0;
    };
    let next: Buffer = Buffer.alloc(0);
    await busily(async () => {
      await passSecondFactor();
      next = await addKey(world);
      await untilKeys(world, hasBegun);
      await passSecondFactor();
      await subscribe(world, "app_1", receiver.url("/other"));
      await untilKeys(world, isSealedAnew);
      await passSecondFactor();
    });
    // The clock is turned too far for calls that are on their way.
    await untilDone(world);
    await busily(passSecondFactor);
    await untilAll(world, "app_0", "DELIVERED");
    assert.ok(receiver.requests.length >= talked);
    const isGood = (received: Received) => isSignedWith(secret, received);
    assert.ok(receiver.requests.every(isGood), "every event was signed with the subscription's secret");

    const after = await allBoxes(world);
    assert.ok(after.length > before.length);
    assert.ok(after.every((one) => opens([next], one)));
    assert.deepEqual(
      after.filter((one) => opens([old], one)),
      [],
    );
    const faults = world.logLines.filter((line) => JSON.parse(line).level >= 40);
    assert.deepEqual(faults, []);
  });

  test("gives a login the same token once more that it was given before", async (t) => {
    const world = await busyWorld(t, engine);
    const first = refreshTokenOf(await logIn(world, fellow));
    const second = await renewed(world, first);
    await addKey(world);
    await untilKeys(world, hasBegun);
    // Another tab of the same browser, within the grace of the first token.
    for (const process of world.all) assert.equal(await renewed(process, first), second);
    world.clock.turn(30_000);
    const third = await renewed(world, second);
    assert.notEqual(third, second);
    await untilDone(world);
    assert.equal(
      (await consoleCall(world, "POST", "auth/refresh", { headers: { cookie: `open_refresh_token=${second}` } }))
        .status,
      401,
    );
  });

  test("done, the old key is not needed by anything, and a start without the new one says which it is", async (t) => {
    const world = await busyWorld(t, engine);
    const [old = Buffer.alloc(0)] = readKeys(world);
    const next = await addKey(world);
    await untilDone(world);
    if (engine.name === "sqlite") assert.deepEqual(readKeys(world), [next], "the service has taken the old one out");
    writeKeys(world, [next]);
    await world.restart();
    assertSuccess(await sendText(world, "app_3", "with the new key alone"));
    assert.deepEqual((await checkStore(world.env, { contents: true })).findings, []);
    assert.equal((await masterKeyStatus(world.env)).state, "done");

    writeKeys(world, [old]);
    await world.stop();
    await assert.rejects(world.start(), new RegExp(`the master key was rotated: .* under ${keyIdOf(next)} since`));
    await assert.rejects(masterKeyStatus(world.env), /Put the new one before it/);
    writeKeys(world, [randomBytes(32)]);
    await assert.rejects(world.start(), /the master key is not the one that this database was written with/);
    writeKeys(world, [next]);
    await world.start();
  });

  test("an old key that is taken away too early is asked for, and a process that runs goes on without its file", async (t) => {
    const world = await busyWorld(t, engine);
    const [old = Buffer.alloc(0)] = readKeys(world);
    const next = await addKey(world);
    await untilKeys(world, hasBegun);
    writeKeys(world, [next]);
    await world.portico.ctx.masterKeyRotation.run();
    assert.ok(world.logLines.some((line) => line.includes("this process goes on with the keys that it has")));
    for (let app = 0; app < APPS; app++) assertSuccess(await sendText(world, `app_${app}`, "goes on"));
    await world.portico.ctx.storage.write(async (tx) => {
      // As after a kill before the first batch.
      const box = new SecretBox([old]).seal("the secret of app_0 ✓", "cred_app_0");
      await tx.updateTable("credentials").set({ secret_box: box }).where("credential_id", "=", "cred_app_0").execute();
    });
    await world.stop();
    const missing = new RegExp(`still has secrets under the earlier master key ${keyIdOf(old)}: put it back`);
    await assert.rejects(world.start(), missing);
    const { findings } = await checkStore(world.env, { contents: false });
    assert.deepEqual(
      findings.map(({ kind, of }) => [kind, of]),
      [["key", "master key"]],
    );
    assert.match(findings[0]?.problem ?? "", missing);
    const said = (await checkConfiguration(world.env)).find(({ check }) => check === "master key");
    assert.equal(said?.state, "fault");
    writeKeys(world, [next, old]);
    await world.start();
    await untilDone(world);
    assert.ok((await allBoxes(world)).every((one) => opens([next], one)));
  });

  test("does not begin with a key that has taken the place of the old one, which would be in memory only", async (t) => {
    const world = await busyWorld(t, engine);
    const [old = Buffer.alloc(0)] = readKeys(world);
    const other = randomBytes(32);
    writeKeys(world, [other]);
    for (let step = 0; step < 4; step++) {
      for (const { ctx } of world.all) await ctx.masterKeyRotation.run();
    }
    assert.equal(world.portico.ctx.secretBox.sealingKeyId, keyIdOf(old));
    assertSuccess(await sendText(world, "app_0", "goes on"));
    const said = world.logLines.filter((line) => line.includes("is not the one that this database was written with"));
    assert.equal(said.length, world.all.length, "once for each process");
    writeKeys(world, [other, old]);
    await untilKeys(world, hasBegun);
    assert.equal((await masterKeyStatus(world.env)).sealing, keyIdOf(other));
  });

  test("happens twice and more, and a provisioning file is not applied again over what people changed", async (t) => {
    const world = await busyWorld(t, engine);
    const { db } = world.portico.ctx.storage;
    await world.portico.ctx.storage.write(
      async (tx) =>
        await tx.updateTable("members").set({ name: "Alice herself" }).where("user_id", "=", "u_alice").execute(),
    );
    const keys = readKeys(world);
    for (let times = 1; times <= 3; times++) {
      keys.unshift(await addKey(world));
      await untilDone(world);
      if (engine.name === "postgres") writeKeys(world, keys.slice(0, 1));
      const [first = Buffer.alloc(0), ...others] = keys;
      const boxes = await allBoxes(world);
      assert.ok(boxes.every((one) => opens([first], one)));
      assert.ok(!boxes.some((one) => opens(others, one)));
      const hashes = await db.selectFrom("provisioned").select("hash").where("item", "<>", "").execute();
      assert.ok(hashes.length > APPS && hashes.every(({ hash }) => hash.startsWith(`${times + 1}:`)));

      const held = await dumpLasting(world);
      const report = await apply(world, provision);
      assert.deepEqual(report.changes, [], "nothing has changed in the file");
      assert.deepEqual(await dumpLasting(world), held);
    }
    const file = { ...provision, members: provision.members?.map((one) => ({ ...one, name: `${one.name} II` })) };
    assert.equal((await apply(world, file)).changes.length, 3, "a change in the file is one");
  });

  test("is recorded in the audit log by the ids of its keys, and told by status until it is done", async (t) => {
    const world = await busyWorld(t, engine);
    const [old = Buffer.alloc(0)] = readKeys(world);
    assert.deepEqual(await masterKeyStatus(world.env).then(({ state, sealing, left }) => ({ state, sealing, left })), {
      state: "none",
      sealing: keyIdOf(old),
      left: null,
    });
    const next = await addKey(world);
    await untilKeys(world, hasBegun);
    const begun = await masterKeyStatus(world.env);
    assert.deepEqual([begun.state, begun.sealing, begun.from], ["resealing", keyIdOf(next), [keyIdOf(old)]]);
    assert.deepEqual(Object.keys(begun.left ?? {}), ["credentials", "subscriptions", "secondFactors", "fingerprints"]);
    await untilKeys(world, isSealedAnew);
    const settling = await masterKeyStatus(world.env);
    assert.equal(settling.state, "settling");
    assert.deepEqual(Object.values(settling.left ?? {}), [0, 0, 0, 0]);
    await untilDone(world);
    assert.equal((await masterKeyStatus(world.env)).state, "done");
    const entries = await world.portico.ctx.storage.db
      .selectFrom("audit_entries")
      .select(["action", "target", "before", "after"])
      .where("action", "like", "master-key.%")
      .orderBy("audit_id")
      .execute();
    const sides = { before: JSON.stringify({ keys: [keyIdOf(old)] }), after: JSON.stringify({ key: keyIdOf(next) }) };
    const target = `master-key:${keyIdOf(next)}`;
    assert.deepEqual(entries, [
      { action: "master-key.begin", target, ...sides },
      { action: "master-key.end", target, ...sides },
    ]);
    const logged = world.logLines.join("\n");
    for (const key of [old, next]) assert.ok(!logged.includes(key.toString("hex")), "no key is in the log");
  });

  test("leaves tickets for pictures good until it is done, and no longer", async (t) => {
    const world = await busyWorld(t, engine, { PORTICO_WEB_IMAGE_PROXY: "true" });
    const { secretBox } = world.portico.ctx;
    const ticket = new PictureTickets(secretBox).issue("an access token");
    await addKey(world);
    await untilKeys(world, isSealedAnew);
    assert.notEqual(new PictureTickets(secretBox).read(ticket), null);
    const { settlesAt, resealedAt } = await masterKeyStatus(world.env);
    assert.equal((settlesAt ?? 0) - (resealedAt ?? 0), 7 * 86_400_000, "as long as a member's access token");
    await untilDone(world);
    writeKeys(world, readKeys(world).slice(0, 1));
    await world.portico.ctx.masterKeyRotation.run();
    assert.equal(new PictureTickets(secretBox).read(ticket), null);
  });

  test("tells of a secret that no key opens, and is not held up by it", async (t) => {
    const world = await busyWorld(t, engine);
    await world.portico.ctx.storage.write(
      async (tx) =>
        await tx
          .updateTable("credentials")
          .set({ secret_box: new SecretBox([randomBytes(32)]).seal("lost", "cred_app_2") })
          .where("credential_id", "=", "cred_app_2")
          .execute(),
    );
    const problem = { kind: "key", of: "credentials …pp_2", problem: "the secret opens with none of the master keys" };
    assert.deepEqual((await checkStore(world.env, { contents: false })).findings, [problem]);
    await addKey(world);
    await untilDone(world);
    assert.equal((await masterKeyStatus(world.env)).unreadable, 1);
    assert.deepEqual((await checkStore(world.env, { contents: false })).findings, [problem]);
    assertSuccess(await sendText(world, "app_3", "the others are"));
  });
});

onBothEngines("processes and a new master key", (engine, test) => {
  if (engine.name === "sqlite") return;
  test("none seals with it before all have it, and one that comes without it does not start", async (t) => {
    const world = await busyWorld(t, engine);
    const [old = Buffer.alloc(0)] = readKeys(world);
    const next = randomBytes(32);
    const [first, second] = world.all;
    // The first reads the file with both; what the second is configured with stays as it was.
    const path = world.env.PORTICO_MASTER_KEY_FILE ?? "";
    delete world.env.PORTICO_MASTER_KEY_FILE;
    world.env.PORTICO_MASTER_KEY = old.toString("hex");
    const third = await world.start();
    world.env.PORTICO_MASTER_KEY_FILE = path;
    writeKeys(world, [next, old]);
    for (let step = 0; step < 3; step++) {
      for (const { ctx } of world.all) await ctx.masterKeyRotation.run();
    }
    const waiting = await masterKeyStatus({ ...world.env, PORTICO_MASTER_KEY: undefined });
    assert.deepEqual([waiting.state, waiting.first, waiting.sealing], ["waiting", keyIdOf(next), keyIdOf(old)]);
    assert.equal(waiting.waitingFor.length, 1);
    assert.ok(world.logLines.some((line) => line.includes("waiting for other processes to have the master key")));

    await third.stop();
    delete world.env.PORTICO_MASTER_KEY;
    await untilKeys(world, hasBegun);
    for (const portico of [first, second]) assert.equal(portico?.ctx.secretBox.sealingKeyId, keyIdOf(next));
    delete world.env.PORTICO_MASTER_KEY_FILE;
    world.env.PORTICO_MASTER_KEY = old.toString("hex");
    await assert.rejects(world.start(), /the master key was rotated: .*only an earlier key is here/);
    delete world.env.PORTICO_MASTER_KEY;
    world.env.PORTICO_MASTER_KEY_FILE = path;
    await untilDone(world);
  });

  test("one that is behind applies a file under the key that the database names", async (t) => {
    const world = await busyWorld(t, engine);
    const next = await addKey(world);
    const [behind, ahead] = world.all;
    const isAhead = () => ahead?.ctx.secretBox.sealingKeyId === keyIdOf(next);
    for (let step = 0; step < 10 && !isAhead(); step++) {
      // The first only tells that it has both keys.
      if (step === 0) await behind?.ctx.masterKeyRotation.run();
      await ahead?.ctx.masterKeyRotation.run();
    }
    assert.ok(isAhead());
    const late = { ...provision, apps: [...(provision.apps ?? []), botApp("app_late")] };
    await apply(world, late);
    const box = (await allBoxes(world)).find(({ owner: of }) => of === "cred_app_late");
    assert.ok(box?.box.startsWith(`${keyIdOf(next)}.`));
    assertSuccess(await sendText(world, "app_late", "sealed under the new key"));
  });

  test("one that is left without a key that the database needs takes no more work, and says why", async (t) => {
    const world = await busyWorld(t, engine);
    const [old = Buffer.alloc(0)] = readKeys(world);
    const { storage, retirement, masterKeyRotation } = world.portico.ctx;
    const other = new SecretBox([randomBytes(32)]);
    const rotation = {
      ...{ from: [{ keyId: keyIdOf(old), check: new SecretBox([old]).seal("master-key-check", "master-key-check") }] },
      ...{ to: other.sealingKeyId, beganAt: 0, resealedAt: null, settlesAt: null, doneAt: null, unreadable: 0 },
    };
    await storage.write(async (tx) => {
      await tx
        .insertInto("meta")
        .values({ name: "master-key-rotation", value: JSON.stringify(rotation) })
        .execute();
      const value = other.seal("master-key-check", "master-key-check");
      await tx.updateTable("meta").set({ value }).where("name", "=", "master-key-check").execute();
    });
    await masterKeyRotation.run();
    assert.match(retirement.reason ?? "", /the master key was rotated/);
  });
});

onBothEngines("a backup and the master key", (engine, test) => {
  if (engine.name === "postgres") return;
  const folderOf = (t: TestContext) => {
    const folder = mkdtempSync(join(tmpdir(), "portico-test-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  test("one made in the middle of a rotation has both keys, and the restored service completes it", async (t) => {
    const world = await busyWorld(t, engine);
    const [old = Buffer.alloc(0)] = readKeys(world);
    const next = await addKey(world);
    await untilKeys(world, hasBegun);
    await world.portico.ctx.storage.write(async (tx) => {
      const box = new SecretBox([old]).seal("the secret of app_0 ✓", "cred_app_0");
      await tx.updateTable("credentials").set({ secret_box: box }).where("credential_id", "=", "cred_app_0").execute();
    });
    const file = join(folderOf(t), "backup.tar");
    const passphrase = "correct horse";
    await backUp(file, world.env, { passphrase });

    const env = { PORTICO_DATA_DIR: folderOf(t), PORTICO_PORT: "0" };
    const alone = { ...env, PORTICO_MASTER_KEY: next.toString("hex") };
    await assert.rejects(restore(file, alone, { passphrase }), /another key than the one in the backup/);
    await restore(file, env, { passphrase });
    assert.deepEqual((await checkStore(env, { contents: true })).findings, []);
    const restored = await World.on(engine, { env, dispose: async () => {} }, null);
    t.after(() => restored.stop());
    assert.deepEqual(readKeys(restored), [next, old]);
    await untilDone(restored);
    assertSuccess(await sendText(restored, "app_0", "restored"));
    assert.deepEqual(readKeys(restored), [next]);
    assert.ok((await allBoxes(restored)).every((one) => opens([next], one)));
  });
  test("a stopped service is sealed anew at once, and a second rotation waits for the end of the first", async (t) => {
    const world = await busyWorld(t, engine);
    await world.stop();
    const [old = Buffer.alloc(0)] = readKeys(world);
    const begun = await rotateMasterKey(world.env);
    const [next = Buffer.alloc(0)] = readKeys(world);
    assert.deepEqual(begun, { from: keyIdOf(old), to: keyIdOf(next), isRunning: false });
    assert.equal((await masterKeyStatus(world.env)).state, "settling");
    await assert.rejects(rotateMasterKey(world.env), /the last rotation is not over/);
    assert.deepEqual(readKeys(world), [next, old]);
    await world.start();
    assert.ok((await allBoxes(world)).every((one) => opens([next], one) && !opens([old], one)));
    await untilDone(world);
    assert.equal((await rotateMasterKey(world.env)).isRunning, true);
    await untilDone(world);
    assertSuccess(await sendText(world, "app_1", "twice"));
  });
  test("of two commands at once one is refused, and a key that is the operator's own is left alone", async (t) => {
    const world = await busyWorld(t, sqlite);
    const results = await Promise.allSettled([1, 2, 3].map(() => rotateMasterKey(world.env)));
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal(readKeys(world).length, 2);
    const own = { ...world.env, PORTICO_MASTER_KEY: "ab".repeat(32) };
    await assert.rejects(rotateMasterKey(own), /put a new one .* before the one in the value of PORTICO_MASTER_KEY/);
    await until(async () => {
      await world.portico.ctx.masterKeyRotation.run();
      return (await masterKeyStatus(world.env)).state !== "waiting";
    }, "the running service takes it up");
  });
});
