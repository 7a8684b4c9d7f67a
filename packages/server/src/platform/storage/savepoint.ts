import { CompiledQuery } from "kysely";
import { prepared } from "./prepared.ts";
import type { Db } from "./schema.ts";

/** Thrown by work that lost a race it can only see after the fact; it is undone and run again. */
export class RaceLost extends Error {
  override readonly name = "RaceLost";
}

/** The engine gave up the whole transaction: nothing done in it holds, whoever did it. */
export class TransactionLost extends Error {
  override readonly name = "TransactionLost";
}

const MAX_TRIES = 5;

const statement = (sql: string) => prepared<Record<string, never>>()(() => ({ compile: () => CompiledQuery.raw(sql) }));
const open = statement("savepoint work");
const release = statement("release savepoint work");
const rollBack = statement("rollback to savepoint work");

/**
 * Sends a statement ahead of those that follow without waiting for its answer. Where it fails on PostgreSQL the
 * transaction is lost, and they and the commit fail with it.
 */
function sendAhead(statement: typeof open, tx: Db): void {
  const answer = statement.affected(tx, {});
  if (answer instanceof Promise) answer.catch(() => {});
}

/**
 * Runs `work` so that its failure undoes what it did and nothing else of the transaction.
 *
 * @throws what `work` throws, or TransactionLost when not even the undoing was possible.
 */
export async function withSavepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    sendAhead(open, tx);
    try {
      const result = await work();
      sendAhead(release, tx);
      return result;
    } catch (error) {
      // Trying again here would meet the same rows again: what the transaction did before still holds its locks.
      if (isMomentary(error)) throw new TransactionLost("the transaction has to be run again", { cause: error });
      await undo(tx, error);
      if (!(error instanceof RaceLost) || tries === MAX_TRIES) throw error;
    }
  }
}

/** PostgreSQL's codes for a serialization failure and a deadlock: nothing is wrong but the moment. */
const MOMENTARY = new Set(["40001", "40P01"]);

/** Whether work that failed with `error`, once undone, may well succeed when run again. */
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
