import type { ConsoleMessage } from "./message.ts";

/** Errors of signing in and of permissions. */
export const ACCESS_ERRORS = {
  TENANT_REQUIRED: {
    status: 400,
    message: "tenant context required",
    english: "The call must name a tenant in the X-Open-Tenant-Id header, or an application's creation in tenantId.",
  },
  DEVELOPER_LOGIN_WRONG: {
    status: 401,
    message: "手机号或密码错误",
    english: "The phone number, its channel or the password is wrong.",
  },
  OPERATOR_LOGIN_WRONG: {
    status: 401,
    message: "手机号或密码错误;此处仅平台运营人员可用密码登录",
    english:
      "The phone number, its channel or the password is wrong, or the developer is no operator: all others sign in with their company's provider here.",
  },
  CROSS_SITE_REQUEST: {
    status: 403,
    message: "不允许跨站请求",
    english: "A page of another site had the browser make this call.",
  },
  NOT_OPERATOR: {
    status: 403,
    message: "只有平台运营人员可以执行此操作",
    english: "Only operators of the platform may do this.",
  },
  NOT_APP_OWNER: {
    status: 403,
    message: "只有应用的所有者可以执行此操作",
    english: "Only the owner of the application may do this.",
  },
  TENANT_FORBIDDEN: {
    status: 403,
    message: "无权访问该租户",
    english: "The developer does not belong to this tenant.",
  },
  LOGIN_SESSION_NOT_FOUND: {
    status: 404,
    message: "登录会话不存在",
    english: "There is no such login of this developer.",
  },
  DEVELOPER_BUSY: {
    status: 429,
    message: "同时进行的请求过多,请稍后再试",
    english: "Too many calls of this kind by this developer are waiting.",
  },
  QR_CODES_TOO_MANY: {
    status: 429,
    message: "二维码请求过多,请稍后再试",
    english: "Too many QR codes have been asked for of late.",
  },
} as const satisfies Record<string, ConsoleMessage>;
