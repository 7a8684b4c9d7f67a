import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { LIMITS, type UploadedFile } from "@portico/protocol";
import type { Context } from "../context.ts";
import type { Db } from "../storage/schema.ts";
import { type FileOwner, insertStoringFile, markReady } from "./file-store.ts";
import { type ReceivedFile, readUpload } from "./read-upload.ts";

/** An upload that has been read; its file lies at a temporary path of its own. */
export type Upload = ReceivedFile & { blobKey: string };

/**
 * Reads the multipart body that lies at `path`.
 *
 * @throws ApiError 400006 saying what is wrong with it.
 */
export async function readSpooledUpload(ctx: Context, path: string, contentType: string | undefined): Promise<Upload> {
  const filePath = ctx.temporaryFiles.newPath();
  const received = await readUpload(createReadStream(path), contentType, filePath, LIMITS.uploadFileBytes);
  return { ...received, blobKey: randomBytes(24).toString("hex") };
}

/** Records that the upload is about to be stored, and gives out its fileKey. {@link storeUpload} comes after the commit. */
export async function recordUpload(
  ctx: Context,
  tx: Db,
  owner: FileOwner,
  upload: Upload,
  now: number,
): Promise<UploadedFile> {
  const { blobKey, fileName, mimeType, size, sha256 } = upload;
  const fileKey = `file_${randomBytes(24).toString("base64url")}`;
  const expiresAt = now + ctx.config.limits.fileKeyTtlMs;
  await insertStoringFile(tx, { fileKey, blobKey, owner, fileName, mimeType, size, sha256, now, expiresAt });
  return { fileKey, fileName, size, mimeType, expiresAt };
}

/**
 * Moves the content to the blob store and makes its fileKey usable. The row is there already, so whatever is cut off in
 * between is found and removed by the sweep.
 */
export async function storeUpload(ctx: Context, fileKey: string, upload: Upload): Promise<void> {
  await ctx.blobs.put(upload.blobKey, upload.path, upload.size);
  const ready = await ctx.storage.write((tx) => markReady(tx, fileKey));
  if (!ready) throw new Error("storing the upload took so long that it was given up");
}
