import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { CuttableClient, limitTransaction } from "../src/platform/storage/postgres/cuttable-client.ts";
import { parsePostgresAddress } from "../src/platform/storage/postgres/postgres-address.ts";
import { connectionOf } from "../src/platform/storage/postgres/postgres-connection.ts";
import { CALL_DEADLINES } from "../src/platform/storage/postgres/postgres-deadlines.ts";
import { PostgresPool } from "../src/platform/storage/postgres/postgres-pool.ts";
import { Primary } from "../src/platform/storage/postgres/primary.ts";
import { Skipped } from "../src/platform/storage/postgres/skipped.ts";
import { Trust } from "../src/platform/storage/postgres/trust.ts";
import { postgres } from "./support/engines.ts";

const AN_HOUR = 3_600_000;
const SKIP = { skip: postgres.missing ?? false };
const BEGIN = { name: "begin", text: "begin" };
const COMMIT = { name: "commit", text: "commit" };
const add = (number: number) => ({
  name: "add",
  text: "insert into numbers values ($1) returning number",
  values: [number],
});
const FAIL = { name: "fail", text: "select 1 / $1::int", values: [0] };

/** A connection on which a table of numbers is, and how to tell what has been sent on it. */
async function connect(t: TestContext) {
  const { env, dispose } = await postgres.create();
  const trust = new Trust();
  const primary = new Primary(parsePostgresAddress(env.PORTICO_DATABASE_URL ?? ""));
  const pool = new PostgresPool(primary, 1, CALL_DEADLINES, trust, pino({ level: "silent" }));
  const client = await pool.connect();
  assert.ok(client instanceof CuttableClient);
  t.after(async () => {
    client.release();
    await pool.end();
    await dispose();
  });
  await client.ask({ text: "create table numbers (number bigint primary key)" });
  const isLateIn = (ms: number) => client.isLate(performance.now() + ms, CALL_DEADLINES, trust);
  return { client, isLateIn, isIdle: () => !isLateIn(AN_HOUR) };
}

/** The numbers of which a row is on disk. */
async function stored(client: CuttableClient): Promise<unknown[]> {
  const { rows } = await client.ask({ text: "select number from numbers order by number" });
  return rows.map(({ number }) => number);
}

/** The bytes of frontend messages, by their letters, while `work` runs. */
async function sentBy(client: CuttableClient, work: () => Promise<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  const { socket } = client;
  const { write } = socket;
  socket.write = ((chunk: Buffer) => {
    chunks.push(chunk);
    return write.call(socket, chunk);
  }) as typeof write;
  await work();
  socket.write = write;
  return chunks.map((chunk) => String.fromCharCode(chunk[0] ?? 0)).join("");
}

test("what a transaction asks in one turn is sent in one piece with one Sync, and described once", SKIP, async (t) => {
  const { client, isIdle } = await connect(t);
  const transaction = async (first: number) => {
    const lift = limitTransaction(client, AN_HOUR);
    const answers = await Promise.all([client.ask(BEGIN), client.ask(add(first))]);
    // Prepared by now: a name is prepared once.
    const more = await Promise.all([client.ask(add(first + 1)), client.ask(add(first + 2)), client.ask(COMMIT)]);
    lift();
    return [...answers, ...more].map(({ rows, rowCount, command }) => ({ rows, rowCount, command }));
  };
  const expected = (first: number) => [
    { rows: [], rowCount: null, command: "BEGIN" },
    ...[first, first + 1, first + 2].map((number) => ({ rows: [{ number }], rowCount: 1, command: "INSERT" })),
    { rows: [], rowCount: null, command: "COMMIT" },
  ];
  const first = await sentBy(client, async () => assert.deepEqual(await transaction(1), expected(1)));
  // Parse, Bind, Describe, Execute, Sync.
  assert.equal(first, "PBDEPBDES" + "BEBEPBDES");
  const again = await sentBy(client, async () => assert.deepEqual(await transaction(4), expected(4)));
  assert.equal(again, "BEBES" + "BEBEBES");
  assert.deepEqual(await stored(client), [1, 2, 3, 4, 5, 6]);
  assert.ok(isIdle());
});

test("outside of a transaction each statement ends with a Sync of its own, and fails alone", SKIP, async (t) => {
  const { client, isIdle } = await connect(t);
  await client.ask(add(1));
  const [before, failed, after] = await Promise.allSettled([client.ask(add(2)), client.ask(FAIL), client.ask(add(3))]);
  assert.deepEqual([before.status, failed.status, after.status], ["fulfilled", "rejected", "fulfilled"]);
  assert.deepEqual(await stored(client), [1, 2, 3]);
  assert.ok(isIdle());
});

