import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pino } from "pino";
import { Unavailable } from "../src/platform/errors/unavailable.ts";
import { ask } from "../src/platform/storage/postgres/cuttable-client.ts";
import { asOutage } from "../src/platform/storage/postgres/outages.ts";
import { parsePostgresAddress } from "../src/platform/storage/postgres/postgres-address.ts";
import { CALL_DEADLINES } from "../src/platform/storage/postgres/postgres-deadlines.ts";
import { PostgresPool } from "../src/platform/storage/postgres/postgres-pool.ts";
import { Primary } from "../src/platform/storage/postgres/primary.ts";
import { Trust } from "../src/platform/storage/postgres/trust.ts";
import { postgres } from "./support/engines.ts";

describe("a transaction that the server has ended", { skip: postgres.missing ?? false }, () => {
  test("makes the next statement an outage, also before the connection is closed", async (t) => {
    const { env, dispose } = await postgres.create();
    const deadlines = { ...CALL_DEADLINES, idleInTransactionMs: 20 };
    const log = pino({ level: "silent" });
    const pool = new PostgresPool(
      new Primary(parsePostgresAddress(env.PORTICO_DATABASE_URL ?? "")),
      1,
      deadlines,
      new Trust(),
      log,
    );
    const client = await pool.connect();
    t.after(async () => {
      client.release(true);
      await pool.end();
      await dispose();
    });
    await ask(client, "begin");
    // As when this process did not run for a while: the error arrives alone, and the statement follows at once.
    const failure = new Promise<unknown>((resolve) => {
      client.once("error", () =>
        resolve(
          ask(client, "select 1").then(
            () => null,
            (error) => asOutage(client, error),
          ),
        ),
      );
    });
    assert.ok((await failure) instanceof Unavailable);
  });
});
