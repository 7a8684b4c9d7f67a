import { ApiError } from "@portico/protocol";
import type { Context } from "../context.ts";
import type { Db } from "../storage/schema.ts";
import { fileAddress } from "./file-address.ts";
import { claimFiles, type FileOwner } from "./file-store.ts";

/** A file in the content of a message, as members see it. */
export interface Attachment {
  fileKey: string;
  url: string;
  fileName: string;
  mimeType: string;
  /** Bytes. */
  size: number;
}

/**
 * Reads `content.fileKey` and claims the file.
 *
 * @throws ApiError 400006 when it is missing; 400008 when it is expired, unknown or someone else's.
 */
export async function readAttachment(
  ctx: Context,
  tx: Db,
  owner: FileOwner,
  content: object,
  now: number,
): Promise<Attachment> {
  const fileKey = "fileKey" in content ? content.fileKey : undefined;
  if (fileKey === undefined || fileKey === null || fileKey === "") {
    throw new ApiError("INVALID_REQUEST", "content.fileKey不能为空");
  }
  if (typeof fileKey !== "string") throw new ApiError("INVALID_REQUEST", "content.fileKey类型错误,应为string");
  const file = (await claimFiles(tx, owner, [fileKey], now)).get(fileKey);
  if (file === undefined) throw unusableFile();
  const { fileName, mimeType, size } = file;
  return { fileKey, url: fileAddress(ctx.config, file.blobKey), fileName, mimeType, size };
}

/** The refusal of a fileKey that is expired, unknown or someone else's; it does not tell which. */
export function unusableFile(): ApiError {
  return new ApiError("FORBIDDEN", "fileKey无效或已过期");
}
