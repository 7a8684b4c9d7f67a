import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { Unavailable } from "../src/platform/errors/unavailable.ts";
import { ask } from "../src/platform/storage/postgres/cuttable-client.ts";
import { parsePostgresAddress } from "../src/platform/storage/postgres/postgres-address.ts";
import { type PostgresDeadlines, UNHURRIED_DEADLINES } from "../src/platform/storage/postgres/postgres-deadlines.ts";
import { PostgresPool } from "../src/platform/storage/postgres/postgres-pool.ts";
import { Primary } from "../src/platform/storage/postgres/primary.ts";
import { Trust } from "../src/platform/storage/postgres/trust.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import { alice, botApp, sendText } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { ConsoleClient, consoleAcme, owner } from "./support/console.ts";
import { postgres } from "./support/engines.ts";
import { FaultProxy } from "./support/fault-proxy.ts";
import { type Answer, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { World } from "./support/world.ts";

const provision = consoleAcme(botApp("app_bot", { quota: { perMinute: 1_000, perDay: 1_000, concurrent: 12 } }));

/** Long enough for an answer on a busy machine. */
const deadlines: PostgresDeadlines = {
  connectMs: 3_000,
  statementMs: 1_500,
  answerMs: 1_700,
  idleInTransactionMs: 700,
  transactionMs: 4_000,
  suspectMs: 1_700,
};

/** Bounds, on a busy machine: for a caller's wait for an answer, and for the service's recovery. */
const ANSWER_WITHIN_MS = 8_000;
const RECOVERED_WITHIN_MS = 10_000;

/** Asserts that a call met an outage: the contract's internal error, with Retry-After. */
function assertOutage(answer: Answer): void {
  assertRefused(answer, 500, "500000", "服务内部错误,请稍后重试");
  assert.match(String(answer.headers["retry-after"]), /^\d+$/);
}

/**
 * Makes calls, four at a time, until a whole round succeeds; asserts that each failure is an outage, answered in time.
 */
async function untilRecovered(call: () => Promise<Answer>): Promise<number> {
  const startedAt = performance.now();
  for (let failures = 0; ; ) {
    const roundAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 4 }, call));
    assert.ok(performance.now() - roundAt < ANSWER_WITHIN_MS, "an answer took too long");
    const failed = answers.filter(({ status }) => status !== 200);
    if (failed.length === 0) return failures;
    failures += failed.length;
    for (const answer of failed) assertOutage(answer);
    assert.ok(performance.now() - startedAt < RECOVERED_WITHIN_MS, "the service did not recover by itself in time");
  }
}

