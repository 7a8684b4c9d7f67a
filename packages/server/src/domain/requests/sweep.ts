import { reqNosFrom } from "../../platform/http/trace.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";

/** Rows deleted in one transaction. It is small, so that calls never wait long behind the sweep. */
const BATCH = 500;

/** Deletes request records older than `before`, in batches. */
export async function sweepRequests(storage: Writes, before: number): Promise<void> {
  while ((await storage.write((tx) => removeBatch(tx, before))) === BATCH);
}

async function removeBatch(tx: Db, before: number): Promise<number> {
  const oldest = tx
    .selectFrom("requests")
    .select("req_no")
    .where("req_no", "<", reqNosFrom(before))
    .orderBy("req_no")
    .limit(BATCH);
  const { numDeletedRows } = await tx.deleteFrom("requests").where("req_no", "in", oldest).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
