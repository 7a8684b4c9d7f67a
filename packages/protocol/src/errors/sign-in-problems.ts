/**
 * Why a sign-in by the company's provider is refused, on the page that the person gets instead: the HTTP status, what happened
 * (`message`, `english`), and what to do about it (`todo`).
 */
export const SIGN_IN_PROBLEMS = {
  RETURN_PATH_INVALID: {
    status: 400,
    message: "登录后要打开的地址不属于本服务",
    english: "The address to open after signing in is not one of this service.",
    todo: { "zh-CN": "请从登录页重新开始。", "en-US": "Start again from the sign-in page." },
  },
  TENANT_MISSING: {
    status: 400,
    message: "未指明要登录的企业",
    english: "The address does not say which organisation to sign in to.",
    todo: { "zh-CN": "请从登录页重新开始。", "en-US": "Start again from the sign-in page." },
  },
  FLOW_UNKNOWN: {
    status: 400,
    message: "此浏览器没有进行中的登录，或登录已超过十分钟",
    english: "This browser has no sign-in under way, or it took more than ten minutes.",
    todo: {
      "zh-CN": "请在同一浏览器中重新登录，并允许本网站使用 Cookie。",
      "en-US": "Sign in again in one and the same browser, which has to keep this site's cookies.",
    },
  },
  STATE_WRONG: {
    status: 400,
    message: "收到的应答不属于此浏览器最近开始的登录",
    english: "The answer does not belong to the sign-in that this browser has begun last.",
    todo: {
      "zh-CN": "若打开了多个登录页，请只保留一个后重新登录。",
      "en-US": "If sign-ins are open in several tabs, close all but one and sign in again.",
    },
  },
  USED: {
    status: 400,
    message: "该登录应答已被使用",
    english: "This answer has been used already.",
    todo: { "zh-CN": "请重新登录。", "en-US": "Sign in again." },
  },
  PROVIDER_REFUSED: {
    status: 403,
    message: "登录服务未同意此次登录",
    english: "The provider did not let the sign-in happen.",
    todo: {
      "zh-CN": "请重新登录；若仍被拒绝，请联系管理员为您开通此应用。",
      "en-US": "Sign in again. If it is refused again, ask your administrator for access to this application.",
    },
  },
  TOKEN_REFUSED: {
    status: 403,
    message: "登录服务的应答未通过校验",
    english: "The provider's answer did not pass the checks.",
    todo: {
      "zh-CN": "请重新登录；若再次出现，请联系管理员，原因已记入服务日志。",
      "en-US": "Sign in again. If this comes back, tell your administrator: the service's log has the reason.",
    },
  },
  TENANT_REFUSED: {
    status: 403,
    message: "该企业不使用此登录服务",
    english: "This organisation does not sign in with this provider.",
    todo: { "zh-CN": "请检查企业标识。", "en-US": "Check the organisation's id." },
  },
  UNKNOWN_PERSON: {
    status: 403,
    message: "您在此处还没有账号",
    english: "You have no account here yet.",
    todo: { "zh-CN": "请联系管理员为您创建账号。", "en-US": "Ask your administrator to make one for you." },
  },
  NAME_TAKEN: {
    status: 403,
    message: "同名账号尚未与您的登录身份关联",
    english: "The account of this name is not connected with who you are at the provider.",
    todo: {
      "zh-CN": "请联系管理员。",
      "en-US": "Ask your administrator.",
    },
  },
  CLAIMS_INCOMPLETE: {
    status: 403,
    message: "登录服务未提供所需的账号信息",
    english: "The provider did not tell what an account here needs.",
    todo: {
      "zh-CN": "成员需要用户名，开发者需要手机号。请联系管理员。",
      "en-US": "Members need a user name, developers a phone number. Ask your administrator.",
    },
  },
  DISABLED: {
    status: 403,
    message: "您的账号已停用",
    english: "Your account is disabled.",
    todo: { "zh-CN": "请联系管理员。", "en-US": "Ask your administrator." },
  },
  OFF: {
    status: 404,
    message: "此处未启用企业登录",
    english: "Nobody signs in with a company's provider here.",
    todo: { "zh-CN": "请用密码登录。", "en-US": "Sign in with your password." },
  },
  TOO_MANY: {
    status: 429,
    message: "登录过于频繁",
    english: "Too many people are signing in at once.",
    todo: { "zh-CN": "请稍候片刻后重新登录。", "en-US": "Wait a moment, then sign in again." },
  },
  PROVIDER_UNAVAILABLE: {
    status: 503,
    message: "暂时无法连接登录服务",
    english: "The provider cannot be reached at the moment.",
    todo: {
      "zh-CN": "请稍后重新登录；若持续出现，请联系管理员。",
      "en-US": "Sign in again in a while. If it lasts, tell your administrator.",
    },
  },
  FAILED: {
    status: 500,
    message: "服务内部错误",
    english: "The service failed.",
    todo: { "zh-CN": "请稍后重新登录。", "en-US": "Sign in again in a while." },
  },
} as const;

/** The name of a row of {@link SIGN_IN_PROBLEMS}. */
export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;
