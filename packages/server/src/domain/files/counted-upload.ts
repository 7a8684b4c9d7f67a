import { ApiError, type UploadedFile } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { type FileOwner, hasTooManyUnsent, lockUnsent } from "./file-store.ts";
import type { UploadParts } from "./keep-upload.ts";
import { recordUpload, storeUpload, type Upload } from "./keep-upload.ts";

/** The dependencies of storing an upload that counts against a person's unsent files. */
export interface CountedUploadParts extends UploadParts {
  clock: Clock;
}

/**
 * Checks a person's number of uploaded but unsent files.
 *
 * @throws ApiError 429001 when it has reached the limit; a retry succeeds after fileKeys have expired.
 */
export async function checkUnsent(ctx: CountedUploadParts, db: Db, owner: FileOwner, now: number): Promise<void> {
  if (!(await hasTooManyUnsent(db, owner, now))) return;
  const retryAfterSeconds = Math.ceil(ctx.config.limits.fileKeyTtlMs / 1_000);
  throw new ApiError("UNSENT_FILES_TOO_MANY", { retryAfterSeconds });
}

/**
 * Stores a person's upload and counts it as unsent.
 *
 * @throws ApiError 429001; see {@link checkUnsent}.
 */
export async function keepCountedUpload(
  ctx: CountedUploadParts,
  owner: FileOwner,
  upload: Upload,
): Promise<UploadedFile> {
  const now = ctx.clock.now();
  const uploaded = await ctx.storage.write(async (tx) => {
    if (ctx.storage.dialect === "postgres") await lockUnsent(tx, owner);
    await checkUnsent(ctx, tx, owner, now);
    return recordUpload(ctx, tx, owner, upload, now);
  }, `files:${owner.id}`);
  await storeUpload(ctx, uploaded.fileKey, upload);
  return uploaded;
}
