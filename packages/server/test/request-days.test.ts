import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { changeDays, dropDays, listDays } from "../src/domain/requests/days/day-partitions.ts";
import { makeDays } from "../src/domain/requests/days/make-days.ts";
import { DEFAULT_PARTITION, dayAt } from "../src/domain/requests/days/request-day.ts";
import { findRequest, insertRequests, listRequests } from "../src/domain/requests/request-store.ts";
import { sweepRequestDays, sweepRequests } from "../src/domain/requests/sweep.ts";
import { loadConfig } from "../src/platform/config/load-config.ts";
import { reqNosFrom } from "../src/platform/http/trace.ts";
import { openStorage } from "../src/platform/storage/open-storage.ts";
import type { Storage } from "../src/platform/storage/storage.ts";
import { postgres } from "./support/engines.ts";
import { migratedStorage } from "./support/migrated-storage.ts";
import { FIXTURE_KEY } from "./support/versions.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 24, 12);
const WEEK = 7 * DAY;

/** Records calls of these numbers. */
async function insert(storage: Storage, reqNos: readonly string[]): Promise<void> {
  const call = { appId: "app_bot", method: "GET", path: "/", status: 200, code: "", durationMs: 1, detail: null };
  const records = reqNos.map((reqNo) => ({ ...call, reqNo, at: Number.parseInt(reqNo.slice(0, 9), 36) }));
  await storage.write((tx) => insertRequests(tx, "postgres", records));
}

/** Records calls that came at these times; returns their numbers. */
async function record(storage: Storage, ...times: number[]): Promise<string[]> {
  const reqNos = times.map((at, n) => `${reqNosFrom(at)}0123456789ab${String(n).padStart(6, "0")}`);
  await insert(storage, reqNos);
  return reqNos;
}

/** The partition in which each record is, in the order of their times. */
async function placesOf({ db }: Storage): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`select tableoid::regclass::text as place from requests
    order by req_no`.execute(db);
  return rows.map(({ place }) => place);
}

const daysOf = async ({ db }: Storage) => (await listDays(db)).map(({ table }) => table.slice("requests_".length));

const listed = async ({ db }: Storage) =>
  (await listRequests(db, "app_bot", { limit: 100 })).items.map(({ reqNo }) => reqNo);

/** Somebody who has read the log for long, as a dump does. */
async function reader(t: TestContext, url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.after(() => client.end());
  await client.query("begin; lock table requests in access share mode");
  return client;
}

