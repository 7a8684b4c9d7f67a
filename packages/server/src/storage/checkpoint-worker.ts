import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/*
 * Copies the write-ahead log into the database whenever it is asked to, and answers with the pages the log holds. A
 * passive checkpoint waits for nobody and stops where a reader or the writer is in its way.
 */
const database = new Database(String(workerData));
database.pragma("synchronous = full");

parentPort?.on("message", (wish: "checkpoint" | "close") => {
  if (wish === "close") {
    database.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(checkpoint());
});

/** How many pages the log holds; 0 when the disk had no room for them, which may be better next time. */
function checkpoint(): number {
  try {
    const [result] = database.pragma("wal_checkpoint(passive)") as { log: number }[];
    return result?.log ?? 0;
  } catch {
    return 0;
  }
}
