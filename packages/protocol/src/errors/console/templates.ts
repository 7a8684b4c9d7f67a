import type { ConsoleMessage } from "./message.ts";

/** Errors of card templates. */
export const TEMPLATE_ERRORS = {
  TEMPLATE_NOT_FOUND: { status: 404, message: "卡片模板不存在", english: "The application has no such card template." },
  TEMPLATE_VERSION_NOT_FOUND: {
    status: 404,
    message: "卡片模板版本不存在",
    english: "The card template has no such version.",
  },
  ONLY_BOTS_HAVE_TEMPLATES: {
    status: 409,
    message: "只有BOT类型的应用可以创建卡片模板",
    english: "Only applications of type BOT can have card templates.",
  },
  TEMPLATES_TOO_MANY: {
    status: 409,
    message: "卡片模板不能超过{max}个",
    english: "An application may have at most {max} card templates.",
  },
  TEMPLATE_CHANGED: {
    status: 409,
    message: "卡片模板已被修改,当前版本为{version}",
    english: "The card template has been changed meanwhile; its version is now {version}.",
  },
  TEMPLATE_VERSIONS_USED_UP: {
    status: 409,
    message: "卡片模板的版本号已用尽",
    english: "The card template has no version numbers left.",
  },
} as const satisfies Record<string, ConsoleMessage>;
