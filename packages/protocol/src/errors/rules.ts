import type { ApiMessage } from "./open.ts";

/** The errors of well-formed calls of the open API that break a rule, where the kind's message is too general. */
export const RULE_ERRORS = {
  BOT_NOT_INSTALLED: {
    kind: "FORBIDDEN",
    message: "机器人未安装到目标会话",
    english: "The bot is not installed in the conversation that the message is for.",
  },
  TAKE_REFUSED: {
    kind: "FORBIDDEN",
    message: "生产环境不支持take参数",
    english: "In production, a connection takes no events beside the subscriptions.",
  },
  FILE_UNUSABLE: {
    kind: "FORBIDDEN",
    message: "fileKey无效或已过期",
    english: "The fileKey is unknown, has expired, or belongs to another uploader.",
  },
  MESSAGE_NOT_DELIVERED: {
    kind: "FORBIDDEN",
    message: "消息未投递给此应用",
    english: "The message was not delivered to this application, or, for an update or a recall, not sent by it.",
  },
  REPLY_TARGET_MISMATCH: {
    kind: "FORBIDDEN",
    message: "回复目标与父消息不匹配",
    english: "The reply names another conversation than that of the message it answers.",
  },
  NOT_A_CARD_MESSAGE: {
    kind: "INVALID_REQUEST",
    message: "卡片消息不存在",
    english: "The message is not a card.",
  },
  CARD_TEMPLATE_UNKNOWN: {
    kind: "INVALID_REQUEST",
    message: "卡片模板不存在",
    english: "The application has no card template with this cardId.",
  },
  CARD_IMAGE_NOT_A_PICTURE: {
    kind: "INVALID_REQUEST",
    message: "card image img_key必须引用图片文件",
    english: "The img_key of an image names a file that is not a picture.",
  },
  LOGIN_CODE_UNUSABLE: {
    kind: "FORBIDDEN",
    message: "登录码无效或已过期",
    english: "The login code is unknown, used, expired, or was made for another mini-program.",
  },
  OTHER_APPLICATION: {
    kind: "UNAUTHENTICATED",
    message: "应用不存在",
    english: "There is no such application, or it is not the one that signed the call.",
  },
  SESSION_NOT_CLOSED: {
    kind: "SESSION_NOT_FOUND",
    message: "关闭会话失败",
    english: "The session could not be closed: the application has no such session.",
  },
} as const satisfies Record<string, ApiMessage>;
