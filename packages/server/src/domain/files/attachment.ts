import type { Config } from "../../platform/config/config.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { AttachmentShape } from "../conversations/message-shape.ts";
import { fileAddress } from "./file-address.ts";
import { claimFiles, type FileOwner } from "./file-store.ts";
import { unusableFile } from "./unusable-file.ts";

/** The dependencies of attachments. */
export interface AttachmentParts {
  config: Config;
}

/** A file in a message's content, as members see it. */
export interface Attachment {
  fileKey: string;
  /** In pixels; only for images. */
  width?: number;
  height?: number;
  url: string;
  fileName: string;
  mimeType: string;
  /** Bytes. */
  size: number;
}

/**
 * Marks the file of a message's content as used, so that it is kept.
 *
 * @returns the content as members see it.
 * @throws ApiError 400008 when the file is expired, unknown or belongs to someone else.
 */
export async function claimAttachment(
  ctx: AttachmentParts,
  tx: Db,
  owner: FileOwner,
  { msgType: _, fileKey, ...size }: AttachmentShape,
  now: number,
): Promise<Attachment> {
  const file = (await claimFiles(tx, owner, [fileKey], now)).get(fileKey);
  if (file === undefined) throw await unusableFile(tx, owner, fileKey, now, "/content/fileKey");
  const { fileName, mimeType, size: bytes } = file;
  return { fileKey, ...size, url: fileAddress(ctx.config, file.blobKey), fileName, mimeType, size: bytes };
}
