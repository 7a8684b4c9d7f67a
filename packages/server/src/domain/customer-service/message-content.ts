import { type ApiError, CUSTOMER_MESSAGE_TYPES, fault } from "@portico/protocol";
import { wrongField } from "../../platform/errors/refusal.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { type AttachmentShape, parseAttachmentShape, parseMessageType } from "../conversations/message-shape.ts";
import type { AttachmentParts } from "../files/attachment.ts";
import { claimAttachment } from "../files/attachment.ts";
import { type FileOwner, findUsableFiles } from "../files/file-store.ts";

/** Content of a customer-service message with the fields that its type requires. */
export type MessageContent = { msgType: "text"; text: string } | AttachmentShape;

/** Whether nothing of a text can be seen: white space of all kinds, and other characters that are invisible. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

const BLANK = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * Reads the content of a call: a string for text, otherwise an object as in the bot API.
 *
 * @throws ApiError 400006 naming the field: unknown `msgType`, blank text, or content of the wrong shape.
 */
export function parseContent({ msgType, content }: { msgType?: string | null; content: unknown }): MessageContent {
  const type = parseMessageType(msgType ?? "text", CUSTOMER_MESSAGE_TYPES);
  if (content === null || content === "") throw blank("content");
  if (type === "text") {
    if (typeof content !== "string") {
      throw wrongField("content", fault("FIELD_TYPE_WRONG", { field: "content", type: "string" }), {
        problem: "type",
        expected: "of type string",
      });
    }
    checkNotBlank("content", content);
    return { msgType: type, text: content };
  }
  if (typeof content !== "object" || Array.isArray(content)) {
    throw wrongField("content", fault("FIELD_TYPE_WRONG", { field: "content", type: "object" }), {
      problem: "type",
      expected: "of type object",
    });
  }
  return parseAttachmentShape(type, content);
}

/** @throws ApiError 400006 when nothing of a field's text can be seen. */
export function checkNotBlank(field: string, text: string): void {
  if (isBlank(text)) throw blank(field);
}

function blank(field: string): ApiError {
  return wrongField(field, fault("FIELD_MISSING", { field }), { problem: "missing", expected: "more than blanks" });
}

/**
 * The content to store: JSON text. A file in it is marked as used, so that it is kept.
 *
 * @param owners whose files it may contain.
 * @param now epoch milliseconds.
 * @throws ApiError 400008 for an unusable fileKey.
 */
export async function storeContent(
  ctx: AttachmentParts,
  tx: Db,
  parsed: MessageContent,
  owners: readonly [FileOwner, ...FileOwner[]],
  now: number,
): Promise<string> {
  if (parsed.msgType === "text") return JSON.stringify(parsed.text);
  const owner = await ownerAmong(tx, owners, parsed.fileKey, now);
  return JSON.stringify(await claimAttachment(ctx, tx, owner, parsed, now));
}

/** The owner of the file; the first of `owners` when none of them owns it. */
async function ownerAmong(
  tx: Db,
  owners: readonly [FileOwner, ...FileOwner[]],
  fileKey: string,
  now: number,
): Promise<FileOwner> {
  for (const owner of owners) {
    if ((await findUsableFiles(tx, owner, [fileKey], now)).size > 0) return owner;
  }
  return owners[0];
}
