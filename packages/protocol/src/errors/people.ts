import type { ApiMessage } from "./open.ts";

/**
 * The errors of the people's APIs (members, agents at the desk, visitors of the widget) in addition to those of all
 * APIs.
 */
export const PEOPLE_ERRORS = {
  NOT_SIGNED_IN: {
    kind: "UNAUTHENTICATED",
    message: "未登录或登录已过期",
    english: "The caller is not signed in, or the login has expired.",
  },
  VISITOR_NOT_SIGNED_IN: {
    kind: "UNAUTHENTICATED",
    message: "访客未登录或登录已过期",
    english: "The visitor is not signed in, or the login has expired.",
  },
  MEMBER_LOGIN_WRONG: {
    kind: "UNAUTHENTICATED",
    message: "账号或密码错误",
    english: "The account or the password is wrong.",
  },
  PASSWORD_SIGN_IN_OFF: {
    kind: "FORBIDDEN",
    message: "请使用企业登录,此处不能用密码登录",
    english: "People sign in with their company's provider here, not with a password.",
  },
  CROSS_SITE_CALL: {
    kind: "FORBIDDEN",
    message: "不允许跨站请求",
    english: "A page of another site had the browser make this call.",
  },
  CONVERSATION_UNREACHABLE: {
    kind: "FORBIDDEN",
    message: "会话不存在或无权访问",
    english: "There is no such conversation, or it is not the member's.",
  },
  MESSAGE_UNREACHABLE: {
    kind: "FORBIDDEN",
    message: "消息不存在或无权访问",
    english: "There is no such message, or the member may not see it.",
  },
  BOT_REMOVED: {
    kind: "FORBIDDEN",
    message: "机器人已从该会话卸载",
    english: "The bot has been uninstalled from the conversation.",
  },
  CARD_RECALLED: { kind: "FORBIDDEN", message: "卡片已被撤回", english: "The card has been recalled." },
  BOT_UNAVAILABLE: {
    kind: "FORBIDDEN",
    message: "机器人不存在或未启用",
    english: "There is no such bot in the tenant, or it is not ACTIVE.",
  },
  INSTALL_TARGET_FORBIDDEN: {
    kind: "FORBIDDEN",
    message: "安装目标不存在或无权操作",
    english: "There is no such conversation to install in, or the member may not decide for it.",
  },
  BOT_NOT_AT_TARGET: {
    kind: "FORBIDDEN",
    message: "机器人未安装到该目标",
    english: "The bot is not installed there.",
  },
  MINI_PROGRAM_UNAVAILABLE: {
    kind: "FORBIDDEN",
    message: "小程序不存在或未启用",
    english: "There is no such mini-program in the tenant, or it is not ACTIVE.",
  },
  QR_EXPIRED: {
    kind: "FORBIDDEN",
    message: "二维码无效或已过期",
    english: "The QR code is not valid or has expired.",
  },
  QR_ALREADY_CONFIRMED: {
    kind: "FORBIDDEN",
    message: "二维码已确认登录",
    english: "The login of this QR code has been confirmed already.",
  },
  QR_NOT_SCANNED: {
    kind: "FORBIDDEN",
    message: "请先扫描二维码",
    english: "The QR code must be scanned before its login can be confirmed.",
  },
  QR_SCANNED_BY_OTHER: {
    kind: "FORBIDDEN",
    message: "二维码已被其他成员扫描",
    english: "Another member has scanned the QR code.",
  },
  QR_DEVELOPER_CHANGED: {
    kind: "FORBIDDEN",
    message: "开发者账号已变更,请重新扫描二维码",
    english: "The member's developer account has changed since the QR code was scanned.",
  },
  QR_MEMBER_NOT_A_DEVELOPER: {
    kind: "FORBIDDEN",
    message: "当前成员没有可登录的开发者账号",
    english: "The member has no developer account to sign in with.",
  },
  NOT_AN_AGENT: {
    kind: "FORBIDDEN",
    message: "不是该应用的客服",
    english: "The member is not an agent of the application.",
  },
  SESSION_CLOSED: { kind: "SESSION_NOT_FOUND", message: "会话已关闭", english: "The session is closed." },
  SESSION_OF_OTHER_AGENT: {
    kind: "FORBIDDEN",
    message: "会话不属于当前客服",
    english: "The session belongs to another agent.",
  },
  DESK_SESSION_UNREACHABLE: {
    kind: "FORBIDDEN",
    message: "会话不存在或不属于当前客服",
    english: "There is no such session, or it belongs to another agent.",
  },
  CANNED_REPLY_UNKNOWN: {
    kind: "FORBIDDEN",
    message: "快捷回复不存在",
    english: "The application has no such canned reply.",
  },
  SHORTCUT_TAKEN: {
    kind: "FORBIDDEN",
    message: "该快捷词已被使用",
    english: "Another canned reply of the application has this shortcut.",
  },
  CANNED_REPLIES_TOO_LONG: {
    kind: "FORBIDDEN",
    message: "快捷回复的总长度不能超过{max} KiB",
    english: "An application's canned replies may have at most {max} KiB of text.",
  },
  CANNED_REPLIES_TOO_MANY: {
    kind: "FORBIDDEN",
    message: "快捷回复不能超过{max}个",
    english: "An application may have at most {max} canned replies.",
  },
  SESSION_ALREADY_RATED: { kind: "FORBIDDEN", message: "会话已评价", english: "The session has been rated already." },
  SESSION_NOT_RATABLE: {
    kind: "FORBIDDEN",
    message: "会话已不能评价",
    english: "The session is too old to be rated.",
  },
  WIDGET_SITE_NOT_ALLOWED: {
    kind: "FORBIDDEN",
    message: "该网站未被允许使用此应用的访客组件",
    english: "The application does not allow its widget on this site.",
  },
  WIDGET_SITE_UNKNOWN: {
    kind: "FORBIDDEN",
    message: "该网站未被任何应用允许: 请应用所有者将{origin}加入allowedOrigins",
    english: "No application allows its widget on this site: the owner has to add {origin} to allowedOrigins.",
  },
  ANONYMOUS_VISITORS_REFUSED: {
    kind: "FORBIDDEN",
    message: "该应用不接待匿名访客",
    english: "The application takes no visitors without a visitorToken of the site's.",
  },
  VISITOR_KEY_UNKNOWN: {
    kind: "UNAUTHENTICATED",
    message: "访客密钥无效或已过期",
    english: "The visitorKey is unknown, has expired, or has been revoked.",
  },
  WIDGET_ORIGIN_INVALID: {
    kind: "FORBIDDEN",
    message: "Origin不是http或https网站",
    english: "The Origin header names no http or https site.",
  },
} as const satisfies Record<string, ApiMessage>;
