import { CompiledQuery } from "kysely";
import { unitInStep } from "./joint.ts";
import { prepared } from "./prepared.ts";
import type { Db } from "./schema.ts";

/** Thrown by work that detects a lost race after the fact. It is rolled back and run again. */
export class RaceLost extends Error {
  override readonly name = "RaceLost";
}

/** The engine has rolled back the whole transaction, with the work of all its units. */
export class TransactionLost extends Error {
  override readonly name = "TransactionLost";
}

const MAX_TRIES = 5;

const statement = (sql: string) => prepared<Record<string, never>>()(() => ({ compile: () => CompiledQuery.raw(sql) }));
const open = statement("savepoint work");
const release = statement("release savepoint work");
const rollBack = statement("rollback to savepoint work");

/**
 * Sends a statement without waiting for its answer. When it fails on PostgreSQL, the transaction is lost, and later
 * statements and the commit fail as well.
 */
function sendAhead(statement: typeof open, tx: Db): void {
  const answer = statement.affected(tx, {});
  if (answer instanceof Promise) answer.catch(() => {});
}

/**
 * Runs `work` in a savepoint, so that its failure undoes its own changes only. Units that run in step share a
 * transaction without savepoints: there, a failure after a change ends the transaction, and each runs again by itself.
 *
 * @throws what `work` throws, or TransactionLost when the rollback to the savepoint failed.
 */
export async function withSavepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  const unit = unitInStep(tx);
  if (unit !== undefined) return await unit.inSavepoint(work);
  for (let tries = 1; ; tries++) {
    sendAhead(open, tx);
    try {
      const result = await work();
      sendAhead(release, tx);
      return result;
    } catch (error) {
      // A retry in this transaction would meet the same conflict: its earlier work still holds its locks.
      if (isMomentary(error)) throw new TransactionLost("the transaction has to be run again", { cause: error });
      await undo(tx, error);
      if (!(error instanceof RaceLost) || tries === MAX_TRIES) throw error;
    }
  }
}

/** SQLSTATE codes of a serialization failure and a deadlock: a retry can succeed. */
const MOMENTARY = new Set(["40001", "40P01"]);

/** Whether work that failed with `error` may succeed when it is rolled back and run again. */
export function worthAnotherTry(error: unknown): boolean {
  if (error instanceof RaceLost || isMomentary(error)) return true;
  return error instanceof TransactionLost && isMomentary(error.cause);
}

function isMomentary(error: unknown): boolean {
  return error instanceof Error && "code" in error && MOMENTARY.has(String(error.code));
}

async function undo(tx: Db, reason: unknown): Promise<void> {
  if (reason instanceof TransactionLost) throw reason;
  try {
    await rollBack.affected(tx, {});
    await release.affected(tx, {});
  } catch {
    throw new TransactionLost("the database gave up the transaction", { cause: reason });
  }
}
