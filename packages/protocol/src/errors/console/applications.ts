import type { ConsoleMessage } from "./message.ts";

/** Errors of applications, of their credentials and of what is recorded of them. */
export const APPLICATION_ERRORS = {
  APP_NOT_FOUND: {
    status: 404,
    message: "应用不存在",
    english: "There is no such application, or the developer may not see it.",
  },
  APPS_TOO_MANY: {
    status: 409,
    message: "每位开发者最多拥有{max}个应用",
    english: "A developer may own at most {max} applications.",
  },
  AVATAR_NOT_A_LINK: {
    status: 400,
    message: "avatar必须为空或HTTP/HTTPS地址",
    english: "avatar must be empty or an address that begins with http:// or https://.",
  },
  ORIGIN_INVALID: {
    status: 400,
    message: "allowedOrigins.{index}必须为网站的来源,如https://example.com",
    english: "allowedOrigins.{index} must be the origin of a site, like https://example.com.",
  },
  WIDGET_NOT_FOR_APP: {
    status: 409,
    message: "只有CUSTOMER_SERVICE类型的应用有访客组件",
    english: "Only applications of type CUSTOMER_SERVICE have a visitor widget.",
  },
  TIME_ZONE_UNKNOWN: {
    status: 400,
    message: "widget.openingHours.timeZone不是有效时区,如Asia/Shanghai",
    english: "widget.openingHours.timeZone names no time zone; one is Asia/Shanghai.",
  },
  OPENING_HOURS_INVALID: {
    status: 400,
    message: "widget.openingHours.days.{index}的结束时间必须晚于开始时间",
    english: "widget.openingHours.days.{index} must end later than it begins.",
  },
  CREDENTIALS_IN_GRACE_TOO_MANY: {
    status: 409,
    message: "宽限期内的旧凭证最多{max}个,请先吊销旧凭证",
    english: "At most {max} old credentials may be in their grace period at once.",
  },
  REQUEST_NOT_FOUND: { status: 404, message: "调用记录不存在", english: "The request log has no such call." },
  STATS_RANGE_TOO_LONG: {
    status: 400,
    message: "时间范围过大,最多{max}个时间段",
    english: "The range has more than {max} intervals.",
  },
  RANGE_REVERSED: { status: 400, message: "from不能大于to", english: "from is later than to." },
  AUDIT_CURSOR_INVALID: {
    status: 400,
    message: "before不是上一页的nextBefore",
    english: "before is not the nextBefore of an earlier page.",
  },
  REHEARSAL_IN_PRODUCTION: {
    status: 403,
    message: "只有测试环境可以演练故障",
    english: "Faults can be rehearsed in the test environment only.",
  },
} as const satisfies Record<string, ConsoleMessage>;
