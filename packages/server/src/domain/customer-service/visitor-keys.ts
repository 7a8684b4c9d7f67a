import { createHash, randomBytes } from "node:crypto";
import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";
import { findVisitor, lockEnabledVisitor, type VisitorRow } from "./visitor-store.ts";

/** How long a visitor without a name may stay away and still be known. */
export const VISITOR_KEY_LIFE_MS = 180 * 86_400_000;

/** The use of a key is noted once an hour at most. */
const NOTED_EVERY_MS = 3_600_000;

const insert = prepared<{ hash: string; visitorId: string; now: number }>()((db, param) =>
  db
    .insertInto("visitor_keys")
    .values({ key_hash: param("hash"), visitor_id: param("visitorId"), used_at: param("now") }),
);
const selectOne = prepared<{ hash: string; since: number }>()((db, param) =>
  db
    .selectFrom("visitor_keys")
    .select("visitor_id as visitorId")
    .where("key_hash", "=", param("hash"))
    .where("used_at", ">", param("since")),
);
const noteUse = prepared<{ hash: string; now: number; since: number }>()((db, param) =>
  db
    .updateTable("visitor_keys")
    .set({ used_at: param("now") })
    .where("key_hash", "=", param("hash"))
    .where("used_at", "<", param("since")),
);

/** Makes the key of a new visitor: 32 random bytes in Base64URL, of which the database stores only the hash. */
export async function issueVisitorKey(tx: Db, visitorId: string, now: number): Promise<string> {
  const key = randomBytes(32).toString("base64url");
  await insert.affected(tx, { hash: hashOf(key), visitorId, now });
  return key;
}

/**
 * The application's visitor with this key; null when the key is unknown, expired or revoked. An enabled visitor's row is
 * locked until the transaction ends, before the key is read and its use noted: who signs out does so strictly before, and
 * the key is unknown, or after.
 */
export async function lockVisitorOfKey(tx: Db, appId: string, key: string, now: number): Promise<VisitorRow | null> {
  const hash = hashOf(key);
  const since = now - VISITOR_KEY_LIFE_MS;
  const found = await selectOne.first(tx, { hash, since });
  if (found === undefined) return null;
  const visitor = await findVisitor(tx, appId, found.visitorId);
  if (visitor === null) return null;
  const isEnabled = await lockEnabledVisitor(tx, visitor.visitorId);
  if ((await selectOne.first(tx, { hash, since })) === undefined) return null;
  if (isEnabled) await noteUse.affected(tx, { hash, now, since: now - NOTED_EVERY_MS });
  return visitor;
}

/** Whether there may be a visitor with this key. */
export async function isVisitorKey(db: Db, key: string, now: number): Promise<boolean> {
  return (await selectOne.first(db, { hash: hashOf(key), since: now - VISITOR_KEY_LIFE_MS })) !== undefined;
}

/** Deletes a visitor's key. */
export async function endVisitorKey(tx: Db, visitorId: string): Promise<void> {
  await tx.deleteFrom("visitor_keys").where("visitor_id", "=", visitorId).execute();
}

/** Deletes expired keys. */
export async function sweepVisitorKeys(storage: Writes, now: number): Promise<void> {
  await removeOld(storage, "visitor_keys", {
    key: ["key_hash"],
    column: "used_at",
    before: now - VISITOR_KEY_LIFE_MS + 1,
  });
}

/** A key is 32 random bytes, so a hash without salt cannot be reversed by guessing. */
function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
