import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pino } from "pino";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { type MasterKeyReport, masterKeyStatus } from "../src/operations/master-key/master-key-status.ts";
import { rotateMasterKey } from "../src/operations/master-key/rotate-master-key.ts";
import { loadConfig } from "../src/platform/config/load-config.ts";
import { loadMasterKeys, openSecretBox } from "../src/platform/crypto/master-key.ts";
import { keyIdOf, SecretBox } from "../src/platform/crypto/secret-box.ts";
import { openReadOnly } from "../src/platform/storage/open-read-only.ts";
import { openStorage } from "../src/platform/storage/open-storage.ts";
import { acme, botApp, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { type Engine, onBothEngines } from "./support/engines.ts";
import { sendSigned } from "./support/http.ts";
import { type ServerProcess, startProcess } from "./support/process.ts";

/** So many that a kill comes in the middle. PostgreSQL takes several times as long for each. */
const CREDENTIALS = { sqlite: 20_000, postgres: 6_000 };
const ROWS_AT_ONCE = 500;
const STEP_WITHIN_MS = 120_000;
/** Each look opens the database anew and counts: often where a kill is to come in the middle, seldom for the end. */
const LOOK_EVERY_MS = 50;
const LOOK_FOR_END_EVERY_MS = 500;
const CALL_EVERY_MS = 25;

onBothEngines("the processes of a service whose master key is rotated", (engine, test) => {
  test("are killed in the middle and go on from there; calls fail only while none of them runs", async (t) => {
    const env = await prepare(t, engine);
    const old = await oldKey(env);
    const isDistributed = engine.name === "postgres";
    const processes: ServerProcess[] = [];
    const start = async () => {
      const started = await startProcess(env);
      t.after(() => started.end("SIGKILL"));
      processes.push(started);
    };
    await start();
    if (isDistributed) await start();

    const stop = new AbortController();
    const calling = keepCalling(processes, stop.signal);
    calling.catch(() => {});
    if (isDistributed) {
      // A rolling restart with the new key before the old one.
      env.PORTICO_MASTER_KEY = `${randomBytes(32).toString("hex")},${old.toString("hex")}`;
      for (let count = 0; count < 2; count++) {
        assert.deepEqual(await masterKeyStatus(env).then(({ state, left }) => [state, left]), ["waiting", null]);
        const retired = processes.shift();
        await start();
        await retired?.end("SIGTERM");
      }
    } else {
      assert.equal((await rotateMasterKey(env)).isRunning, true);
    }
    await untilStatus(env, ({ left }) => left !== null && (left.credentials ?? 0) < CREDENTIALS[engine.name]);
    const killed = processes.splice(0);
    await Promise.all(killed.map((one) => one.end("SIGKILL")));
    const { state, left, from } = await masterKeyStatus(env);
    assert.deepEqual([state, from], ["resealing", [keyIdOf(old)]]);
    assert.ok((left?.credentials ?? 0) > 0, "the kill came in the middle");

    await start();
    await untilStatus(env, (report) => report.state === "settling", LOOK_FOR_END_EVERY_MS);
    stop.abort();
    assert.ok((await calling) > 20);
    const { sealing, ...report } = await masterKeyStatus(env);
    assert.deepEqual(Object.values(report.left ?? {}), [0, 0, 0, 0]);

    // Without the old key, as who has lost it to somebody wants it at once.
    await processes[0]?.end("SIGTERM");
    const [next = Buffer.alloc(0)] = loadConfig(env).masterKeys.length > 0 ? loadConfig(env).masterKeys : keysIn(env);
    assert.equal(keyIdOf(next), sealing);
    if (isDistributed) env.PORTICO_MASTER_KEY = next.toString("hex");
    else writeFileSync(join(env.PORTICO_DATA_DIR ?? "", "master.key"), next.toString("hex"));
    await start();
    const last = processes.at(-1);
    assertSuccess(await callOnce(last?.url ?? ""));
    assert.deepEqual((await checkStore(env, { contents: true })).findings, []);
    await opensNothing(env, old, CREDENTIALS[engine.name]);
  });
});

async function prepare(t: TestContext, engine: Engine): Promise<Record<string, string>> {
  const instance = await engine.create();
  t.after(() => instance.dispose());
  const { env } = instance;
  const file = join(env.PORTICO_DATA_DIR ?? "", "provision.json");
  const unused = botApp("app_many", { status: "DISABLED", installations: [] });
  writeFileSync(file, JSON.stringify(acme(botApp("app_bot"), unused)));
  Object.assign(env, { PORTICO_PORT: "0", PORTICO_LOG_LEVEL: "info", PORTICO_PROVISION: file });
  // Migrates, and makes the application.
  const first = await startProcess(env);
  await first.end("SIGTERM");
  const config = loadConfig(env);
  await using opened = new AsyncDisposableStack();
  const log = pino({ level: "silent" });
  const storage = opened.adopt(await openStorage(config, { log }), (open) => open.close());
  const secretBox = await openSecretBox(await loadMasterKeys(config, storage), storage);
  for (let count = 0; count < CREDENTIALS[engine.name]; count += ROWS_AT_ONCE) {
    const values = Array.from({ length: ROWS_AT_ONCE }, (_, index) => {
      const credentialId = `cred_${String(count + index).padStart(8, "0")}`;
      const box = secretBox.seal(`secret ${count + index}`, credentialId);
      return { credential_id: credentialId, app_id: "app_many", secret_box: box, created_at: 0, rotated_at: 0 };
    });
    await storage.write(async (tx) => await tx.insertInto("credentials").values(values).execute());
  }
  return env;
}

function keysIn(env: Record<string, string>): Buffer[] {
  const text = readFileSync(join(env.PORTICO_DATA_DIR ?? "", "master.key"), "utf8");
  return text.split("\n").map((line) => Buffer.from(line, "hex"));
}

async function oldKey(env: Record<string, string>): Promise<Buffer> {
  const [key = Buffer.alloc(0)] = env.PORTICO_MASTER_KEY ? loadConfig(env).masterKeys : keysIn(env);
  return key;
}

async function callOnce(url: string) {
  const sending = { method: "POST", target: MESSAGES, body: textBody("goes on"), timestamp: Date.now() };
  return await sendSigned(url, credentialsOf("app_bot"), sending);
}

/** Calls whichever process is the first; whatever a process that runs answers must be a success. */
async function keepCalling(processes: readonly ServerProcess[], signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const [first] = processes;
    if (first !== undefined) {
      const answer = await callOnce(first.url).catch(() => null);
      assert.ok(answer !== null || processes[0] !== first, "a process that runs does not answer");
      if (answer !== null) assertSuccess(answer);
      count++;
    }
    await new Promise((resolve) => setTimeout(resolve, CALL_EVERY_MS));
  }
  return count;
}

async function untilStatus(
  env: Record<string, string>,
  isSo: (report: MasterKeyReport) => boolean,
  everyMs = LOOK_EVERY_MS,
): Promise<void> {
  const deadline = performance.now() + STEP_WITHIN_MS;
  while (!isSo(await masterKeyStatus(env))) {
    assert.ok(performance.now() < deadline, `it did not come to this: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Asserts that a key opens none of the boxes that are stored, of which there are more than `count`. */
async function opensNothing(env: Record<string, string>, key: Buffer, count: number): Promise<void> {
  const { db, close } = await openReadOnly(loadConfig(env));
  const rows = await db.selectFrom("credentials").select(["credential_id as owner", "secret_box as box"]).execute();
  const meta = await db.selectFrom("meta").select(["name as owner", "value as box"]).execute();
  await close();
  assert.ok(rows.length > count);
  for (const { owner, box } of [...rows, ...meta]) {
    // Whatever key its name says that it is sealed under.
    const bare = box.slice(box.indexOf(".") + 1);
    assert.throws(() => new SecretBox([key]).open(bare, owner), owner);
  }
}
