import {
  ApiError,
  applyImages,
  cardError,
  checkCard,
  compactJson,
  type JsonObject,
  sizeProblem,
} from "@portico/protocol";
import type { Context } from "../context.ts";
import { unusableFile } from "../files/attachment.ts";
import { fileAddress } from "../files/file-address.ts";
import { claimFiles, type FileOwner } from "../files/file-store.ts";
import { changeJson } from "../http/exact-json.ts";
import type { Db } from "../storage/schema.ts";

/** A card as it came. */
export interface ReceivedCard {
  card: unknown;
  /** Its JSON text, where reading and writing it may change a number in it; else null. */
  json: string | null;
}

/**
 * Judges a card and resolves its images (spec.md, "Card"). Files that it shows are claimed: they stay.
 *
 * @returns the card's JSON as members will receive it.
 * @throws ApiError of the first rule it breaks.
 */
export async function acceptCard(
  ctx: Context,
  tx: Db,
  owner: FileOwner,
  { card, json }: ReceivedCard,
  now: number,
): Promise<string> {
  const check = checkCard(card);
  // Numbers count as they are spelled, for so they are sent.
  const isSound = check.failure === null || check.failure.rule === "image-key";
  const oversize = isSound && json !== null ? sizeProblem(changeJson(json, (value) => value)) : null;
  if (oversize) throw cardError(oversize);
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
  if (json !== null) return changeJson(json, (value) => applyImages(value as JsonObject, addressByKey));
  const applied = applyImages(check.card, addressByKey);
  return applied === check.card ? check.json : compactJson(applied);
}
