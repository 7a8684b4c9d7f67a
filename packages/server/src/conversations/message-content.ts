import { ApiError, type MessageType } from "@portico/protocol";

/**
 * Reads the content of a text message; members other than `text` are dropped.
 *
 * @throws ApiError 400006 naming the field.
 */
export function readTextContent(content: object): { text: string } {
  const text = "text" in content ? content.text : undefined;
  if (text === undefined || text === null || text === "") {
    throw new ApiError("INVALID_REQUEST", "content.text不能为空");
  }
  if (typeof text !== "string") throw new ApiError("INVALID_REQUEST", "content.text类型错误,应为string");
  return { text };
}

/** Types that can be sent so far. */
const SENDABLE: readonly MessageType[] = ["text"];

/** @throws ApiError 400006 when messages of type `msgType` cannot be sent. */
export function readMessageType(msgType: string): MessageType {
  const known = SENDABLE.find((type) => type === msgType);
  if (known === undefined) throw new ApiError("INVALID_REQUEST", `不支持的消息类型: ${msgType.slice(0, 64)}`);
  return known;
}
