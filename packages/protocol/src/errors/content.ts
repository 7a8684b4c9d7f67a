import type { ApiMessage } from "./open.ts";

const kind = "INVALID_REQUEST";

/** Errors in the content of a message. */
export const CONTENT_ERRORS = {
  MESSAGE_TYPE_UNSUPPORTED: {
    kind,
    message: "不支持的消息类型: {msgType}",
    english: "The msgType {msgType} is not supported here.",
  },
  CARD_SOURCE_AMBIGUOUS: {
    kind,
    message: "content.card与content.cardId只能提供一个",
    english: "content has both card and cardId; only one of them may be given.",
  },
  PIXELS_OUT_OF_RANGE: {
    kind,
    message: "{field}必须在0到{max}之间",
    english: "{field} must be from 0 to {max}.",
  },
  MENTIONS_NOT_AN_ARRAY: {
    kind,
    message: "content.mentions必须为数组",
    english: "content.mentions must be an array.",
  },
  MENTIONS_TOO_MANY: {
    kind,
    message: "content.mentions不能超过{max}个",
    english: "content.mentions may name at most {max} accounts.",
  },
  MENTION_INVALID: {
    kind,
    message: "content.mentions包含非法账号",
    english: "An entry of content.mentions is neither a text nor an object whose userId is a text.",
  },
  VISITOR_EXTRA_TOO_LONG: {
    kind,
    message: "extra不能超过8KiB",
    english: "extra is longer than 8 KiB of JSON.",
  },
} as const satisfies Record<string, ApiMessage>;