describe("an outage", { skip: postgres.missing ?? false }, () => {
  let world: World;
  let database: FaultProxy;
  let redis: FaultProxy;
  before(async () => {
    const instance = await postgres.create();
    database = await FaultProxy.before(instance.env.PORTICO_DATABASE_URL ?? "");
    redis = await FaultProxy.before(instance.env.PORTICO_REDIS_URL ?? "");
    Object.assign(instance.env, { PORTICO_DATABASE_URL: database.url, PORTICO_REDIS_URL: redis.url });
    const engine = { ...postgres, create: async () => instance };
    world = await World.create(engine, provision, {}, { deadlines });
  });
  after(async () => {
    await world.stop();
    // PostgreSQL drops no database while a silent connection to it is still being authenticated.
    database.close();
    redis.close();
    await world.dispose();
  });

  test("PostgreSQL falls silent on existing connections: all calls end in time and new connections take over", async () => {
    const member = await MemberClient.signIn(world, alice);
    const developer = await ConsoleClient.logIn(world, owner);
    await Promise.all(Array.from({ length: 12 }, (_, n) => sendText(world, "app_bot", `${n}`)));
    await openConnections(world, 8);
    database.silence();
    const [signed, client, console, ready] = await Promise.all([
      sendText(world, "app_bot", "is anybody there?"),
      member.get("conversations/group:g_team/messages"),
      developer.get("me"),
      send(`${world.url}/readyz`),
    ]);
    assertOutage(signed);
    assertOutage(client);
    assert.deepEqual([console.status, console.json.message], [500, "服务内部错误,请稍后重试"]);
    assert.match(String(console.headers["retry-after"]), /^\d+$/);
    assert.deepEqual([ready.status, ready.json], [503, { status: "unavailable", failed: ["database"] }]);
    await untilRecovered(() => sendText(world, "app_bot", "is anybody there?"));
    assertSuccess(await member.get("conversations/group:g_team/messages"));
    assert.equal((await send(`${world.url}/readyz`)).status, 200);
    const sequence = (await member.history("group:g_team")).map(({ msgSeq }) => msgSeq);
    assert.deepEqual(
      sequence,
      sequence.map((_, index) => index + 1),
    );
  });

  test("many wait for one conversation while PostgreSQL falls silent: they fail together, not in turns", async () => {
    const { storage } = world.portico.ctx;
    const write = () => storage.write((tx) => sql`select 1`.execute(tx), "lane");
    const startedAt = performance.now();
    // Within the first one's transaction: a connection that is made after the silence works.
    const first = storage.write(async (tx) => {
      await sql`select 1`.execute(tx);
      database.silence();
      return await sql`select 1`.execute(tx);
    }, "lane");
    const outcomes = await Promise.allSettled([first, ...Array.from({ length: 500 }, write)]);
    assert.ok(performance.now() - startedAt < ANSWER_WITHIN_MS);
    for (const outcome of outcomes) assert.ok(outcome.status === "rejected" && outcome.reason instanceof Unavailable);
    await write();
  });

  test("many wait for one conversation of a slow database: none of their transactions takes too long", async () => {
    const { storage } = world.portico.ctx;
    const write = () => storage.write((tx) => sql`select pg_sleep(0.1)`.execute(tx), "slow lane");
    // Together they take longer than the deadline of a transaction.
    await Promise.all(Array.from({ length: 50 }, write));
  });

  test("a process that freezes within a transaction holds a conversation for a moment, and its work is undone", async () => {
    const frozen = await world.start();
    const seqOf = async (text: string): Promise<number> => {
      const answer = await sendText(world, "app_bot", text);
      assertSuccess(answer);
      return answer.json.value.msgSeq;
    };
    const first = await seqOf("first");
    const thaw = Promise.withResolvers<void>();
    const holds = Promise.withResolvers<void>();
    const held = frozen.ctx.storage.write(async (tx) => {
      await tx.updateTable("conversations").set({ last_seq: 1_000 }).execute();
      holds.resolve();
      await thaw.promise;
    });
    await holds.promise;
    assert.equal(await seqOf("second"), first + 1);
    thaw.resolve();
    await assert.rejects(held, Unavailable);
    assert.equal(await seqOf("third"), first + 2);
  });

  test("background work may take longer than a call", async () => {
    const { storage } = world.portico.ctx;
    const slow = (tx: Db) => sql`select pg_sleep(2)`.execute(tx);
    await Promise.all([assert.rejects(storage.write(slow), Unavailable), storage.unhurried.write(slow)]);
  });

  test("background work that was running when a connection was lost does not wait for an hour", async () => {
    const trust = new Trust();
    const deadlines = { ...UNHURRIED_DEADLINES, suspectMs: 300 };
    const pool = new PostgresPool(
      new Primary(parsePostgresAddress(database.url)),
      1,
      deadlines,
      trust,
      world.portico.ctx.log,
    );
    const client = await pool.connect();
    const working = assert.rejects(ask(client, "select pg_sleep(3600)"));
    trust.lose();
    await working;
    client.release(true);
    await pool.end();
  });

  test("a stop of the service does not wait for background work on connections that are silent", async () => {
    const stopped = await world.start();
    const begun = Promise.withResolvers<void>();
    const working = stopped.ctx.storage.unhurried.write(async (tx) => {
      await sql`select 1`.execute(tx);
      database.silence();
      begun.resolve();
      await sql`select 1`.execute(tx);
    });
    await begun.promise;
    const startedAt = performance.now();
    await Promise.all([stopped.stop(), assert.rejects(working, Unavailable)]);
    assert.ok(performance.now() - startedAt < RECOVERED_WITHIN_MS);
    await untilRecovered(() => sendText(world, "app_bot", "is anybody there?"));
  });

  test("Redis falls silent on existing connections: calls end in time, new connections take over, no quota place is lost", async () => {
    assertSuccess(await sendText(world, "app_bot", "first"));
    const before = redis.connections;
    redis.silence();
    const [signed, ready] = await Promise.all([sendText(world, "app_bot", "?"), send(`${world.url}/readyz`)]);
    assertOutage(signed);
    assert.deepEqual([ready.status, ready.json], [503, { status: "unavailable", failed: ["coordination"] }]);
    await untilRecovered(() => sendText(world, "app_bot", "is anybody there?"));
    assert.equal((await send(`${world.url}/readyz`)).status, 200);
    // Connections that only listen detect the outage by themselves.
    const deadline = performance.now() + RECOVERED_WITHIN_MS;
    while (redis.connections < before + 2) {
      assert.ok(performance.now() < deadline, "nobody listens any more");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  test("Redis is unavailable: calls are answered in time with Retry-After, and /readyz reports it", async () => {
    redis.close();
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 12 }, () => sendText(world, "app_bot", "?")));
    assert.ok(performance.now() - startedAt < ANSWER_WITHIN_MS);
    for (const answer of answers) assertOutage(answer);
    const ready = await send(`${world.url}/readyz`);
    assert.deepEqual([ready.status, ready.json], [503, { status: "unavailable", failed: ["coordination"] }]);
  });
});

/** Has the service open so many connections for writing, and as many for reading: as many as the calls of a test use. */
async function openConnections({ portico }: World, count: number): Promise<void> {
  const { storage } = portico.ctx;
  for (const use of [storage.write, (work: () => Promise<void>) => storage.db.connection().execute(work)]) {
    const allOpen = Promise.withResolvers<void>();
    let open = 0;
    const hold = async () => {
      if (++open === count) allOpen.resolve();
      await allOpen.promise;
    };
    await Promise.all(Array.from({ length: count }, () => use(hold)));
  }
}
