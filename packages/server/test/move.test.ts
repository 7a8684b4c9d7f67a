import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { backUp } from "../src/operations/backup/backup.ts";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { moveStore } from "../src/operations/move/move.ts";
import { createOperator } from "../src/operations/operators.ts";
import { migrate } from "../src/platform/storage/migrate.ts";
import type { Schema } from "../src/platform/storage/schema.ts";
import { select } from "../src/platform/storage/search/search.ts";
import { defineSqlFunctions } from "../src/platform/storage/sqlite/sqlite.ts";
import { acme, alice, botApp, call, credentialsOf, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { customerApp } from "./support/customer-acme.ts";
import { type EngineInstance, postgres, sqlite } from "./support/engines.ts";
import { fillTables } from "./support/fill-tables.ts";
import { CHEAP_HASHES } from "./support/hash-cost.ts";
import { send, sendSigned } from "./support/http.ts";
import { rowsWanted } from "./support/large-store.ts";
import { MemberClient } from "./support/member.ts";
import { startReceiver } from "./support/receiver.ts";
import { startS3Server } from "./support/s3-server.ts";
import { PIXEL, uploadKey } from "./support/uploads.ts";
import {
  deliveriesOf,
  isSignedWith,
  LOOPBACK_CALLBACKS,
  LOOPBACK_NETWORK,
  sayTo,
  subscribe,
  until,
  untilAll,
} from "./support/webhooks.ts";
import { World } from "./support/world.ts";

const provision = acme(botApp("app_bot"), customerApp("app_desk"));
const skip = postgres.missing ?? false;
const OPS = { phone: "13800000009", channelId: 1, name: "Ops", password: "a good password" };

/** An embedded store, and an empty database to move it to. */
async function places(t: TestContext): Promise<{ from: EngineInstance; to: EngineInstance; url: string }> {
  const from = await sqlite.create("migrated");
  const to = await postgres.create();
  t.after(async () => {
    await from.dispose();
    await to.dispose();
  });
  return { from, to, url: to.env.PORTICO_DATABASE_URL ?? "" };
}

function openDatabase({ env }: EngineInstance): Database.Database {
  const database = new Database(join(env.PORTICO_DATA_DIR ?? "", "portico.db"));
  defineSqlFunctions(database);
  return database;
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string, asText = false): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: url,
    ...(asText && { types: { getTypeParser: () => (value: string) => value } }),
  });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A distributed service on what was moved, with the old data directory. */
async function onMoved(t: TestContext, from: EngineInstance, to: EngineInstance): Promise<World> {
  const dataDir = from.env.PORTICO_DATA_DIR ?? "";
  const key = readFileSync(join(dataDir, "master.key"), "utf8").trim();
  const env = { ...to.env, PORTICO_DATA_DIR: dataDir, PORTICO_MASTER_KEY: key, ...LOOPBACK_CALLBACKS };
  const parts = { hashCost: CHEAP_HASHES, network: LOOPBACK_NETWORK };
  const world = await World.on(postgres, { env, dispose: async () => {} }, null, {}, parts);
  t.after(() => world.dispose());
  return world;
}

const onOld = (from: EngineInstance) => World.on(sqlite, { env: { ...from.env }, dispose: async () => {} }, null);

