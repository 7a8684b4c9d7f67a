import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import type { Question } from "./reading-thread.ts";

/** A lower priority than that of the threads that serve calls. */
const NICENESS = 5;
/** The connection's page cache, in KiB. */
const CACHE_KIB = 4_096;
/** The most prepared statements. */
const MAX_STATEMENTS = 128;

// Only Linux has a priority per thread; elsewhere this would lower that of the whole process.
if (process.platform === "linux") setPriority(NICENESS);

/* Runs statements one after another on its own read-only connection. */
const database = new Database(String(workerData));
database.pragma("query_only = on");
database.pragma(`cache_size = -${CACHE_KIB}`);
const statements = new Map<string, Database.Statement>();

parentPort?.on("message", (message: Question | "close") => {
  if (message === "close") {
    database.close();
    parentPort?.close();
    return;
  }
  const { id, sql, parameters } = message;
  try {
    parentPort?.postMessage({ id, rows: prepared(sql).all(parameters) });
  } catch (error) {
    parentPort?.postMessage({ id, error });
  }
});

function prepared(sql: string): Database.Statement {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  if (statements.size >= MAX_STATEMENTS) statements.clear();
  const statement = database.prepare(sql);
  statements.set(sql, statement);
  return statement;
}
