import assert from "node:assert/strict";
import { test } from "node:test";
import Database from "better-sqlite3";
import type { SqlRunner } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { defineSqlFunctions } from "./sqlite/sqlite.ts";
import { SqliteConnection, sqliteHandle } from "./sqlite/sqlite-connection.ts";

/** The interval, in statements, between the points at which the process is killed. */
const STEP = 7;

interface Target {
  database: Database.Database;
  connection: SqliteConnection;
}

function open(): Target {
  const database = new Database(":memory:");
  defineSqlFunctions(database);
  return { database, connection: new SqliteConnection(database) };
}

/**
 * Migrates until `statements` statements have run, as if the process were killed then. False when the migrations ended
 * before.
 */
async function migrateUntilKilled({ database, connection }: Target, statements: number): Promise<boolean> {
  let left = statements;
  const mortal: SqlRunner = {
    run: (sql, parameters) => {
      if (left-- <= 0) throw new Error("killed");
      return connection.run(sql, parameters);
    },
    statement: (sql) => connection.statement(sql),
  };
  await migrate(
    sqliteHandle(mortal, () => {}),
    "sqlite",
  ).catch(() => {});
  // // After a reopen, uncommitted changes are gone.
  if (database.inTransaction) database.exec("rollback");
  return left < 0;
}

const schemaOf = ({ database }: Target) =>
  database.prepare("select name, sql from sqlite_master order by name").all() as unknown[];

test("an interrupted migration of an embedded database is completed by the next start", async () => {
  const whole = open();
  await migrateUntilKilled(whole, Number.POSITIVE_INFINITY);
  assert.ok(schemaOf(whole).length > 50);
  for (let statements = 1; ; statements += STEP) {
    const cut = open();
    if (!(await migrateUntilKilled(cut, statements))) break;
    await migrate(
      sqliteHandle(cut.connection, () => {}),
      "sqlite",
    ).catch((error: unknown) =>
      assert.fail(`cut off after ${statements} statements: ${error} ${(error as Error).cause}`),
    );
    assert.deepEqual(schemaOf(cut), schemaOf(whole));
    cut.database.close();
  }
});
