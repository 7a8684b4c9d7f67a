import { memberText } from "@portico/protocol/json-member";
import type { Db } from "../../platform/storage/schema.ts";
import type { CardParts } from "../cards/accept-card.ts";
import { resolveCardContent } from "../cards/card-content.ts";
import type { AttachmentParts } from "../files/attachment.ts";
import { claimAttachment } from "../files/attachment.ts";
import type { FileOwner } from "../files/file-store.ts";
import type { MessageShape } from "./message-shape.ts";

/** Content as someone wants to say it. */
export interface SaidContent {
  shape: MessageShape;
  /** The body that `content` is a member of, as it came over the wire. */
  rawBody: Buffer;
  owner: FileOwner;
  now: number;
}

/** Content as members will receive it, but for its mentions: JSON text. */
export interface StoredContent {
  json: string;
  /** Null for what is no card. */
  cardVersion: number | null;
}

/**
 * Judges of a message's content what its shape does not tell, and makes of it what is stored. Files in it are claimed:
 * they stay.
 *
 * @throws ApiError 400006 with the card's fault; 400008 for a fileKey that cannot be used.
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
      // Exactly as it was written, so that no number is changed by being read.
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
