import type { ConsoleMessage } from "./message.ts";

/** Errors of reviews and scopes. */
export const REVIEW_ERRORS = {
  DISPLAY_NAME_MISSING: {
    status: 400,
    message: "请先设置应用的displayName,再提交审核",
    english: "The application has no displayName, which a review needs.",
  },
  SUBMITTED_APP_DISABLED: {
    status: 409,
    message: "应用已停用,不能提交审核",
    english: "The application is disabled and cannot be submitted for review.",
  },
  REVIEW_ALREADY_PENDING: {
    status: 409,
    message: "应用正在审核中",
    english: "The application is waiting for review already.",
  },
  NOTHING_TO_REVIEW: {
    status: 409,
    message: "应用已上线,没有待审核的Scope",
    english: "The application is ACTIVE and asks for no scope, so there is nothing to review.",
  },
  REVIEW_NOT_PENDING: {
    status: 409,
    message: "应用没有待审核的申请",
    english: "The application does not wait for review.",
  },
  REVIEW_ALREADY_CLOSED: {
    status: 409,
    message: "该申请已被处理",
    english: "Someone else has decided on this review meanwhile.",
  },
  REVIEWED_APP_DISABLED: {
    status: 409,
    message: "应用已停用,启用后才能通过审核",
    english: "The application is disabled; it must be enabled before it can be approved.",
  },
  REVIEWED_SCOPES_CHANGED: {
    status: 409,
    message: "申请的Scope已发生变化,请重新查看",
    english: "The scopes that the application asks for have changed since they were read.",
  },
  REVIEWED_APP_CHANGED: {
    status: 409,
    message: "应用在查看之后又有修改,请重新查看",
    english: "The application has changed since the review was read.",
  },
  DISABLED_APP_SCOPES: {
    status: 409,
    message: "应用已停用,不能申请Scope",
    english: "The application is disabled and cannot ask for scopes.",
  },
  SCOPE_NOT_FOR_APP_TYPE: {
    status: 403,
    message: "{type}类型的应用不能申请Scope: {scope}",
    english: "An application of type {type} cannot hold the scope {scope}.",
  },
  SCOPE_UNKNOWN: { status: 400, message: "scope取值不合法", english: "There is no such scope." },
  SCOPE_NOT_HELD: {
    status: 404,
    message: "应用未持有也未申请Scope: {scope}",
    english: "The application neither holds nor asks for the scope {scope}.",
  },
  SCOPE_IS_DEFAULT: {
    status: 409,
    message: "默认授予的Scope不能放弃: {scope}",
    english: "The scope {scope} is granted to every application of this type and cannot be given up.",
  },
  ONLY_ACTIVE_APPS_DISABLED: {
    status: 409,
    message: "只有ACTIVE状态的应用可以停用",
    english: "Only an application that is ACTIVE can be disabled.",
  },
  ONLY_DISABLED_APPS_ENABLED: {
    status: 409,
    message: "只有DISABLED状态的应用可以启用",
    english: "Only an application that is DISABLED can be enabled.",
  },
} as const satisfies Record<string, ConsoleMessage>;
