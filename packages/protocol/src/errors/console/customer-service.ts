import type { ConsoleMessage } from "./message.ts";

/** Errors of agents and visitors. */
export const CUSTOMER_SERVICE_ERRORS = {
  AGENTS_NOT_FOR_APP: {
    status: 409,
    message: "只有CUSTOMER_SERVICE类型的应用有客服",
    english: "Only applications of type CUSTOMER_SERVICE have agents.",
  },
  VISITORS_NOT_FOR_APP: {
    status: 409,
    message: "只有CUSTOMER_SERVICE类型的应用有访客",
    english: "Only applications of type CUSTOMER_SERVICE have visitors.",
  },
  APP_AGENT_NOT_FOUND: { status: 404, message: "客服不存在", english: "The application has no such agent." },
  AGENTS_TOO_MANY: {
    status: 409,
    message: "客服不能超过{max}个",
    english: "An application may have at most {max} agents.",
  },
  CANNED_REPLIES_NOT_FOR_APP: {
    status: 409,
    message: "只有CUSTOMER_SERVICE类型的应用有快捷回复",
    english: "Only applications of type CUSTOMER_SERVICE have canned replies.",
  },
  APP_CANNED_REPLY_NOT_FOUND: {
    status: 404,
    message: "快捷回复不存在",
    english: "The application has no such canned reply.",
  },
  APP_SHORTCUT_TAKEN: {
    status: 409,
    message: "该快捷词已被使用",
    english: "Another canned reply of the application has this shortcut.",
  },
  APP_CANNED_REPLIES_TOO_LONG: {
    status: 409,
    message: "快捷回复的总长度不能超过{max} KiB",
    english: "An application's canned replies may have at most {max} KiB of text.",
  },
  APP_CANNED_REPLIES_TOO_MANY: {
    status: 409,
    message: "快捷回复不能超过{max}个",
    english: "An application may have at most {max} canned replies.",
  },
  DESK_STATS_RANGE_TOO_LONG: {
    status: 400,
    message: "统计区间不能超过{max}天",
    english: "The range of figures may have at most {max} days.",
  },
  APP_VISITOR_NOT_FOUND: { status: 404, message: "访客不存在", english: "The application has no such visitor." },
} as const satisfies Record<string, ConsoleMessage>;