describe("the days of the request log", { skip: postgres.missing ?? false }, () => {
  let storage: Storage;
  let dispose: () => Promise<void>;
  let url: string;

  before(async () => {
    ({ storage, dispose } = await migratedStorage());
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(storage.db);
    url = new URL(`/${rows[0]?.name}`, process.env.PORTICO_TEST_POSTGRES_URL).href;
  });
  after(() => dispose());

  /** An empty log without days. */
  async function begin() {
    for (const { table } of await listDays(storage.db)) await sql`drop table ${sql.table(table)}`.execute(storage.db);
    await sql`truncate requests`.execute(storage.db);
  }

  test("are made ahead, and take the records of their times; a day that is near without stays without", async () => {
    await begin();
    const [early] = await record(storage, NOW - HOUR);
    await makeDays(storage, NOW);
    assert.deepEqual(await daysOf(storage), ["20261126", "20261127", "20261128"]);
    const next = dayAt(NOW + 2 * DAY);
    const later = await record(storage, next.from - 1, next.from, next.until - 1, next.until);
    assert.deepEqual(await placesOf(storage), [
      DEFAULT_PARTITION,
      DEFAULT_PARTITION,
      next.table,
      next.table,
      "requests_20261127",
    ]);
    assert.deepEqual(await listed(storage), [early, ...later].reverse());
    for (const reqNo of later) assert.equal((await findRequest(storage.db, reqNo))?.reqNo, reqNo);
    // Known records do not change, whatever the partition.
    await insert(storage, later);
    assert.equal((await listed(storage)).length, 5);
  });

  test("leave as a whole when all of their records are old; those without a day leave one by one", async () => {
    await begin();
    await record(storage, NOW - HOUR);
    await makeDays(storage, NOW);
    const next = dayAt(NOW + 2 * DAY);
    await record(storage, next.from, next.until - 1, next.until);
    await sweepRequests(storage, next.until - 1 + WEEK, WEEK);
    await dropDays(storage, next.until - 1);
    assert.deepEqual(await placesOf(storage), [next.table, next.table, "requests_20261127"]);
    await sweepRequestDays(storage, next.until + WEEK, WEEK);
    assert.deepEqual(await placesOf(storage), ["requests_20261127"]);
    const { rows } = await sql`select to_regclass(${next.table}) as oid`.execute(storage.db);
    assert.deepEqual(rows, [{ oid: null }]);
  });

  test("with a retention of less than a day, records leave one by one within theirs", async () => {
    await begin();
    await makeDays(storage, NOW - 3 * DAY);
    await record(storage, NOW - 2 * HOUR, NOW - HOUR + 1, NOW);
    await sweepRequestDays(storage, NOW, HOUR);
    await sweepRequests(storage, NOW, HOUR);
    assert.deepEqual(await placesOf(storage), ["requests_20261124", "requests_20261124"]);
  });

  test("a record that comes while its day is made keeps that day from a partition, and the other days have theirs", async () => {
    await begin();
    let isLate = true;
    const racing = new Proxy(storage, {
      get: (target, name) => {
        if (name !== "unhurried" || !isLate) return Reflect.get(target, name);
        isLate = false;
        const write: Storage["write"] = async (...unit) => {
          await record(storage, NOW + 2 * DAY);
          return await target.unhurried.write(...unit);
        };
        return { ...target.unhurried, write };
      },
    });
    await makeDays(racing, NOW);
    assert.deepEqual(await daysOf(storage), ["20261127", "20261128"]);
    assert.deepEqual(await placesOf(storage), [DEFAULT_PARTITION]);
  });

  test("are 45 at most, and the place of one that has left is taken by the next", async () => {
    await begin();
    for (let n = 0; n < 60; n++) await makeDays(storage, NOW + n * DAY);
    assert.equal((await daysOf(storage)).length, 45);
    await record(storage, NOW + 62 * DAY);
    await dropDays(storage, dayAt(NOW + 3 * DAY).from);
    await makeDays(storage, NOW + 60 * DAY);
    assert.deepEqual((await daysOf(storage)).slice(-1), [dayAt(NOW + 63 * DAY).table.slice("requests_".length)]);
  });

  test("four processes make them at once, again and again, and none fails", async () => {
    await begin();
    const others = await Promise.all(Array.from({ length: 3 }, () => otherProcess(url)));
    try {
      for (let day = 0; day < 5; day++) {
        const at = NOW + day * 3 * DAY;
        const making = [storage, ...others].map((one) => makeDays(one, at));
        // The one that has its turn makes them all.
        await Promise.all(making);
        assert.equal((await daysOf(storage)).length, 3 * (day + 1));
      }
    } finally {
      await Promise.all(others.map((one) => one.close()));
    }
  });

  test("a clock that is weeks ahead has its records taken, found and removed", async () => {
    await begin();
    await makeDays(storage, NOW);
    const far = NOW + 40 * DAY;
    const [reqNo = ""] = await record(storage, far);
    assert.deepEqual(await placesOf(storage), [DEFAULT_PARTITION]);
    assert.equal((await findRequest(storage.db, reqNo))?.at, far);
    // When time gets there, that day stays without a partition, and the others have theirs.
    await makeDays(storage, far - 3 * DAY);
    assert.deepEqual((await daysOf(storage)).slice(-2), ["20270102", "20270104"]);
    await sweepRequests(storage, far + WEEK + 1, WEEK);
    assert.deepEqual(await placesOf(storage), []);
  });

  test("are made beside a large default partition without a look at it under a lock", async () => {
    await begin();
    await record(storage, NOW - HOUR, NOW + 3 * DAY);
    await makeDays(storage, NOW, 0);
    assert.deepEqual(await daysOf(storage), ["20261126", "20261128"]);
    await record(storage, NOW, NOW + 2 * DAY, NOW + 3 * DAY + 1, NOW + 4 * DAY);
    assert.equal((await placesOf(storage)).filter((place) => place === DEFAULT_PARTITION).length, 4);
    assert.deepEqual(await checksOf(storage), []);
  });

  test("what a killed process left of that is undone by the next, so that no record is refused", async () => {
    await begin();
    await record(storage, NOW - HOUR);
    const { first, end } = { first: reqNosFrom(NOW), end: reqNosFrom(NOW + DAY) };
    await sql
      .raw(
        `alter table ${DEFAULT_PARTITION} add constraint requests_default_excluded check (req_no < '${first}' or req_no >= '${end}') not valid`,
      )
      .execute(storage.db);
    await assert.rejects(record(storage, NOW), /requests_default_excluded/);
    await makeDays(storage, NOW);
    assert.deepEqual(await checksOf(storage), []);
    await record(storage, NOW);
  });

  test("who reads the log for long delays a change of them to a later minute, and holds no writer up", async (t) => {
    await begin();
    await makeDays(storage, NOW - 3 * DAY);
    await record(storage, NOW);
    const dump = await reader(t, url);
    let isOver = false;
    const isLocked = ({ cause }: Error) => cause instanceof Error && /lock timeout/.test(cause.message);
    const dropping = assert.rejects(dropDays(storage, dayAt(NOW).until), isLocked).finally(() => {
      isOver = true;
    });
    let [worst, times] = [0, 0];
    while (!isOver) {
      const began = performance.now();
      await record(storage, NOW + ++times);
      worst = Math.max(worst, performance.now() - began);
    }
    await dropping;
    t.diagnostic(`${times} writes, ${Math.round(worst)} ms at most`);
    // The wait for the lock is 200 ms; the rest is for a busy machine.
    assert.ok(worst < 1_500, `${worst} ms`);
    assert.equal((await daysOf(storage)).length, 3);
    await dump.query("rollback");
    await dropDays(storage, dayAt(NOW).until);
    assert.deepEqual(await placesOf(storage), []);
    assert.equal((await daysOf(storage)).length, 1);
  });

  test("whoever reads the log while days are made beside a large default partition keeps no record of a day from its place", async (t) => {
    await begin();
    await record(storage, NOW - HOUR);
    const dump = await reader(t, url);
    const isLocked = ({ cause }: Error) => cause instanceof Error && /lock timeout/.test(cause.message);
    await assert.rejects(makeDays(storage, NOW, 0), isLocked);
    // As from the next minute on, and as a call that comes before the first of them.
    await assert.rejects(makeDays(storage, NOW, 0), isLocked);
    await record(storage, NOW, NOW + DAY, dayAt(NOW + 2 * DAY).from - 1);
    await dump.query("rollback");
    await makeDays(storage, NOW, 0);
    assert.deepEqual(await daysOf(storage), ["20261126", "20261127", "20261128"]);
    assert.deepEqual(await checksOf(storage), []);
  });

  test("one that cannot be removed keeps no others from leaving, nor the next from being made", async (t) => {
    await begin();
    await makeDays(storage, NOW - 4 * DAY);
    const change = (statement: string) => sql.raw(statement).execute(storage.db);
    await change("create view kept_days as select req_no from requests_20261122");
    t.after(() => change("drop view if exists kept_days"));
    await assert.rejects(sweepRequestDays(storage, NOW + WEEK, WEEK), /depend/);
    assert.deepEqual(await daysOf(storage), ["20261122", "20261124", "20261203", "20261204", "20261205"]);
  });

  test("are not made where the database orders letters by a language, and records are taken all the same", async (t) => {
    const admin = new pg.Client({ connectionString: process.env.PORTICO_TEST_POSTGRES_URL });
    const name = `portico_${randomBytes(6).toString("hex")}`;
    let czech: Storage | null = null;
    t.after(async () => {
      await czech?.close();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    });
    await admin.connect();
    // "ch" is a letter of Czech, which follows "h".
    await admin.query(`create database ${name} template template0 locale_provider icu icu_locale 'cs'`);
    czech = await otherProcess(new URL(`/${name}`, url).href);
    await makeDays(czech, NOW);
    assert.deepEqual(await daysOf(czech), []);
    await record(czech, NOW);
    assert.deepEqual(await placesOf(czech), [DEFAULT_PARTITION]);
  });

  test("another process that changes them has its turn, and nobody waits for it", async () => {
    await begin();
    await changeDays(storage, async () => {
      await makeDays(storage, NOW);
      assert.deepEqual(await daysOf(storage), []);
    });
    await makeDays(storage, NOW);
    assert.equal((await daysOf(storage)).length, 3);
  });

  test("look-ups and pages find records by an index in each, and look-ups in one of them", async () => {
    await begin();
    await makeDays(storage, NOW - 3 * DAY);
    const plan = async (query: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        await client.query("set enable_seqscan = off; set enable_bitmapscan = off");
        const { rows } = await client.query(`explain (analyze, timing off, costs off, summary off) ${query}`);
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      } finally {
        await client.end();
      }
    };
    const [reqNo] = await record(storage, NOW);
    const one = await plan(`select * from requests where req_no = '${reqNo}'`);
    assert.match(one, /^Index Scan using requests_20261124_pkey on requests_20261124/);
    const page = await plan(
      "select req_no from requests where app_id = 'app_bot' and req_no >= '0' and req_no < 'z' order by req_no desc limit 21",
    );
    assert.doesNotMatch(page, /Sort \(|Seq Scan/);
    assert.match(page, /Merge Append/);
    assert.equal(page.match(/Index Only Scan/g)?.length, 4);
  });
});

async function checksOf({ db }: Storage) {
  const { rows } = await sql`select conname from pg_constraint where contype = 'c'
    and conrelid = to_regclass(${DEFAULT_PARTITION})`.execute(db);
  return rows;
}

/** The storage of another process, or of another database. */
async function otherProcess(url: string): Promise<Storage> {
  const config = loadConfig({
    PORTICO_DATABASE_URL: url,
    PORTICO_REDIS_URL: "redis://none",
    PORTICO_MASTER_KEY: FIXTURE_KEY,
  });
  return await openStorage(config, { log: pino({ level: "silent" }) });
}
