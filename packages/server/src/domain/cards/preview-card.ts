import {
  answerOf,
  applyImages,
  type CardImage,
  checkCard,
  compactBytes,
  findCardProblems,
  type JsonObject,
  MAX_CARD_FINDINGS,
  measureCard,
  type Preview,
} from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { JsonText } from "../../platform/http/json-text.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { fileAddress } from "../files/file-address.ts";
import { type FileOwner, findUsableFiles, type UsableFile } from "../files/file-store.ts";
import { isPicture, type ReceivedCard } from "./accept-card.ts";

/** The dependencies of a preview. */
export interface PreviewParts {
  config: Config;
  clock: Clock;
  storage: Storage;
}

type Finding = Preview["findings"][number];

/**
 * What sending the card now would result in: all problems (a send reports only the first) and the card as members would
 * receive it. Stores nothing and marks no file as used.
 */
export async function previewCard(ctx: PreviewParts, owner: FileOwner, { card, json }: ReceivedCard): Promise<Preview> {
  const ownFindings = findCardProblems(card, json).map(({ pointer, ...finding }) => ({ path: pointer, ...finding }));
  // As on a send: images are checked only when the card has no other problem than a missing img_key, and before that
  // one.
  const images = ownFindings.every(({ rule }) => rule === "image-key") ? checkCard(card, json).images : [];
  const keys = images.map(({ imgKey }) => imgKey);
  const files = await findUsableFiles(ctx.storage.db, owner, keys, ctx.clock.now());
  const findings = [...imageFindings(images, files), ...ownFindings].slice(0, MAX_CARD_FINDINGS);

  const addressByKey = new Map([...files].map(([key, { blobKey }]) => [key, fileAddress(ctx.config, blobKey)]));
  const valid = findings.length === 0;
  const shown = valid ? applyImages(json, card as JsonObject, addressByKey) : json;
  const { components, levels } = measureCard(card);
  return { valid, findings, components, depth: levels, bytes: compactBytes(json), card: new JsonText(shown) };
}

function imageFindings(images: CardImage[], files: ReadonlyMap<string, UsableFile>): Finding[] {
  return images.flatMap(({ pointer, imgKey }) => {
    const file = files.get(imgKey);
    const path = `${pointer}/img_key`;
    if (file === undefined) return [{ path, ...UNUSABLE_FILE }];
    return isPicture(file) ? [] : [{ path, ...NO_PICTURE }];
  });
}

const UNUSABLE_FILE: Omit<Finding, "path"> = {
  rule: "image-file",
  message: answerOf("file-unusable").message,
  suggestion:
    'A fileKey is good for minutes and for the application that uploaded it: upload the picture anew, or write its http(s) address to "img_url", which a template always should.',
};

const NO_PICTURE: Omit<Finding, "path"> = {
  rule: "image-type",
  message: answerOf("not-a-picture").message,
  suggestion: 'Only pictures can be shown: upload one, as "image/...".',
};
