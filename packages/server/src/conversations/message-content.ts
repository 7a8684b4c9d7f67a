import { ApiError, BOUNDS, type MessageType } from "@portico/protocol";
import { memberText } from "@portico/protocol/json-member";
import { readCardContent } from "../cards/card-content.ts";
import type { Context } from "../context.ts";
import { readAttachment } from "../files/attachment.ts";
import type { FileOwner } from "../files/file-store.ts";
import type { Db } from "../storage/schema.ts";

/** Content as someone wants to say it. */
export interface SaidContent {
  msgType: MessageType;
  /** A JSON object. */
  content: object;
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

/** @throws ApiError 400006 when `msgType` is none of the `allowed`. */
export function readMessageType<Type extends MessageType>(msgType: string, allowed: readonly Type[]): Type {
  const known = allowed.find((type) => type === msgType);
  if (known === undefined)
    throw new ApiError("INVALID_REQUEST", `不支持的消息类型: ${msgType.slice(0, 64).toWellFormed()}`);
  return known;
}

/**
 * Reads the content of a message (spec.md, "Message content by msgType"). Files in it are claimed: they stay.
 *
 * @throws ApiError 400006 naming the field or the card's fault; 400008 for a fileKey that cannot be used.
 */
export async function readContent(ctx: Context, tx: Db, said: SaidContent): Promise<StoredContent> {
  const { msgType, content, rawBody, owner, now } = said;
  switch (msgType) {
    case "text":
      return noCard({ text: readText(content) });
    case "post":
      // Exactly as it was written, so that no number is changed by being read.
      return { json: memberText(rawBody.toString("utf8"), "content") ?? "{}", cardVersion: null };
    case "image": {
      const size = { width: readPixels(content, "width"), height: readPixels(content, "height") };
      const { fileKey, ...attachment } = await readAttachment(ctx, tx, owner, content, now);
      return noCard({ fileKey, ...size, ...attachment });
    }
    case "file":
      return noCard(await readAttachment(ctx, tx, owner, content, now));
    case "card":
      return await readCardContent(ctx, tx, owner, { content, rawBody }, now);
  }
}

function noCard(content: object): StoredContent {
  return { json: JSON.stringify(content), cardVersion: null };
}

function readText(content: object): string {
  const text = "text" in content ? content.text : undefined;
  if (text === undefined || text === null || text === "") {
    throw new ApiError("INVALID_REQUEST", "content.text不能为空");
  }
  if (typeof text !== "string") throw new ApiError("INVALID_REQUEST", "content.text类型错误,应为string");
  return text;
}

function readPixels(content: object, name: "width" | "height"): number {
  const pixels: unknown = name in content ? content[name as keyof typeof content] : undefined;
  if (pixels === undefined || pixels === null) throw new ApiError("INVALID_REQUEST", `content.${name}不能为空`);
  if (!Number.isInteger(pixels)) throw new ApiError("INVALID_REQUEST", `content.${name}类型错误,应为integer`);
  const value = Number(pixels);
  if (value < 0 || value > BOUNDS.imagePixels) {
    throw new ApiError("INVALID_REQUEST", `content.${name}必须在0到${BOUNDS.imagePixels}之间`);
  }
  return value;
}
