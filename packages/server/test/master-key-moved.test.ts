import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import Database from "better-sqlite3";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { masterKeyStatus } from "../src/operations/master-key/master-key-status.ts";
import { moveStore } from "../src/operations/move/move.ts";
import { keyIdOf } from "../src/platform/crypto/secret-box.ts";
import { acme, botApp, credentialsOf, sendText } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { postgres, sqlite } from "./support/engines.ts";
import { CHEAP_HASHES } from "./support/hash-cost.ts";
import { addKey, allBoxes, hasBegun, keyedWorld, readKeys, untilDone, untilKeys } from "./support/master-key.ts";
import { World } from "./support/world.ts";

const parts = { hashCost: CHEAP_HASHES };
const { credentialId } = credentialsOf("app_bot");

test("a store that is moved to PostgreSQL in the middle of a rotation of its key ends it there", {
  skip: postgres.missing ?? false,
}, async (t) => {
  const old = await keyedWorld(sqlite, acme(botApp("app_bot")), {}, parts);
  t.after(() => old.dispose());
  const to = await postgres.create();
  t.after(() => to.dispose());
  const before = (await allBoxes(old)).find(({ owner }) => owner === credentialId);
  const next = await addKey(old);
  await untilKeys(old, hasBegun);
  const keys = readKeys(old);
  await old.stop();
  const dataDir = old.env.PORTICO_DATA_DIR ?? "";
  // As a stop leaves it that comes before the rotation has come to this secret.
  const database = new Database(join(dataDir, "portico.db"));
  database.prepare("update credentials set secret_box = ? where credential_id = ?").run(before?.box, credentialId);
  database.close();

  await moveStore(old.env, { to: to.env.PORTICO_DATABASE_URL ?? "" });
  const only = (...some: Buffer[]) => ({
    ...to.env,
    PORTICO_DATA_DIR: dataDir,
    PORTICO_MASTER_KEY: some.map((key) => key.toString("hex")).join(","),
  });
  const { state, left } = await masterKeyStatus(only(...keys));
  assert.deepEqual([state, left?.credentials], ["resealing", 1]);
  const start = (env: Record<string, string>) => World.on(postgres, { env, dispose: async () => {} }, null, {}, parts);
  await assert.rejects(start(only(next)), /master key/);

  const world = await start(only(...keys));
  t.after(() => world.dispose());
  assertSuccess(await sendText(world, "app_bot", "under both keys"));
  await untilDone(world);
  const { sealing } = await masterKeyStatus(only(next));
  assert.equal(sealing, keyIdOf(next));
  await world.stop();
  const without = await start(only(next));
  t.after(() => without.dispose());
  assertSuccess(await sendText(without, "app_bot", "under the new one alone"));
  assert.deepEqual((await checkStore(only(next), { contents: true })).findings, []);
});
