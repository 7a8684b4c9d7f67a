import { join } from "node:path";
import Database from "better-sqlite3";
import { Kysely } from "kysely";
import { GroupCommitter } from "./group-committer.ts";
import { migrate } from "./migrate.ts";
import { connectDirectly } from "./prepared.ts";
import type { Schema } from "./schema.ts";
import { SqliteConnection, sqliteDialect } from "./sqlite-dialect.ts";
import type { Storage } from "./storage.ts";

/** Name of the database file within the data directory. */
export const DATABASE_FILE = "portico.db";

/** Opens the embedded database in `dataDir` and migrates it. One connection writes, another reads. */
export async function openSqlite(dataDir: string): Promise<Storage> {
  const path = join(dataDir, DATABASE_FILE);
  const writer = connect(path);
  const migrating = new Kysely<Schema>({ dialect: sqliteDialect(writer) });
  await migrate(migrating, "sqlite");
  connectDirectly(migrating, writer);

  const reader = connect(path);
  reader.database.pragma("query_only = on");
  const db = new Kysely<Schema>({ dialect: sqliteDialect(reader) });
  connectDirectly(db, reader);

  const committer = new GroupCommitter(migrating, writer);
  return {
    dialect: "sqlite",
    db,
    write: (unit) => committer.run(unit),
    writeSelfContained: (unit) => committer.run(unit, { savepoint: false }),
    beforeEachCommit: (unit) => {
      committer.beforeCommit = unit;
    },
    ping: async () => {
      reader.run("select 1", []);
    },
    close: async () => {
      await committer.idle();
      await db.destroy();
      await migrating.destroy();
    },
  };
}

function connect(path: string): SqliteConnection {
  const database = new Database(path);
  database.pragma("journal_mode = wal");
  database.pragma("synchronous = full");
  database.pragma("foreign_keys = on");
  database.pragma("busy_timeout = 5000");
  return new SqliteConnection(database);
}
