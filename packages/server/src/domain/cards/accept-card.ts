import { applyImages, checkCard } from "@portico/protocol";
import type { Config } from "../../platform/config/config.ts";
import { brokenRule } from "../../platform/errors/refusal.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { fileAddress } from "../files/file-address.ts";
import { claimFiles, type FileOwner, type UsableFile } from "../files/file-store.ts";
import { unusableFile } from "../files/unusable-file.ts";
import { refusedCard } from "./refused-card.ts";

/** The dependencies of accepting a card. */
export interface CardParts {
  config: Config;
}

/** A card as received. */
export interface ReceivedCard {
  card: unknown;
  /** Its JSON text, which members receive. */
  json: string;
  /** JSON pointer to the card in the body; empty for the card of a template. */
  at: string;
}

/**
 * Checks a card by itself; its images are resolved when it is sent.
 *
 * @returns its JSON text, as received.
 * @throws ApiError for the first rule that the card breaks.
 */
export function soundCard({ card, json, at }: ReceivedCard): string {
  const { failure } = checkCard(card, json);
  if (failure) throw refusedCard(failure, card, at);
  return json;
}

/**
 * Checks a card and resolves its images (docs/contract/cards.md). Uploaded files that it shows are marked as used, so
 * that they are kept.
 *
 * @returns the card's JSON text as members will receive it: as received, with the addresses of its images.
 * @throws ApiError for the first rule that the card breaks.
 */
export async function acceptCard(
  ctx: CardParts,
  tx: Db,
  owner: FileOwner,
  { card, json, at }: ReceivedCard,
  now: number,
): Promise<string> {
  const check = checkCard(card, json);
  const keys = check.images.map(({ imgKey }) => imgKey);
  const files = await claimFiles(tx, owner, keys, now);
  const addressByKey = new Map<string, string>();
  for (const { imgKey, pointer } of check.images) {
    const file = files.get(imgKey);
    const keyAt = `${at}${pointer}/img_key`;
    if (file === undefined) throw await unusableFile(tx, owner, imgKey, now, keyAt);
    const { mimeType } = file;
    if (!isPicture(file)) throw brokenRule("not-a-picture", { pointer: keyAt, facts: { mimeType } });
    addressByKey.set(imgKey, fileAddress(ctx.config, file.blobKey));
  }
  if (check.failure) throw refusedCard(check.failure, card, at);
  return applyImages(json, check.card, addressByKey);
}

/** Whether a card may show the file as an image. */
export function isPicture({ mimeType }: UsableFile): boolean {
  return mimeType.startsWith("image/");
}
