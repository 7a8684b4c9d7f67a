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

/** What accepting a card needs. */
export interface CardParts {
  config: Config;
}

/** A card as it came. */
export interface ReceivedCard {
  card: unknown;
  /** Its JSON text, where reading and writing it may change a number in it; else null. */
  json: string | null;
  /** JSON pointer of where it stands in the body; empty for that of a template. */
  at: string;
}

/**
 * Judges a card as far as it alone tells: its images are resolved when it is sent.
 *
 * @returns its compact JSON, with the numbers spelled as they came.
 * @throws ApiError of the first rule it breaks.
 */
export function soundCard({ card, json, at }: ReceivedCard): string {
  const check = checkCard(card);
  const oversize = oversizeAsSpelled(check, json);
  if (oversize) throw refusedCard(oversize, card, at);
  if (check.failure) throw refusedCard(check.failure, card, at);
  return json === null ? check.json : respell(json);
}

/**
 * Judges a card and resolves its images (docs/contract/cards.md). Files that it shows are claimed: they stay.
 *
 * @returns the card's JSON as members will receive it.
 * @throws ApiError of the first rule it breaks.
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

/** The size counts with the numbers as they are spelled, for so they are sent; and only in a card whose structure is sound. */
function oversizeAsSpelled({ failure }: CardCheck, json: string | null): CardProblem | null {
  const isSound = failure === null || failure.rule === "image-key";
  return isSound && json !== null ? sizeProblem(respell(json)) : null;
}

/** Whether a card may show a file. */
export function isPicture({ mimeType }: UsableFile): boolean {
  return mimeType.startsWith("image/");
}
