import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { Client } from "pg";
import { startPostgres } from "./postgres.ts";
import { type PostgresBinaries, preparePostgresBinaries } from "./postgres-binaries.ts";

const binaries = await preparePostgresBinaries().catch((error: Error) => error);

if (binaries instanceof Error) it("PostgreSQL for tests", { skip: binaries.message });
else describe("PostgreSQL for tests", async () => testPostgres(binaries));

async function testPostgres(programs: PostgresBinaries): Promise<void> {
  const postgres = await startPostgres(programs);
  after(async () => {
    await postgres.stop();
    await programs.remove();
  });

  it("keeps a committed row across a restart", async () => {
    await query(postgres.url, "CREATE TABLE notes (value text)");
    await query(postgres.url, "INSERT INTO notes VALUES ('留言')");
    const startedAt = await query(postgres.url, "SELECT pg_postmaster_start_time()::text AS value");
    await postgres.restart();
    assert.equal(await query(postgres.url, "SELECT value FROM notes"), "留言");
    assert.notEqual(await query(postgres.url, "SELECT pg_postmaster_start_time()::text AS value"), startedAt);
  });

  it("compares text byte by byte, as the C locale does", async () => {
    assert.equal(await query(postgres.url, "SELECT 'a' > 'B' AS value"), true);
  });

  for (const [setting, value] of [
    ["fsync", "on"],
    ["synchronous_commit", "on"],
    ["server_encoding", "UTF8"],
    ["max_connections", "300"],
  ]) {
    it(`runs with ${setting} ${value}`, async () => {
      assert.equal(await query(postgres.url, `SELECT current_setting('${setting}') AS value`), value);
    });
  }
}

async function query(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ value: unknown }>(sql);
    return rows[0]?.value;
  } finally {
    await client.end();
  }
}
