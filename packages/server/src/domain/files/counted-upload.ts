import { ApiError, type UploadedFile } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { type FileOwner, hasTooManyUnsent, lockUnsent } from "./file-store.ts";
import type { UploadParts } from "./keep-upload.ts";
import { recordUpload, storeUpload, type Upload } from "./keep-upload.ts";

/** What storing an upload that counts as unsent needs. */
export interface CountedUploadParts extends UploadParts {
  clock: Clock;
}

/**
 * Has a person upload no more who has as many files waiting to be sent as there may be.
 *
 * @throws ApiError 429001, to be tried again once their fileKeys have expired.
 */
export async function checkUnsent(ctx: CountedUploadParts, db: Db, owner: FileOwner, now: number): Promise<void> {
  if (!(await hasTooManyUnsent(db, owner, now))) return;
  const retryAfterSeconds = Math.ceil(ctx.config.limits.fileKeyTtlMs / 1_000);
  throw new ApiError("UNSENT_FILES_TOO_MANY", { retryAfterSeconds });
}

/**
 * Keeps the upload of a person, whose unsent files are counted.
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
