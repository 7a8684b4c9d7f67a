import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/** The result of a checkpoint: the number of pages in the log, and the reason why they could not be copied. */
export interface Checkpoint {
  pages: number;
  failure: string | null;
}

/*
 * Runs passive checkpoints of the write-ahead log on request. A passive checkpoint never waits; it stops at pages that
 * a reader or the writer still needs.
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

/** A failed checkpoint, e.g. for lack of space, can succeed later: SQLite then copies the same pages again. */
function checkpoint(): Checkpoint {
  try {
    const [result] = database.pragma("wal_checkpoint(passive)") as { log: number }[];
    return { pages: result?.log ?? 0, failure: null };
  } catch (error) {
    return { pages: 0, failure: error instanceof Error ? error.message : String(error) };
  }
}
