import assert from "node:assert/strict";
import { test } from "node:test";
import type { PostgresConnection } from "../src/platform/storage/postgres/postgres-connection.ts";
import { SharedTransaction } from "../src/platform/storage/postgres/shared-transaction.ts";
import { collectGarbage } from "./support/memory.ts";

/** Of transactions in which nothing is asked. */
const UNUSED = {} as PostgresConnection;

/** A transaction that began while another was on its way, which began while another was, and so on; all but it have ended. */
function lastOfMany(count: number) {
  const ended: WeakRef<SharedTransaction>[] = [];
  let last = new SharedTransaction(UNUSED, 0);
  for (let n = 0; n < count; n++) {
    const next = new SharedTransaction(UNUSED, 0, () => {}, [last]);
    last.ended();
    ended.push(new WeakRef(last));
    last = next;
  }
  return { last, ended };
}

test("a transaction keeps none of those that have ended but the ones that it began beside", async () => {
  const { last, ended } = lastOfMany(100);
  // A WeakRef keeps what it refers to until the turn of the event loop ends.
  await new Promise(setImmediate);
  collectGarbage();
  assert.equal(ended.filter((reference) => reference.deref() !== undefined).length, 1);
  last.ended();
});
