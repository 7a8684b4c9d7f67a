import {
  applyImages,
  type CardCheck,
  type CardProblem,
  checkCard,
  compactJson,
  type JsonObject,
  sizeProblem,
} from "@portico/protocol";
import type { Config } from "../../platform/config/config.ts";
import { brokenRule } from "../../platform/errors/refusal.ts";
import { changeJson, respell } from "../../platform/http/exact-json.ts";
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
  /** Its original JSON text when parsing and serializing could change a number in it; otherwise null. */
  json: string | null;
  /** JSON pointer to the card in the body; empty for the card of a template. */
  at: string;
}

/**
 * Checks a card by itself; its images are resolved when it is sent.
 *
 * @returns its compact JSON, with numbers spelled as received.
 * @throws ApiError for the first rule that the card breaks.
 */
export function soundCard({ card, json, at }: ReceivedCard): string {
  const check = checkCard(card);
  const oversize = oversizeAsSpelled(check, json);
  if (oversize) throw refusedCard(oversize, card, at);
  if (check.failure) throw refusedCard(check.failure, card, at);
  return json === null ? check.json : respell(json);
}

/**
 * Checks a card and resolves its images (docs/contract/cards.md). Uploaded files that it shows are marked as used, so
 * that they are kept.
 *
 * @returns the card's JSON as members will receive it.
 * @throws ApiError for the first rule that the card breaks.
 */
export async function acceptCard(
  ctx: CardParts,
  tx: Db,
  owner: FileOwner,
  { card, json, at }: ReceivedCard,
  now: number,
): Promise<string> {
  const check = checkCard(card);
  const oversize = oversizeAsSpelled(check, json);
  if (oversize) throw refusedCard(oversize, card, at);
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
  if (json !== null) return changeJson(json, (value) => applyImages(value as JsonObject, addressByKey));
  const applied = applyImages(check.card, addressByKey);
  return applied === check.card ? check.json : compactJson(applied);
}

/**
 * The size is measured with numbers as they were spelled, because they are sent that way. Checked only when the
 * structure is valid.
 */
function oversizeAsSpelled({ failure }: CardCheck, json: string | null): CardProblem | null {
  const isSound = failure === null || failure.rule === "image-key";
  return isSound && json !== null ? sizeProblem(respell(json)) : null;
}

/** Whether a card may show the file as an image. */
export function isPicture({ mimeType }: UsableFile): boolean {
  return mimeType.startsWith("image/");
}
