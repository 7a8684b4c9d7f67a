import { ApiError, applyImages, cardError, checkCard, compactJson } from "@portico/protocol";
import type { Context } from "../context.ts";
import { unusableFile } from "../files/attachment.ts";
import { fileAddress } from "../files/file-address.ts";
import { claimFiles, type FileOwner } from "../files/file-store.ts";
import type { Db } from "../storage/schema.ts";

/**
 * Judges a card and resolves its images (spec.md, "Card"). Files that it shows are claimed: they stay.
 *
 * @returns the card's JSON as members will receive it.
 * @throws ApiError of the first rule it breaks.
 */
export async function acceptCard(ctx: Context, tx: Db, owner: FileOwner, card: unknown, now: number): Promise<string> {
  const check = checkCard(card);
  const keys = check.images.map(({ imgKey }) => imgKey);
  const files = await claimFiles(tx, owner, keys, now);
  const addressByKey = new Map<string, string>();
  for (const key of keys) {
    const file = files.get(key);
    if (file === undefined) throw unusableFile();
    if (!file.mimeType.startsWith("image/")) {
      throw new ApiError("INVALID_REQUEST", "card image img_key必须引用图片文件");
    }
    addressByKey.set(key, fileAddress(ctx.config, file.blobKey));
  }
  if (check.failure) throw cardError(check.failure);
  const applied = applyImages(check.card, addressByKey);
  return applied === check.card ? check.json : compactJson(applied);
}