describe("a move to PostgreSQL", { skip }, () => {
  test("takes every table over, whatever is in it", async (t) => {
    const { from, url } = await places(t);
    const database = openDatabase(from);
    t.after(() => database.close());
    const filled = fillTables(database);
    database.prepare("insert into nonces_1 values ('app', 'twice', 5, 100), ('app', 'twice', 9, 200)").run();
    const report = await moveStore(from.env, { to: url });
    assert.deepEqual([report.isNew, report.replaced, report.files], [true, 0, null]);
    assert.deepEqual(report.tables.map(({ name }) => name).toSorted(), filled.toSorted());

    database.defaultSafeIntegers();
    for (const { name, rows, hash } of report.tables) {
      assert.ok(rows >= 5, name);
      assert.match(hash, /^[0-9a-f]{64}$/);
      // Compared once more without the code that the move compares with.
      const here = database.prepare<[], Record<string, unknown>>(`select * from "${name}"`).all();
      const asText = here.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, value === null ? null : String(value)]),
        ),
      );
      const there = await query(url, `select * from "${name}"`, true);
      const canonical = (list: Record<string, unknown>[]) =>
        list.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted();
      const expected = asText.filter(({ nonce, signed_at }) => !(nonce === "twice" && signed_at === "5"));
      assert.deepEqual(canonical(there), canonical(expected), name);
    }
    // The next number is the one that SQLite would have given.
    for (const [table, id] of [
      ["messages", "message_id"],
      ["audit_entries", "audit_id"],
      ["deliveries", "delivery_id"],
    ] as const) {
      const [next] = await query<{ id: string }>(
        url,
        `select nextval(pg_get_serial_sequence('${table}', '${id}')) as id`,
      );
      const last = database.prepare<[], bigint>(`select max(${id}) from ${table}`).pluck().get() ?? 0n;
      assert.equal(next?.id, String(last + 1n), table);
    }
  });

  test("goes on where the embedded service ended", async (t) => {
    const { from, to, url } = await places(t);
    const receiver = await startReceiver({ respond: (_, response) => void response.writeHead(500).end() });
    t.after(() => receiver.stop());
    const old = await World.on(sqlite, from, provision, LOOPBACK_CALLBACKS, {
      hashCost: CHEAP_HASHES,
      network: LOOPBACK_NETWORK,
    });
    const secret = await subscribe(old, "app_bot", receiver.url());
    const member = await MemberClient.signIn(old, alice);
    const nonce = "used before the move";
    const timestamp = old.clock.now();
    const first = {
      method: "POST",
      target: MESSAGES,
      body: textBody("first", { clientMessageId: "c1" }),
      timestamp,
      nonce,
    };
    const sent = await sendSigned(old.url, credentialsOf("app_bot"), first);
    assertSuccess(sent);
    const fileKey = await uploadKey(old, "app_bot");
    const image = {
      receiveIdType: "group_id",
      receiveId: "g_team",
      msgType: "image",
      content: { fileKey, width: 1, height: 1 },
    };
    assertSuccess(await call(old, "app_bot", { method: "POST", target: MESSAGES, body: JSON.stringify(image) }));
    await sayTo(old, "app_bot", "for the webhook", alice);
    await until(() => receiver.requests.length > 0, "the first attempt fails");
    await until(async () => (await deliveriesOf(old, "app_bot"))[0]?.attempt_count === 1, "it is recorded");

    await assert.rejects(moveStore(from.env, { to: url }), /another Portico .* is running on the data directory/);
    await old.stop();
    await moveStore(from.env, { to: url });
    const again = await moveStore(from.env, { to: url });
    assert.equal(again.isNew, false);
    await assert.rejects(moveStore(from.env, { to: `${url}_2` }), /was moved to postgres:.* already|cannot be used/);

    const world = await onMoved(t, from, to);
    receiver.respond = (_, response) => void response.writeHead(200).end();
    const replayed = await sendSigned(world.url, credentialsOf("app_bot"), first);
    assert.equal(replayed.status, 401);
    const repeated = await sendText(world, "app_bot", "first", { body: textBody("first", { clientMessageId: "c1" }) });
    assert.deepEqual(repeated.json.value, { ...sent.json.value, duplicate: true });
    const next = await sendText(world, "app_bot", "next");
    assert.equal(next.json.value.msgSeq, 3);
    const listed = await send(`${world.url}/api/client/v1/conversations/group:g_team/messages?limit=10`, {
      headers: { authorization: `Bearer ${member.token}` },
    });
    assert.equal(listed.status, 200, "the token is valid still");
    const [picture] = (await (await MemberClient.signIn(world, alice)).history("group:g_team")).filter(
      ({ msgType }) => msgType === "image",
    );
    const { pathname } = new URL((picture?.content as { url: string } | undefined)?.url ?? "");
    assert.deepEqual((await send(`${world.url}${pathname}`)).bytes, PIXEL);
    world.clock.turn(11_000);
    await world.portico.ctx.webhooks.poll();
    await untilAll(world, "app_bot", "DELIVERED");
    assert.ok(isSignedWith(secret, receiver.requests.at(-1) ?? assert.fail()));
    const { db } = world.portico.ctx.storage;
    assert.equal((await select(db, "postgres", "visitors", { scope: "app_desk", keyword: "nn" })).total, 1);
    assert.deepEqual((await checkStore(world.env, { contents: true })).findings, []);

    for (const attempt of [
      () => onOld(from),
      () => createOperator(OPS, from.env),
      () => backUp(join(from.env.PORTICO_DATA_DIR ?? "", "b.tar"), from.env, { passphrase: null }),
    ]) {
      await assert.rejects(attempt(), /was moved to postgres:\/\/\S+\/portico_\w+ at 20.*, and lives there/);
    }
  });

  test("that was killed is completed by the same command, and nothing starts before", async (t) => {
    const { from, to, url } = await places(t);
    const ROWS = rowsWanted(60_000);
    const database = openDatabase(from);
    database.prepare("insert into conversations values ('group:g', ?)").run(ROWS);
    database
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
        insert into messages (conversation_key, msg_seq, sender_type, sender_id, msg_type, content, mentions, created_at)
        select 'group:g', i, 'BOT', 'app', 'text', '{"text":"' || i || '"}', '[]', i from n`,
      )
      .run(ROWS);
    database.close();
    for (const fatal of [/^conversations: 1 rows/, /^messages: \d+ of/, /^messages: [45]\d{4} of/, /^comparing/]) {
      await killedMove(from.env, url, fatal);
      await assert.rejects(onOld(from), /has been on its way to postgres:.*run the same `portico move` again/);
      await assert.rejects(
        World.on(postgres, { env: { ...to.env }, dispose: async () => {} }, null),
        /a move into this database is not complete/,
      );
    }
    const [copied] = await query<{ rows: string }>(url, "select count(*) as rows from messages");
    assert.equal(Number(copied?.rows), ROWS);
    const report = await moveStore(from.env, { to: url });
    assert.equal(report.tables.find(({ name }) => name === "messages")?.rows, ROWS);
    const [numbers] = await query<{ rows: string; ids: string }>(
      url,
      "select count(*) as rows, count(distinct msg_seq) as ids from messages",
    );
    assert.deepEqual(numbers, { rows: String(ROWS), ids: String(ROWS) });
  });

  test("does not go where anything is, and then leaves the store as it was", async (t) => {
    const { from, to, url } = await places(t);
    await query(url, "create table kysely_migration (name text)");
    await query(url, "insert into kysely_migration values ('0003-events')");
    await assert.rejects(moveStore(from.env, { to: url }), /schema of another version of Portico \(0003-events\)/);
    await query(url, "drop table kysely_migration");
    await query(url, "create table portico_migrating (name text); insert into portico_migrating values ('9999-later')");
    await assert.rejects(moveStore(from.env, { to: url }), /schema of another version of Portico \(9999-later\)/);
    await query(url, "drop table portico_migrating");
    const there = await World.on(postgres, { env: { ...to.env }, dispose: async () => {} }, acme());
    await assert.rejects(moveStore(from.env, { to: url }), /destination is not empty \(its table \w+ has rows\)/);
    await there.stop();
    await assert.rejects(moveStore(from.env, { to: url }), /destination is not empty/);
    await assert.rejects(moveStore(from.env, { to: "postgres://127.0.0.1:1/x" }), /destination cannot be used/);
    await assert.rejects(moveStore(from.env, { to: "mysql://x" }), /no URL of PostgreSQL/);
    await assert.rejects(moveStore(from.env, { to: null }), /--to/);
    const world = await onOld(from);
    await world.stop();
  });

  test("goes where the migrations of an earlier attempt were broken off", async (t) => {
    const { from, url } = await places(t);
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    // As far as the first migration had come before its process was killed.
    await migrate(db, "postgres", "0001-foundation");
    await db.destroy();
    await query(
      url,
      "alter table kysely_migration drop column timestamp; create table portico_migrating as table kysely_migration; drop table kysely_migration",
    );
    const report = await moveStore(from.env, { to: url });
    assert.ok(report.tables.length > 0);
    assert.deepEqual(await query(url, "select to_regclass('portico_migrating') as there"), [{ there: null }]);
  });

  test("of an older schema, or with values that PostgreSQL cannot hold, says so", async (t) => {
    const { from, url } = await places(t);
    const database = openDatabase(from);
    t.after(() => database.close());
    const newest = database
      .prepare<[], { name: string; timestamp: string }>("select * from kysely_migration order by name desc limit 1")
      .get();
    database.prepare("delete from kysely_migration where name = ?").run(newest?.name);
    await assert.rejects(moveStore(from.env, { to: url }), /another version of Portico: run `portico migrate` first/);
    database.prepare("insert into kysely_migration values (?, ?)").run(newest?.name, newest?.timestamp);

    database.prepare("insert into tenants values ('t_1', ?)").run("a\u0000b");
    database.prepare("insert into meta values ('odd', 'x')").run();
    database
      .prepare(
        "insert into apps (app_id, type, tenant_id, status, display_name, avatar, created_at) values ('a', '', 't_1', '', '', '', 1.5)",
      )
      .run();
    await assert.rejects(moveStore(from.env, { to: url }), /in created_at of apps "a": it is no whole number/);
    database.prepare("update apps set created_at = 1").run();
    const report = await moveStore(from.env, { to: url });
    assert.equal(report.replaced, 1);
    assert.deepEqual(await query(url, "select name from tenants"), [{ name: "a\uFFFDb" }]);
  });

  test("copies files to S3 and reads them back; what was damaged before is named", async (t) => {
    const { from, to, url } = await places(t);
    const store = await startS3Server();
    t.after(() => store.stop());
    const old = await World.on(sqlite, from, provision, {}, { hashCost: CHEAP_HASHES });
    for (const more of ["", "2", "3"])
      await uploadKey(old, "app_bot", { content: Buffer.concat([PIXEL, Buffer.from(more)]) });
    const rows = await old.portico.ctx.storage.db.selectFrom("files").select("blob_key").orderBy("size").execute();
    await old.stop();
    const [, , gone = ""] = rows.map(({ blob_key }) => blob_key);
    rmSync(join(from.env.PORTICO_DATA_DIR ?? "", "blobs", gone.slice(0, 2), gone));
    const s3 = {
      PORTICO_BLOBS_KIND: "s3",
      PORTICO_BLOBS_ENDPOINT: store.endpoint,
      PORTICO_BLOBS_BUCKET: store.bucket,
      PORTICO_BLOBS_REGION: store.region,
      PORTICO_BLOBS_ACCESS_KEY_ID: store.accessKeyId,
      PORTICO_BLOBS_SECRET_ACCESS_KEY: store.secretAccessKey,
    };
    const report = await moveStore({ ...from.env, ...s3 }, { to: url });
    assert.deepEqual(report.files, { verified: 2, bytes: PIXEL.length * 2 + 1, faulty: [gone] });
    Object.assign(to.env, s3);
    const { findings } = await checkStore(
      { ...to.env, PORTICO_DATA_DIR: from.env.PORTICO_DATA_DIR },
      { contents: true },
    );
    assert.deepEqual(
      findings.filter(({ kind }) => kind === "file").map(({ of }) => of),
      [gone],
    );
  });
});

/** Moves in a process of its own, which is killed when a line of progress is as `fatal`. */
async function killedMove(env: Record<string, string>, url: string, fatal: RegExp): Promise<void> {
  const program = fileURLToPath(new URL("./support/move-in-process.ts", import.meta.url));
  const child = spawn(process.execPath, [program, url], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (!fatal.test(line)) continue;
    child.kill("SIGKILL");
    break;
  }
  const [, signal] = await ended;
  assert.equal(signal, "SIGKILL", `it went on to its end: ${lines.join("; ")}`);
}
