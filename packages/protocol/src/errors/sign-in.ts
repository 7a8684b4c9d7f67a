import type { ApiMessage } from "./open.ts";

/** Errors of people's own passwords, and of the second factor of a sign-in. */
export const SIGN_IN_ERRORS = {
  PASSWORD_WRONG: {
    kind: "FORBIDDEN",
    message: "当前密码错误",
    english: "The current password is wrong.",
  },
  PASSWORD_TOO_SHORT: {
    kind: "INVALID_REQUEST",
    message: "密码不能少于{min}个字符",
    english: "A password must have at least {min} characters.",
  },
  PASSWORD_COMMON: {
    kind: "INVALID_REQUEST",
    message: "密码过于常见,请换一个",
    english: "The password is one of those that are tried first.",
  },
  PASSWORD_PERSONAL: {
    kind: "INVALID_REQUEST",
    message: "密码不能是本人的姓名、账号或手机号",
    english: "The password is little more than the person's own name, user name or phone number.",
  },
  SECOND_FACTOR_WRONG: {
    kind: "FORBIDDEN",
    message: "验证码错误或已使用",
    english: "The code is wrong, has expired or has been used.",
  },
  SIGN_IN_CHALLENGE_ENDED: {
    kind: "UNAUTHENTICATED",
    message: "登录验证已失效,请重新登录",
    english: "The sign-in took too long, or too many codes were wrong.",
  },
  ENROL_NEEDS_PASSWORD: {
    kind: "FORBIDDEN",
    message: "首次设置二次验证,请使用密码登录",
    english: "A second factor has to be set up first, at a sign-in by password.",
  },
  SECOND_FACTOR_ON: {
    kind: "FORBIDDEN",
    message: "二次验证已开启",
    english: "The second factor is on already.",
  },
  SECOND_FACTOR_OFF: {
    kind: "FORBIDDEN",
    message: "二次验证未开启",
    english: "The second factor is off.",
  },
  SECOND_FACTOR_REQUIRED: {
    kind: "FORBIDDEN",
    message: "平台要求使用二次验证,不能关闭",
    english: "The operator of the service asks for a second factor, so it cannot be turned off.",
  },
} as const satisfies Record<string, ApiMessage>;
