import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import type { Question } from "./reading-thread.ts";

/** Lower than that of the threads that serve calls. */
const NICENESS = 5;
/** Pages that the connection keeps in memory, in KiB. */
const CACHE_KIB = 4_096;
/** Statements kept prepared. */
const MAX_STATEMENTS = 128;

// Elsewhere this would lower the priority of the whole process; Linux has one for each thread.
if (process.platform === "linux") setPriority(NICENESS);

/* Runs one statement after another on a connection of its own, which cannot write. */
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
