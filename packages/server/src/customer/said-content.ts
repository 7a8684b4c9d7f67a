import { ApiError, CUSTOMER_MESSAGE_TYPES, type CustomerMessageType } from "@portico/protocol";
import type { Context } from "../context.ts";
import { readContent, readMessageType } from "../conversations/message-content.ts";
import { type FileOwner, findUsableFiles } from "../files/file-store.ts";
import type { Db } from "../storage/schema.ts";

/** What somebody wants to say in customer service, in the shape that its type asks for. */
export type SaidContent =
  | { msgType: "text"; content: string }
  | { msgType: Exclude<CustomerMessageType, "text">; content: object };

/** Spaces of every width, none included, and what else leaves no mark on the screen. */
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * Reads what a call says: `content` is a text for text, else an object as in the bot API (design, section 8).
 *
 * @throws ApiError 400006 naming the field: for another `msgType`, a blank text, or content of the wrong shape.
 */
export function readSaid({ msgType, content }: { msgType?: string | null; content: unknown }): SaidContent {
  const type = readMessageType(msgType ?? "text", CUSTOMER_MESSAGE_TYPES);
  if (content === null || content === "") throw blankContent();
  if (type === "text") {
    if (typeof content !== "string") throw new ApiError("INVALID_REQUEST", "content类型错误,应为string");
    if (BLANK.test(content)) throw blankContent();
    return { msgType: type, content };
  }
  if (typeof content !== "object" || Array.isArray(content)) {
    throw new ApiError("INVALID_REQUEST", "content类型错误,应为object");
  }
  return { msgType: type, content };
}

function blankContent(): ApiError {
  return new ApiError("INVALID_REQUEST", "content不能为空");
}

/**
 * What is said as it is stored: JSON text. A file in it is claimed: it stays.
 *
 * @param owners whose files it may hold.
 * @param now epoch milliseconds.
 * @throws ApiError 400006 naming the field; 400008 for a fileKey that cannot be used.
 */
export async function storeSaid(
  ctx: Context,
  tx: Db,
  { msgType, content }: SaidContent,
  owners: readonly [FileOwner, ...FileOwner[]],
  now: number,
): Promise<string> {
  if (msgType === "text") return JSON.stringify(content);
  const owner = await ownerAmong(tx, owners, content, now);
  // Only a post is read from the body as it came.
  return (await readContent(ctx, tx, { msgType, content, rawBody: NO_BODY, owner, now })).json;
}

const NO_BODY = Buffer.alloc(0);

/** Whose the file in `content` is; the first of them when it is nobody's. */
async function ownerAmong(
  tx: Db,
  owners: readonly [FileOwner, ...FileOwner[]],
  content: object,
  now: number,
): Promise<FileOwner> {
  const fileKey = "fileKey" in content && typeof content.fileKey === "string" ? content.fileKey : "";
  for (const owner of owners) {
    if ((await findUsableFiles(tx, owner, [fileKey], now)).size > 0) return owner;
  }
  return owners[0];
}
