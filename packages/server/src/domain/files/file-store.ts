import { BOUNDS } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** The owner of an uploaded file, who may send it. */
export interface FileOwner {
  type: "APP" | "MEMBER" | "VISITOR";
  /** appId, userId or visitorId. */
  id: string;
}

/** A file whose fileKey may be sent now. */
export interface UsableFile {
  fileKey: string;
  blobKey: string;
  fileName: string;
  mimeType: string;
  /** Bytes. */
  size: number;
}

/** A file to store. Times are epoch milliseconds. */
export interface NewFile extends UsableFile {
  owner: FileOwner;
  sha256: string;
  now: number;
  expiresAt: number;
}

/** Inserts a file whose content is being moved to the blob store; it cannot be used yet. */
export async function insertStoringFile(tx: Db, file: NewFile): Promise<void> {
  await tx
    .insertInto("files")
    .values({
      file_key: file.fileKey,
      blob_key: file.blobKey,
      owner_type: file.owner.type,
      owner_id: file.owner.id,
      state: "STORING",
      file_name: file.fileName,
      mime_type: file.mimeType,
      size: file.size,
      sha256: file.sha256,
      created_at: file.now,
      expires_at: file.expiresAt,
      sent_at: null,
    })
    .execute();
}

/**
 * Marks a file as usable after its content has reached the blob store; false when the sweep has given it up meanwhile.
 */
