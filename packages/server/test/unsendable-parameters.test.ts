import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { CuttableClient } from "../src/platform/storage/postgres/cuttable-client.ts";
import { parsePostgresAddress } from "../src/platform/storage/postgres/postgres-address.ts";
import { CALL_DEADLINES } from "../src/platform/storage/postgres/postgres-deadlines.ts";
import { PostgresPool } from "../src/platform/storage/postgres/postgres-pool.ts";
import { Primary } from "../src/platform/storage/postgres/primary.ts";
import { Trust } from "../src/platform/storage/postgres/trust.ts";
import { postgres } from "./support/engines.ts";

const AN_HOUR = 3_600_000;

test("parameters that cannot be sent fail their statement once, and leave the connection good and punctual", {
  skip: postgres.missing ?? false,
}, async (t) => {
  const { env, dispose } = await postgres.create();
  const trust = new Trust();
  const primary = new Primary(parsePostgresAddress(env.PORTICO_DATABASE_URL ?? ""));
  const pool = new PostgresPool(primary, 1, CALL_DEADLINES, trust, pino({ level: "silent" }));
  t.after(async () => {
    await pool.end();
    await dispose();
  });
  const client = await pool.connect();
  assert.ok(client instanceof CuttableClient);
  const circular: Record<string, unknown> = {};
  circular.itself = circular;
  await assert.rejects(client.ask({ text: "select $1::json", name: "unsendable", values: [circular] }), /circular/i);
  const { rows } = await client.ask({ text: "select 1 as one" });
  assert.deepEqual(rows, [{ one: 1 }]);
  // A count of unanswered queries that is wrong would make an idle connection late, or a silent server never.
  assert.equal(client.isLate(performance.now() + AN_HOUR, CALL_DEADLINES, trust), false);
  const pending = client.ask({ text: "select pg_sleep(0.2)" });
  assert.equal(client.isLate(performance.now() + AN_HOUR, CALL_DEADLINES, trust), true);
  await pending;
  client.release();
});
