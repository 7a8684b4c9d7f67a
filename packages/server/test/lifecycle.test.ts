import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import { pino } from "pino";
import { loadConfig } from "../src/platform/config/load-config.ts";
import { openStorage } from "../src/platform/storage/open-storage.ts";
import { provisionFromFile } from "../src/service/provision-command.ts";
import { acme, alice, botApp, credentialsOf, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { onBothEngines, sqlite } from "./support/engines.ts";
import { send, sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { MAIN, startProcess, startToFail } from "./support/process.ts";
import { World } from "./support/world.ts";

const provision = acme(botApp("app_bot"));

/** A data directory that is removed with the test. */
function dataDirOf(t: TestContext): string {
  const dataDir = mkdtempSync(join(tmpdir(), "portico-test-"));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

describe("the start", () => {
  test("a new data directory gets demo data, and the printed credentials can send a message that alice reads", async (t) => {
    const dataDir = join(dataDirOf(t), "data");
    const env = { PORTICO_DATA_DIR: dataDir, PORTICO_PORT: "0", PORTICO_LOG_LEVEL: "warn" };
    const server = await startProcess(env, MAIN, { fromSources: true });
    t.after(() => server.end("SIGKILL"));
    const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
    for (const secret of [demo.cli.appSecret, demo.member.password]) assert.ok(server.output().includes(secret));
    assert.match(server.output(), /portico send --to group:g_demo/);
    const body = textBody("Hello", { receiveId: "g_demo" });
    const sent = await sendSigned(server.url, demo.cli, {
      method: "POST",
      target: MESSAGES,
      body,
      timestamp: Date.now(),
    });
    assert.equal(sent.json.code, "000000", sent.text);
    const member = await MemberClient.signIn(server, demo.member);
    assert.deepEqual(
      (await member.history("group:g_demo")).map((message) => message.content),
      [{ text: "Hello" }],
    );
    for (const file of ["demo.json", "master.key"]) assert.equal(statSync(join(dataDir, file)).mode & 0o077, 0);

    assert.equal(await server.end("SIGTERM"), 0);
    const again = await startProcess(env);
    t.after(() => again.end("SIGKILL"));
    assert.deepEqual(JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")), demo);
    const back = await MemberClient.signIn(again, demo.member);
    assert.equal((await back.history("group:g_demo")).length, 1);
  });
  test("in production there is never a demo world", async (t) => {
    const dataDir = dataDirOf(t);
    const env = { PORTICO_DATA_DIR: dataDir, PORTICO_PORT: "0", PORTICO_ENVIRONMENT: "production" };
    const server = await startProcess({ ...env, PORTICO_LOG_LEVEL: "warn" });
    t.after(() => server.end("SIGKILL"));
    assert.ok(!existsSync(join(dataDir, "demo.json")));
    assert.ok(!server.output().includes("app_demo"));
  });
  test("a second instance on the same data directory refuses to start and says why", async (t) => {
    const world = await World.create(sqlite, provision);
    t.after(() => world.dispose());
    const { code, output } = await startToFail(world.env);
    assert.equal(code, 1);
    assert.match(output, new RegExp(`another Portico \\(process ${process.pid}\\) is running on the data directory`));
    assert.equal((await sendText(world, "app_bot", "unharmed")).status, 200);
  });
  test("a wrong variable stops the start and is named", async (t) => {
    const env = { PORTICO_DATA_DIR: dataDirOf(t), PORTICO_LIMITS_NONCE_TTL: "soon" };
    const { code, output } = await startToFail(env);
    assert.equal(code, 1);
    assert.match(output, /^portico: PORTICO_LIMITS_NONCE_TTL must be a duration/);
  });
  test("a wrong provisioning file stops the start and the path in it is named", async (t) => {
    const dataDir = dataDirOf(t);
    const file = join(dataDir, "provision.json");
    writeFileSync(
      file,
      JSON.stringify(acme(botApp("app_bot", { installations: [{ targetType: "GROUP", targetId: "g_gone" }] }))),
    );
    const { code, output } = await startToFail({
      PORTICO_DATA_DIR: dataDir,
      PORTICO_PROVISION: file,
      PORTICO_PORT: "0",
    });
    assert.equal(code, 1);
    assert.match(output, /apps\[0\]\.installations\[0\]\.targetId names an unknown group g_gone/);
  });
  test("an occupied port stops the start with a message", async (t) => {
    const world = await World.create(sqlite, provision);
    t.after(() => world.dispose());
    const { code, output } = await startToFail({
      PORTICO_DATA_DIR: dataDirOf(t),
      PORTICO_PORT: new URL(world.url).port,
    });
    assert.equal(code, 1);
    assert.match(output, /port \d+ .*PORTICO_PORT/);
  });
  test("a database that does not answer stops the start with a message", async (t) => {
    const { code, output } = await startToFail({
      PORTICO_DATA_DIR: dataDirOf(t),
      PORTICO_DATABASE_URL: "postgres://nobody:hidden-password@127.0.0.1:9/none",
      PORTICO_REDIS_URL: "redis://127.0.0.1:9",
      PORTICO_MASTER_KEY: "0".repeat(64),
    });
    assert.equal(code, 1);
    assert.match(output, /PORTICO_DATABASE_URL/);
    assert.ok(!output.includes("hidden-password"));
  });
});

onBothEngines("the start", (engine, test) => {
  if (engine.name === "sqlite") return;
  test("stops with a message when Redis does not answer", async (t) => {
    const instance = await engine.create();
    t.after(() => instance.dispose());
    const { code, output } = await startToFail({
      ...instance.env,
      PORTICO_REDIS_URL: "redis://:hidden-password@127.0.0.1:9",
    });
    assert.equal(code, 1);
    assert.match(output, /^portico: Redis at PORTICO_REDIS_URL does not answer/m);
    assert.ok(!output.includes("hidden-password"));
  });
});

onBothEngines("a database", (engine, test) => {
  test("written by a newer version is refused by an older one", async (t) => {
    const world = await World.create(engine, provision);
    t.after(() => world.dispose());
    await world.portico.ctx.storage.write(async (tx) => {
      const applied = { name: "9999-from-the-future", timestamp: new Date().toISOString() };
      await tx
        .withTables<{ kysely_migration: typeof applied }>()
        .insertInto("kysely_migration")
        .values(applied)
        .execute();
    });
    await world.stop();
    await assert.rejects(world.start(), /newer version of Portico \(it has 9999-from-the-future\)/);
  });
  test("is not opened with another master key", async (t) => {
    const world = await World.create(engine, provision);
    t.after(() => world.dispose());
    await world.stop();
    const key = world.env.PORTICO_MASTER_KEY;
    world.env.PORTICO_MASTER_KEY = "11".repeat(32);
    await assert.rejects(world.start(), /master key is not the one/);
    if (key === undefined) delete world.env.PORTICO_MASTER_KEY;
    else world.env.PORTICO_MASTER_KEY = key;
    await world.start();
    assert.equal((await sendText(world, "app_bot", "hi")).status, 200);
  });
  test("contains no plain-text secret, and neither do the log, the request log or the errors", async (t) => {
    const world = await World.create(engine, provision);
    t.after(() => world.dispose());
    const answers = [
      await sendText(world, "app_bot", "hi"),
      await sendText(world, "app_bot", "hi", { signedBody: "other" }),
      await sendText(world, "app_bot", "hi", { headers: { "X-Open-Credential-Id": "cred_nobody" } }),
      await sendText(world, "app_bot", "", { body: "{" }),
    ];
    const member = await MemberClient.signIn(world, alice);
    await member.post("conversations/group:g_team/messages", { msgType: "text", content: { text: "hello" } });
    const login = await send(`${world.url}/api/client/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(alice),
    });
    const { ctx } = world.portico;
    await ctx.requestLog.flush();
    const tables = await ctx.storage.db.introspection.getTables();
    assert.ok(tables.length > 20);
    let everything = world.logLines.join("\n") + answers.map((answer) => answer.text).join("\n");
    for (const { name } of tables) {
      const rows = await ctx.storage.db
        .withTables<Record<string, Record<string, unknown>>>()
        .selectFrom(name)
        .selectAll()
        .execute();
      everything += JSON.stringify(rows);
    }
    const { appSecret } = credentialsOf("app_bot");
    assert.ok(everything.includes("app_bot"), "the dump is there");
    for (const secret of [appSecret, alice.password, login.json.value.accessToken]) {
      assert.ok(!everything.includes(secret), `${secret} lies in clear`);
      assert.ok(!everything.includes(JSON.stringify(secret).slice(1, -1)));
    }
  });
});

onBothEngines("the stop", (engine, test) => {
  test("SIGTERM under load: calls in progress are answered, the exit code is 0 within 10 s, and nothing acknowledged is lost", async (t) => {
    const instance = await engine.create();
    t.after(() => instance.dispose());
    const file = join(instance.env.PORTICO_DATA_DIR ?? "", "provision.json");
    writeFileSync(file, JSON.stringify(provision));
    const env = { ...instance.env, PORTICO_PORT: "0", PORTICO_PROVISION: file, PORTICO_LOG_LEVEL: "warn" };
    const server = await startProcess(env);
    const acknowledged: number[] = [];
    const enough = Promise.withResolvers<void>();
    let refused = 0;
    const sendOn = async () => {
      for (;;) {
        const sending = { method: "POST", target: MESSAGES, body: textBody("hi"), timestamp: Date.now() };
        const answer = await sendSigned(server.url, credentialsOf("app_bot"), sending).catch(() => null);
        // After it stops listening, connections are refused; until then every call succeeds.
        if (answer === null) return;
        if (answer.status === 200) acknowledged.push(answer.json.value.messageId);
        else refused++;
        if (acknowledged.length >= 50) enough.resolve();
      }
    };
    const senders = Array.from({ length: 8 }, sendOn);
    await Promise.race([enough.promise, Promise.all(senders)]);
    const started = performance.now();
    assert.equal(await server.end("SIGTERM"), 0);
    assert.ok(performance.now() - started < 10_000);
    await Promise.all(senders);
    assert.equal(refused, 0);

    const again = await startProcess(env);
    t.after(() => again.end("SIGKILL"));
    const history = await (await MemberClient.signIn(again, alice)).history("group:g_team");
    const kept = new Set(history.map((message) => message.messageId));
    assert.deepEqual(
      acknowledged.filter((messageId) => !kept.has(messageId)),
      [],
    );
  });
  test("SIGTERM with a connection that never finishes its request: still 0 within 10 s", async (t) => {
    const instance = await engine.create();
    t.after(() => instance.dispose());
    const server = await startProcess({ ...instance.env, PORTICO_PORT: "0", PORTICO_LOG_LEVEL: "silent" });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on("error", () => {});
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write("POST /api/open/v2/bot/messages HTTP/1.1\r\nHost: x\r\nContent-Le");
    const started = performance.now();
    assert.equal(await server.end("SIGTERM"), 0);
    assert.ok(performance.now() - started < 10_000);
    socket.destroy();
  });
});

onBothEngines("the operator's endpoints", (engine, test) => {
  test("/healthz, /readyz and /metrics answer", async (t) => {
    const world = await World.create(engine, provision);
    t.after(() => world.dispose());
    assert.equal((await send(`${world.url}/healthz`)).status, 200);
    assert.equal((await send(`${world.url}/readyz`)).status, 200);
    await sendText(world, "app_bot", "hi");
    await sendText(world, "app_bot", "hi", { signedBody: "other" });
    const { text } = await send(`${world.url}/metrics`);
    assert.match(
      text,
      /portico_requests_total\{method="POST",route="\/api\/open\/v2\/bot\/messages",code="000000"\} 1/,
    );
    assert.match(
      text,
      /portico_requests_total\{method="POST",route="\/api\/open\/v2\/bot\/messages",code="400001"\} 1/,
    );
    assert.match(text, /portico_request_duration_seconds_bucket/);
  });
  test("/readyz names the failing part", async (t) => {
    const world = await World.create(engine, provision);
    t.after(() => world.dispose());
    t.mock.method(world.portico.ctx.storage, "ping", async () => {
      throw new Error("gone");
    });
    const answer = await send(`${world.url}/readyz`);
    assert.deepEqual([answer.status, answer.json], [503, { status: "unavailable", failed: ["database"] }]);
  });
  test("provision FILE applies a file to the database, unless an embedded service is running on it", async (t) => {
    const world = await World.create(engine, provision);
    t.after(() => world.dispose());
    const file = join(dataDirOf(t), "more.json");
    writeFileSync(file, JSON.stringify(acme(botApp("app_more"))));
    const { PORTICO_PROVISION: _, ...env } = world.env;
    if (engine.name === "sqlite") {
      await assert.rejects(provisionFromFile(file, env), /another Portico/);
      await world.stop();
    }
    const planned = await provisionFromFile(file, env, { dryRun: true });
    const { entities, applied } = await provisionFromFile(file, env);
    assert.equal(planned.applied, applied);
    assert.deepEqual(entities, { tenants: 2, members: 3, groups: 2, developers: 0, apps: 1 });
    if (engine.name === "sqlite") await world.start();
    assert.equal((await sendText(world, "app_more", "hi")).status, 200);
    assert.equal(loadConfig(env).provision, null);
  });
  test("provision FILE --dry-run creates no database and migrates none", async (t) => {
    const instance = await engine.create();
    t.after(() => instance.dispose());
    const file = join(dataDirOf(t), "world.json");
    writeFileSync(file, JSON.stringify(provision));
    const { applied } = await provisionFromFile(file, instance.env, { dryRun: true });
    assert.ok(applied > 10);
    assert.deepEqual(readdirSync(instance.env.PORTICO_DATA_DIR ?? ""), []);
    assert.equal((await provisionFromFile(file, instance.env)).applied, applied);
    const storage = await openStorage(loadConfig(instance.env), { log: pino({ level: "silent" }) });
    await storage.write(async (tx) => {
      await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(tx);
    });
    await storage.close();
    await assert.rejects(provisionFromFile(file, instance.env, { dryRun: true }), /of another version/);
  });
});