export async function markReady(tx: Db, fileKey: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("files")
    .set({ state: "READY" })
    .where("file_key", "=", fileKey)
    .where("state", "=", "STORING")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Locks the count of {@link hasTooManyUnsent} until the transaction ends, against other callers of this function.
 * Needed on PostgreSQL only; SQLite has one writer at a time.
 */
export async function lockUnsent(tx: Db, { type, id }: FileOwner): Promise<void> {
  const name = `files ${type} ${id}`;
  await tx.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${name}, 0))`.as("locked")).execute();
}

/** Whether the owner has as many unsent files as allowed. */
export async function hasTooManyUnsent(db: Db, owner: FileOwner, now: number): Promise<boolean> {
  const { count } = await db
    .selectFrom("files")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("sent_at", "is", null)
    .where("expires_at", ">", now)
    .where("owner_type", "=", owner.type)
    .where("owner_id", "=", owner.id)
    .executeTakeFirstOrThrow();
  return Number(count) >= BOUNDS.unsentFiles;
}

/** Those of `fileKeys` that belong to the owner and are valid at `now`, with the time they were first sent. */
async function selectUsable(db: Db, owner: FileOwner, fileKeys: readonly string[], now: number) {
  // PostgreSQL texts cannot contain NUL, and neither does any key.
  const askable = [...new Set(fileKeys)].filter((key) => !key.includes("\0"));
  if (askable.length === 0) return [];
  return await db
    .selectFrom("files")
    .select([
      "file_key as fileKey",
      "blob_key as blobKey",
      "file_name as fileName",
      "mime_type as mimeType",
      "size",
      "sent_at as sentAt",
    ])
    .where("file_key", "in", askable)
    .where("owner_type", "=", owner.type)
    .where("owner_id", "=", owner.id)
    .where("state", "=", "READY")
    .where("expires_at", ">", now)
    .execute();
}

/** Those of `fileKeys` that {@link claimFiles} would accept, by key; changes nothing. */
export async function findUsableFiles(
  db: Db,
  owner: FileOwner,
  fileKeys: readonly string[],
  now: number,
): Promise<Map<string, UsableFile>> {
  return new Map((await selectUsable(db, owner, fileKeys, now)).map((row) => [row.fileKey, row]));
}

/** When the owner's fileKey expires or expired, in epoch milliseconds; null when there is no such key. */
export async function findExpiry(db: Db, { type, id }: FileOwner, fileKey: string): Promise<number | null> {
  if (fileKey.includes("\0")) return null;
  const row = await db
    .selectFrom("files")
    .select("expires_at as expiresAt")
    .where("file_key", "=", fileKey)
    .where("owner_type", "=", type)
    .where("owner_id", "=", id)
    .executeTakeFirst();
  return row?.expiresAt ?? null;
}

/**
 * Marks files as sent, so that the sweep keeps them.
 *
 * @returns those of `fileKeys` that belong to the owner and are valid at `now`, by key.
 */
export async function claimFiles(
  tx: Db,
  owner: FileOwner,
  fileKeys: readonly string[],
  now: number,
): Promise<Map<string, UsableFile>> {
  const rows = await selectUsable(tx, owner, fileKeys, now);
  // A file that was sent before is safe already. Not updating its row allows it to be sent to many conversations
  // concurrently.
  const unsent = rows.filter(({ sentAt }) => sentAt === null).map(({ fileKey }) => fileKey);
  const lost = new Set(unsent);
  for (const fileKey of await markSent(tx, unsent, now)) lost.delete(fileKey);
  return new Map(rows.filter(({ fileKey }) => !lost.has(fileKey)).map((row) => [row.fileKey, row]));
}

const markFileSent = prepared<{ fileKey: string; now: number }>()((db, param) =>
  db
    .updateTable("files")
    .set((eb) => ({ sent_at: eb.fn.coalesce("sent_at", eb.val(param("now"))) }))
    .where("file_key", "=", param("fileKey"))
    .where("state", "=", "READY")
    .returning("file_key as fileKey"),
);

/** Marks files as sent in the order of their keys, so that two transactions cannot deadlock. */
async function markSent(tx: Db, fileKeys: string[], now: number): Promise<string[]> {
  const rows = await Promise.all(fileKeys.sort().map((fileKey) => markFileSent.first(tx, { fileKey, now })));
  return rows.flatMap((row) => (row === undefined ? [] : [row.fileKey]));
}

const selectServed = prepared<{ blobKey: string }>()((db, param) =>
  db
    .selectFrom("files")
    .select(["file_name as fileName", "mime_type as mimeType", "size", "sha256"])
    .where("blob_key", "=", param("blobKey"))
    .where("state", "=", "READY"),
);

/** What is served with the content at `blobKey`; null when the file does not exist or is not usable. */
export async function findServedFile(db: Db, blobKey: string) {
  return (await selectServed.first(db, { blobKey })) ?? null;
}

/**
 * Marks unsent files for deletion; they cannot be sent any more. At most `limit` expired files, and at most `limit`
 * files whose upload never completed.
 *
 * @param storingBefore incomplete uploads older than this have been abandoned.
 * @returns whether there may be more.
 */
export async function doomUnsent(
  tx: Db,
  { expiredBefore, storingBefore, limit }: { expiredBefore: number; storingBefore: number; limit: number },
): Promise<boolean> {
  const unsent = (state: "READY" | "STORING") =>
    tx.selectFrom("files").select("file_key").where("sent_at", "is", null).where("state", "=", state).limit(limit);
  const doom = async (files: ReturnType<typeof unsent>) => {
    // Not as the index of unsent files has it, all of which PostgreSQL would otherwise read for each of them.
    const isUnsent = sql<boolean>`coalesce(sent_at, 0) = 0`;
    const update = tx.updateTable("files").set({ state: "DOOMED" }).where(isUnsent);
    const { numUpdatedRows } = await update.where("file_key", "in", files).executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  };
  // Two statements, because for a combined one SQLite would read every unsent file.
  const expired = await doom(unsent("READY").where("expires_at", "<=", expiredBefore));
  const givenUp = await doom(unsent("STORING").where("created_at", "<=", storingBefore));
  return expired === limit || givenUp === limit;
}

/** Files marked for deletion, after the first `offset`, whose content is to be removed. */
export async function listDoomed(
  db: Db,
  offset: number,
  limit: number,
): Promise<{ fileKey: string; blobKey: string }[]> {
  return await db
    .selectFrom("files")
    .select(["file_key as fileKey", "blob_key as blobKey"])
    .where("sent_at", "is", null)
    .where("state", "=", "DOOMED")
    .orderBy("expires_at")
    .orderBy("file_key")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** Deletes the rows of files whose content has been removed. */
export async function deleteDoomed(tx: Db, fileKeys: string[]): Promise<void> {
  await tx.deleteFrom("files").where("file_key", "in", fileKeys).where("state", "=", "DOOMED").execute();
}
