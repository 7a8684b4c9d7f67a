import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { FORGETFUL, startPostgres } from "../../../scripts/test-services/postgres.ts";
import { preparePostgresBinaries } from "../../../scripts/test-services/postgres-binaries.ts";
import { migrateStore } from "../src/operations/migrate-store.ts";
import { postgres } from "./support/engines.ts";
import { fillStore, storeOf } from "./support/full-store.ts";
import { SCANNED, SORTED } from "./support/plan-exceptions.ts";
import { fullStorePlans, isPlanned } from "./support/plans.ts";
import { leftStatements } from "./support/statements.ts";

/** Run by hand, as it takes half an hour with the rows that are promised: `docs/scaling.md`. */
const MESSAGES = Number(process.env.PORTICO_TEST_ROWS ?? 0);
const skip = postgres.missing ?? (MESSAGES === 0 && "is run by hand, with PORTICO_TEST_ROWS");

describe(`a store with ${MESSAGES} messages`, { skip }, () => {
  const opened = new AsyncDisposableStack();
  let client: pg.Client;
  before(async () => {
    const binaries = opened.adopt(await preparePostgresBinaries(), (prepared) => prepared.remove());
    const settings = { ...FORGETFUL, autovacuum: "off" };
    const server = opened.adopt(await startPostgres(binaries, settings, tmpdir()), (started) => started.stop());
    const instance = opened.adopt(await postgres.create(), (made) => made.dispose());
    await migrateStore({ ...instance.env, PORTICO_DATABASE_URL: server.url });
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
    opened.defer(() => client.end());
  });
  after(() => opened.disposeAsync());

  const assertPlanned = async (isAnalysed: boolean, tell: (line: string) => void) => {
    const plans = await fullStorePlans(client, isAnalysed);
    const statements = leftStatements("postgres").filter(isPlanned);
    const unbounded: string[] = [];
    for (const sql of statements) {
      const { scans, sorts } = await plans.findings(sql);
      const isExcused = (exceptions: typeof SCANNED) => exceptions.some(({ statement }) => statement.test(sql));
      const found = [...(isExcused(SCANNED) ? [] : scans), ...(isExcused(SORTED) ? [] : sorts)];
      if (found.length > 0) unbounded.push(`${sql}\n    ${found.join("\n    ")}`);
    }
    tell(`${statements.length} statements`);
    assert.ok(statements.length > 0, "run tests with the same PORTICO_TEST_STATEMENTS before");
    assert.ok(unbounded.length === 0, `\n${unbounded.join("\n")}`);
  };

  test("is filled", async (t) => {
    await fillStore(client, storeOf(MESSAGES), (line) => t.diagnostic(line));
  });
  test("is read by keys before anything is known of its tables", async (t) => {
    await assertPlanned(false, (line) => t.diagnostic(line));
  });
  test("is read by indexes when its tables have been analysed", async (t) => {
    await client.query("analyze");
    await assertPlanned(true, (line) => t.diagnostic(line));
  });
});
