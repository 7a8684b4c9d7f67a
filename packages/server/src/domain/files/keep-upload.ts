import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { LIMITS, type UploadedFile } from "@portico/protocol";
import type { Logger } from "pino";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { type FileOwner, insertStoringFile, markReady } from "./file-store.ts";
import { type ReceivedFile, readUpload } from "./read-upload.ts";
import type { UploadSlot } from "./temporary-files.ts";

/** The dependencies of storing an upload. */
export interface UploadParts {
  blobs: Blobs;
  config: Config;
  log: Logger;
  storage: Storage;
}

/** An upload that has been read; its file is in the upload's slot. */
export type Upload = ReceivedFile & { blobKey: string };

const READ_BYTES = 128 * 1024;

/**
 * Reads the multipart body in its slot and writes the contained file next to it, synced to disk.
 *
 * @throws ApiError 400006 saying what is wrong with the body.
 */
export async function readSpooledUpload(
  blobs: Blobs,
  { bodyPath, filePath }: UploadSlot,
  contentType: string | undefined,
): Promise<Upload> {
  const target = { path: filePath, maxBytes: LIMITS.uploadFileBytes, settle: blobs.settle.bind(blobs) };
  const received = await readUpload(piecesOf(bodyPath), contentType, target);
  return { ...received, blobKey: randomBytes(24).toString("hex") };
}

/** The content of a file, all of it read into one buffer: a piece is to be used before the next is asked for. */
async function* piecesOf(path: string): AsyncGenerator<Buffer, void, void> {
  await using file = await open(path);
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Records that the upload is about to be stored, and gives out its fileKey. {@link storeUpload} comes after the commit. */
export async function recordUpload(
  ctx: UploadParts,
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
 * Moves the content to the blob store and makes its fileKey usable. The row exists already, so the sweep finds and
 * removes whatever a crash leaves behind. If the sweep has given up the row meanwhile, the content is deleted here.
 */
export async function storeUpload(ctx: UploadParts, fileKey: string, upload: Upload): Promise<void> {
  await ctx.blobs.put(upload.blobKey, upload.path, upload.size);
  const ready = await ctx.storage.write((tx) => markReady(tx, fileKey));
  if (ready) return;
  await ctx.blobs.delete(upload.blobKey).catch((error: unknown) => {
    ctx.log.warn({ err: error }, "the content of an upload that was given up stays in the blob store");
  });
  throw new Error("storing the upload took so long that it was given up");
}
