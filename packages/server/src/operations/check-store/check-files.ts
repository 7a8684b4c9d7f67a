import { createHash } from "node:crypto";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Findings } from "./findings.ts";

const AT_ONCE = 500;
const TELL_EVERY_FILES = 1_000;

interface FileRow {
  blobKey: string;
  fileKey: string;
  size: number;
  sha256: string;
  expiresAt: number;
}

/** Where files are looked for. */
interface Look {
  db: Db;
  blobs: Pick<Blobs, "get">;
  /** Whether contents are read and compared, and not only looked for. */
  contents: boolean;
  /** Epoch milliseconds. */
  now: number;
  progress: (line: string) => void;
}

/** The content of each file is in the blob store, and is what was uploaded. */
export async function checkFiles({ db, blobs, contents, now, progress }: Look, findings: Findings): Promise<void> {
  const { counts } = findings;
  for (let after = ""; ; ) {
    const rows = await filesAfter(db, after);
    for (const row of rows) {
      const problem = await problemOf(row, { blobs, contents, now });
      // It may have expired meanwhile.
      if (problem !== null && (await isThere(db, row))) findings.add("file", row.blobKey, problem);
      counts.files++;
      if (contents) counts.bytes += row.size;
      if (counts.files % TELL_EVERY_FILES === 0) progress(`${counts.files} files`);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last.blobKey;
  }
}

async function filesAfter(db: Db, after: string): Promise<FileRow[]> {
  return await db
    .selectFrom("files")
    .select(["blob_key as blobKey", "file_key as fileKey", "size", "sha256", "expires_at as expiresAt"])
    .where("blob_key", ">", after)
    .where("state", "=", "READY")
    .orderBy("blob_key")
    .limit(AT_ONCE)
    .execute();
}

async function isThere(db: Db, { fileKey }: FileRow): Promise<boolean> {
  const query = db.selectFrom("files").select("state").where("file_key", "=", fileKey).where("state", "=", "READY");
  return (await query.executeTakeFirst()) !== undefined;
}

async function problemOf(
  { blobKey, size, sha256, expiresAt }: FileRow,
  { blobs, contents, now }: Pick<Look, "blobs" | "contents" | "now">,
): Promise<string | null> {
  const content = await blobs.get(blobKey);
  // A copy of a database may still name what had expired when its files were copied.
  if (content === null) return expiresAt <= now ? null : "its content is missing";
  if (!contents) {
    content.destroy();
    return null;
  }
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  if (bytes !== size) return `its content has ${bytes} bytes instead of ${size}`;
  return hash.digest("hex") === sha256 ? null : "its content is not what was uploaded";
}
