import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { migrate } from "../migrate.ts";
import { rowDigest } from "../row-digest.ts";
import type { Db } from "../schema.ts";
import { indexedGrams } from "../search/search-grams.ts";
import type { Storage, Writes } from "../storage.ts";
import type { StorageParts } from "../storage-parts.ts";
import { WriteProbe } from "../write-probe.ts";
import { GroupCommitter } from "./group-committer.ts";
import { refuseMoved } from "./moved-mark.ts";
import { ReadingThread } from "./reading-thread.ts";
import { emptyLog, rewriteLog } from "./repair-log.ts";
import { SqliteConnection, sqliteHandle } from "./sqlite-connection.ts";
import { WriteAheadLog } from "./write-ahead-log.ts";

/** Name of the database file in the data directory. */
export const DATABASE_FILE = "portico.db";

/** The page cache of a connection, in KiB. */
const CACHE_KIB = 16_384;

/**
 * Opens the embedded database in `dataDir` and migrates it. One connection writes, another one reads.
 *
 * @throws ConfigError when it was moved to PostgreSQL.
 */
export async function openSqlite(dataDir: string, parts: StorageParts): Promise<Storage> {
  refuseMoved(dataDir);
  const path = join(dataDir, DATABASE_FILE);
  // SQLite creates the log and its index with the mode of this file.
  closeSync(openSync(path, "a", 0o600));
  rewriteLog(`${path}-wal`);
  const writer = connect(path);
  emptyLog(writer.database);
  const writing = writer.handle();
  await migrate(writing, "sqlite");
  writer.observe = parts.observeSql;

  const reader = connect(path);
  reader.database.pragma("query_only = on");
  reader.observe = parts.observeSql;
  const db = reader.handle();

  const readingThread = new ReadingThread(path, parts.log, parts.observeSql);
  const lists = sqliteHandle(readingThread, () => readingThread.close());

  const writeAheadLog = await WriteAheadLog.takeOver(path, writer, parts);
  const committer = new GroupCommitter(writing, writer, writeAheadLog, parts.timings);
  const writes: Writes = {
    write: (unit) => committer.run(unit),
    writeSelfContained: (unit) => committer.run(unit, { savepoint: false }),
  };
  const probe = new WriteProbe(() => committer.run(writeProbe));
  return {
    dialect: "sqlite",
    db,
    lists,
    ask: (query, params) => query.alone(db, params),
    ...writes,
    unhurried: writes,
    writeStatement: (unit) => committer.run(unit),
    writeBeside: (unit) => committer.run(unit),
    writeInStep: (unit, { selfContained }) => committer.run(unit, { savepoint: selfContained !== true }),
    beforeEachCommit: (unit) => {
      committer.beforeCommit = unit;
    },
    synced: () => committer.synced(),
    makeDo: (scarce) => writeAheadLog.makeDo(scarce),
    copyLog: () => writeAheadLog.copy(),
    whenFull: (told) => {
      committer.whenFull = told;
    },
    newerMigrations: async () => [],
    now: async () => null,
    load: () => ({ pools: [], pendingUnits: committer.waiting }),
    ping: async () => {
      reader.run("select 1", []);
      await probe.ask();
    },
    // Background work never waits for anything but this process.
    hurry: () => {},
    close: async () => {
      await committer.idle();
      await writeAheadLog.close();
      await lists.destroy();
      await db.destroy();
      await writing.destroy();
    },
  };
}

async function writeProbe(tx: Db): Promise<void> {
  const value = String(performance.now());
  await tx
    .insertInto("meta")
    .values({ name: "write-probe", value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

function connect(path: string): SqliteConnection {
  const database = new Database(path);
  database.pragma("journal_mode = wal");
  database.pragma("synchronous = full");
  database.pragma("foreign_keys = on");
  database.pragma("busy_timeout = 5000");
  database.pragma(`cache_size = -${CACHE_KIB}`);
  defineSqlFunctions(database);
  return new SqliteConnection(database);
}

/** Registers on a connection the functions that triggers call: those of the search index, and that of the audit log. */
export function defineSqlFunctions(database: Database.Database): void {
  const options = { deterministic: true, varargs: true };
  database.function("search_grams", options, (scope, ...texts) => indexedGrams(String(scope), texts));
  database.function("row_digest", options, (...cells) =>
    rowDigest(cells.map((cell) => (cell === null ? null : String(cell)))),
  );
}
