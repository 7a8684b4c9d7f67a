import { memberText } from "@portico/protocol/json-member";
import type { Db } from "../../platform/storage/schema.ts";
import type { CardParts } from "../cards/accept-card.ts";
import { resolveCardContent } from "../cards/card-content.ts";
import type { AttachmentParts } from "../files/attachment.ts";
import { claimAttachment } from "../files/attachment.ts";
import type { FileOwner } from "../files/file-store.ts";
import type { MessageShape } from "./message-shape.ts";

/** Content that a sender submits. */
export interface SaidContent {
  shape: MessageShape;
  /** The raw request body that contains `content`. */
  rawBody: Buffer;
  owner: FileOwner;
  now: number;
}

/** Content as members will receive it, without its mentions: JSON text. */
export interface StoredContent {
  json: string;
  /** Null when the message is not a card. */
  cardVersion: number | null;
}

/**
 * Checks what {@link parseShape} cannot (cards, fileKeys) and returns the content to store. Files in it are marked as
 * used, so that they are kept.
 *
 * @throws ApiError 400006 with the card's problem; 400008 for an unusable fileKey.
 */
export async function resolveContent(
  ctx: CardParts & AttachmentParts,
  tx: Db,
  said: SaidContent,
): Promise<StoredContent> {
  const { shape, rawBody, owner, now } = said;
  switch (shape.msgType) {
    case "text":
      return noCard({ text: shape.text });
    case "post":
      // The original text, so that parsing does not change a number.
      return { json: memberText(rawBody.toString("utf8"), "content") ?? "{}", cardVersion: null };
    case "image":
    case "file":
      return noCard(await claimAttachment(ctx, tx, owner, shape, now));
    case "card":
      return await resolveCardContent(ctx, tx, owner, { source: shape.source, rawBody }, now);
  }
}

function noCard(content: object): StoredContent {
  return { json: JSON.stringify(content), cardVersion: null };
}
