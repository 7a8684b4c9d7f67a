import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pino } from "pino";
import { parsePostgresAddress } from "../src/platform/storage/postgres/postgres-address.ts";
import { CALL_DEADLINES } from "../src/platform/storage/postgres/postgres-deadlines.ts";
import { PostgresPool } from "../src/platform/storage/postgres/postgres-pool.ts";
import { Primary } from "../src/platform/storage/postgres/primary.ts";
import { Trust } from "../src/platform/storage/postgres/trust.ts";
import { postgres } from "./support/engines.ts";

describe("a pool of PostgreSQL connections", { skip: postgres.missing ?? false }, () => {
  test("opens a further connection only for callers who have waited for a while", async (t) => {
    const { env, dispose } = await postgres.create();
    const log = pino({ level: "silent" });
    const pool = new PostgresPool(
      new Primary(parsePostgresAddress(env.PORTICO_DATABASE_URL ?? "")),
      2,
      CALL_DEADLINES,
      new Trust(),
      log,
    );
    t.after(async () => {
      await pool.end();
      await dispose();
    });
    const first = await pool.connect();
    t.mock.timers.enable({ apis: ["setTimeout"] });

    const brief = pool.connect();
    first.release();
    assert.equal(await brief, first, "a connection that is released soon serves the next caller");
    t.mock.timers.tick(1_000);
    assert.equal(pool.size, 1);

    const patient = pool.connect();
    t.mock.timers.tick(1_000);
    const second = await patient;
    assert.notEqual(second, first);
    assert.equal(pool.size, 2);
    second.release();
    first.release();
  });
});
