import {
  ApiError,
  applyImages,
  type CardCheck,
  type CardProblem,
  cardError,
  checkCard,
  compactJson,
  type JsonObject,
  sizeProblem,
} from "@portico/protocol";
import type { Context } from "../context.ts";
import { unusableFile } from "../files/attachment.ts";
import { fileAddress } from "../files/file-address.ts";
import { claimFiles, type FileOwner, type UsableFile } from "../files/file-store.ts";
import { changeJson, respell } from "../http/exact-json.ts";
import type { Db } from "../storage/schema.ts";

/** A card as it came. */
export interface ReceivedCard {
  card: unknown;
  /** Its JSON text, where reading and writing it may change a number in it; else null. */
  json: string | null;
}

/**
 * Judges a card as far as it alone tells: its images are resolved when it is sent.
 *
 * @returns its compact JSON, with the numbers spelled as they came.
 * @throws ApiError of the first rule it breaks.
 */
export function soundCard({ card, json }: ReceivedCard): string {
  const check = checkCard(card);
  const oversize = oversizeAsSpelled(check, json);
  if (oversize) throw cardError(oversize);
  if (check.failure) throw cardError(check.failure);
  return json === null ? check.json : respell(json);
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
  const oversize = oversizeAsSpelled(check, json);
  if (oversize) throw cardError(oversize);
  const keys = check.images.map(({ imgKey }) => imgKey);
  const files = await claimFiles(tx, owner, keys, now);
  const addressByKey = new Map<string, string>();
  for (const key of keys) {
    const file = files.get(key);
    const problem = pictureProblem(file);
    if (problem) throw problem;
    if (file) addressByKey.set(key, fileAddress(ctx.config, file.blobKey));
  }
  if (check.failure) throw cardError(check.failure);
  if (json !== null) return changeJson(json, (value) => applyImages(value as JsonObject, addressByKey));
  const applied = applyImages(check.card, addressByKey);
  return applied === check.card ? check.json : compactJson(applied);
}

/** The size counts with the numbers as they are spelled, for so they are sent; and only in a card whose structure is sound. */
function oversizeAsSpelled({ failure }: CardCheck, json: string | null): CardProblem | null {
  const isSound = failure === null || failure.rule === "image-key";
  return isSound && json !== null ? sizeProblem(respell(json)) : null;
}

/** Why a card may not show a file as a picture; null when it may. */
export function pictureProblem(file: UsableFile | undefined): ApiError | null {
  if (file === undefined) return unusableFile();
  if (file.mimeType.startsWith("image/")) return null;
  return new ApiError("INVALID_REQUEST", "card image img_key必须引用图片文件");
}