test("a failure in a transaction answers those before it, and skips those behind it, a commit too", SKIP, async (t) => {
  const { client, isIdle } = await connect(t);
  const lift = limitTransaction(client, AN_HOUR);
  const NEVER_PREPARED = { name: "later", text: "select $1::int as later", values: [7] };
  const [begun, before, failed, after, never, committed] = await Promise.allSettled(
    [BEGIN, add(1), FAIL, add(2), NEVER_PREPARED, COMMIT].map((call) => client.ask(call)),
  );
  assert.equal(begun?.status, "fulfilled");
  assert.equal(before?.status, "fulfilled");
  assert.ok(failed?.status === "rejected" && failed.reason.code === "22012" && !(failed.reason instanceof Skipped));
  for (const skipped of [after, never, committed]) {
    assert.ok(skipped?.status === "rejected" && skipped.reason instanceof Skipped);
    assert.equal(skipped.reason.code, "22012");
  }
  await client.ask({ text: "rollback" });
  lift();
  assert.equal(client.getTransactionStatus(), "I");
  assert.deepEqual(await stored(client), []);
  // A statement that was skipped before the server had prepared it is prepared when it is asked again.
  assert.deepEqual((await client.ask(NEVER_PREPARED)).rows, [{ later: 7 }]);
  assert.deepEqual((await client.ask(add(9))).rows, [{ number: 9 }]);
  assert.ok(isIdle());
});

test("a statement without a name keeps its place between those of a group", SKIP, async (t) => {
  const { client } = await connect(t);
  const lift = limitTransaction(client, AN_HOUR);
  const [, , counted] = await Promise.all([
    client.ask(BEGIN),
    client.ask(add(1)),
    client.ask({ text: "select count(*) from numbers" }),
    client.ask(add(2)),
    client.ask(COMMIT),
  ]);
  lift();
  assert.deepEqual(counted.rows, [{ count: 1 }]);
  assert.deepEqual(await stored(client), [1, 2]);
});

test("rows have the types of their columns, nulls and long texts included", SKIP, async (t) => {
  const { client } = await connect(t);
  const text = "长 \\ \" '\u{1F600}".repeat(20_000);
  const call = {
    name: "types",
    text: `select $1::text as text, $2::bigint as big, $3::int as small, $4::boolean as yes, null as nothing,
      $5::jsonb as json, $6::bytea as bytes, 1.5::float8 as float`,
    values: [text, 2 ** 52, 3, true, '{"a":[1]}', Buffer.from([0, 255])],
  };
  const expected = [
    {
      text,
      big: 2 ** 52,
      small: 3,
      yes: true,
      nothing: null,
      json: { a: [1] },
      bytes: Buffer.from([0, 255]),
      float: 1.5,
    },
  ];
  for (const _ of ["described", "known"]) assert.deepEqual((await client.ask(call)).rows, expected);
});

test("a lost connection fails all of a group, its commit without being called skipped", SKIP, async (t) => {
  const { client, isIdle } = await connect(t);
  const lift = limitTransaction(client, AN_HOUR);
  const answers = Promise.allSettled([BEGIN, add(1), COMMIT].map((call) => client.ask(call)));
  setImmediate(() => client.socket.destroy(new Error("the network is gone")));
  for (const answer of await answers) {
    if (answer.status === "rejected") assert.ok(!(answer.reason instanceof Skipped));
  }
  lift();
  assert.equal(client.isBroken, true);
  assert.ok(isIdle());
});

test("a group that cannot be written ends its connection, instead of leaving its answers open", SKIP, async (t) => {
  const { client, isIdle } = await connect(t);
  const lift = limitTransaction(client, AN_HOUR);
  const broken: Buffer = Object.create(Buffer.prototype);
  const answers = await Promise.allSettled([client.ask(BEGIN), client.ask({ ...FAIL, values: [broken] })]);
  lift();
  assert.deepEqual(
    answers.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.ok(client.socket.destroyed && isIdle());
});

test("a group may take as long as the server allows for each of its statements", SKIP, async (t) => {
  const { client, isLateIn } = await connect(t);
  const lift = limitTransaction(client, AN_HOUR);
  await client.ask(BEGIN);
  const sleeping = { name: "sleep", text: "select pg_sleep($1)", values: [0.05] };
  const group = Promise.all([1, 2, 3].map(() => client.ask(sleeping)));
  const { answerMs, statementMs } = CALL_DEADLINES;
  assert.equal(isLateIn(answerMs + 2 * statementMs - 100), false);
  assert.equal(isLateIn(answerMs + 2 * statementMs + 100), true);
  await group;
  const single = client.ask(sleeping);
  assert.equal(isLateIn(answerMs + 100), true, "one alone has its own time");
  await single;
  await client.ask({ text: "rollback" });
  lift();
});

test("outside of a transaction, what fails when it is committed has failed", SKIP, async (t) => {
  const { client } = await connect(t);
  await client.ask({
    text: `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
      create constraint trigger refuses after insert on numbers deferrable initially deferred
        for each row execute function refuse()`,
  });
  await assert.rejects(client.ask(add(1)), /not this one/);
  assert.deepEqual(await stored(client), []);
});

test("when the first run of a statement fails, those that waited for it prepare it again", SKIP, async (t) => {
  const { client } = await connect(t);
  const connection = connectionOf(client, undefined);
  await client.ask({ text: "alter table numbers rename to figures" });
  const run = () => connection.run("select number from numbers where number = $1", [1]);
  const answers = await Promise.allSettled([run(), run(), run()]);
  for (const answer of answers) {
    assert.match(answer.status === "rejected" ? answer.reason.message : "", /relation "numbers" does not exist/);
  }
  await client.ask({ text: "alter table figures rename to numbers" });
  assert.deepEqual(
    (await Promise.all([run(), run()])).map(({ rows }) => rows),
    [[], []],
  );
});
