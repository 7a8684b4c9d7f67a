import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/** What came of a checkpoint: how many pages the log holds, and why they could not be copied. */
export interface Checkpoint {
  pages: number;
  failure: string | null;
}

/*
 * Copies the write-ahead log into the database whenever it is asked to, and answers with what came of it. A
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

/** A failure, for example for want of room, may be over the next time: SQLite then copies the same pages again. */
function checkpoint(): Checkpoint {
  try {
    const [result] = database.pragma("wal_checkpoint(passive)") as { log: number }[];
    return { pages: result?.log ?? 0, failure: null };
  } catch (error) {
    return { pages: 0, failure: error instanceof Error ? error.message : String(error) };
  }
}
