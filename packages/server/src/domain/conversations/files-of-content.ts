import type { MessageType } from "@portico/protocol";

/**
 * Whether storing a message may lock files. It is quick, and a message that locks none may be taken for one that does.
 *
 * @param body of which nothing but its structure has been checked.
 * @param rawBody the text of it.
 */
export function mayClaimFiles(body: { msgType: string; content: object }, rawBody: Buffer): boolean {
  const msgType = body.msgType as MessageType;
  if (msgType === "text" || msgType === "post") return false;
  if (msgType !== "card") return true;
  const card: unknown = Object.getOwnPropertyDescriptor(body.content, "card")?.value ?? null;
  // A template may show images; a card that is null counts as absent.
  return card === null || mayNameImages(rawBody);
}

/** Whether the text of a card may name uploaded images: `img_key` may be spelled with escapes. */
export function mayNameImages(rawBody: Buffer): boolean {
  return rawBody.includes("img_key") || rawBody.includes("\\u00");
}
