import type { ConsoleMessage } from "./message.ts";

/** Errors of subscriptions and deliveries. */
export const WEBHOOK_ERRORS = {
  EVENT_TYPE_UNKNOWN: {
    status: 400,
    message: "eventType取值不合法,可选值: {values}",
    english: "There is no such eventType; it must be one of {values}.",
  },
  SUBSCRIPTION_NOT_FOUND: {
    status: 404,
    message: "订阅不存在",
    english: "The application has no subscription to this type of event.",
  },
  SUBSCRIPTION_NOT_ACTIVE: { status: 409, message: "订阅未启用", english: "The subscription is not ACTIVE." },
  EVENT_NOT_FOR_APP_TYPE: {
    status: 403,
    message: "{type}类型的应用不能订阅{eventType}",
    english: "An application of type {type} cannot subscribe to {eventType}.",
  },
  EVENT_SCOPE_MISSING: {
    status: 403,
    message: "订阅{eventType}需要先申请Scope: {scope}",
    english: "To subscribe to {eventType}, the application must first ask for the scope {scope}.",
  },
  CALLBACK_MISSING: {
    status: 400,
    message: "callbackUrl不能为空",
    english: "A subscription by webhook needs a callbackUrl.",
  },
  CALLBACK_AND_SOCKET: {
    status: 400,
    message: "transport为SOCKET时不能设置callbackUrl",
    english: "A subscription by socket has no callbackUrl.",
  },
  CALLBACK_TOO_LONG: {
    status: 400,
    message: "回调地址不能超过{max}个字符",
    english: "The callback address is longer than {max} characters.",
  },
  CALLBACK_NOT_HTTPS: {
    status: 400,
    message: "回调地址必须以https://开头",
    english: "The callback address must begin with https://.",
  },
  CALLBACK_HAS_CREDENTIALS: {
    status: 400,
    message: "回调地址不能包含用户名或密码",
    english: "The callback address must not contain a user name or a password.",
  },
  CALLBACK_MALFORMED: {
    status: 400,
    message: "回调地址不是有效的URL",
    english: "The callback address is not a valid URL.",
  },
  CALLBACK_UNRESOLVABLE: { status: 400, message: "域名{host}无法解析", english: "The host {host} has no address." },
  CALLBACK_NAME_NOT_PUBLIC: {
    status: 400,
    message: "域名{host}解析到了非公网地址",
    english: "The host {host} has an address that is not public.",
  },
  CALLBACK_ADDRESS_NOT_PUBLIC: {
    status: 400,
    message: "{host}不是公网地址",
    english: "{host} is not a public address.",
  },
  CALLBACK_ON_THIS_MACHINE: {
    status: 400,
    message:
      "{host}不是公网地址: 请运行portico listen --forward转发事件, 或改用SOCKET订阅; 测试环境也可设置webhook.allowLoopback为true",
    english:
      "{host} is not a public address, but a machine's own: have `portico listen --forward` bring the events there, or subscribe by socket; in a test environment webhook.allowLoopback=true allows it.",
  },
  CALLBACK_LOOKUP_TIMED_OUT: {
    status: 503,
    message: "域名{host}的解析超过{timeoutMs}毫秒仍未完成,请稍后再试",
    english: "The host {host} was not resolved within {timeoutMs} ms.",
  },
  CALLBACK_LOOKUPS_BUSY: {
    status: 503,
    message: "等待解析的域名过多,{host}的解析未能开始,请稍后再试",
    english: "Too many hosts are waiting to be resolved, so {host} was not looked up.",
  },
  VERIFICATIONS_TOO_MANY: {
    status: 429,
    message: "同时进行的验证过多,请稍后再试",
    english: "Too many verifications are under way for this application.",
  },
  TRIGGER_IN_PRODUCTION: {
    status: 403,
    message: "只有测试环境可以触发示例事件",
    english: "Events can be triggered in the test environment only.",
  },
  TRIGGER_HAS_NO_RECEIVER: {
    status: 409,
    message: "应用未处于ACTIVE状态、没有该事件的Scope,或没有该事件类型的生效订阅,不能触发",
    english:
      "The application is not ACTIVE, does not hold the event's scope, or has no ACTIVE subscription to this type of event.",
  },
  TRIGGERS_TOO_MANY: {
    status: 429,
    message: "触发过于频繁,请稍后再试",
    english: "Too many events were triggered for this application.",
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    message: "投递记录不存在",
    english: "The application has no delivery of this event.",
  },
  DELIVERY_DROPPED: {
    status: 409,
    message: "事件产生或投递时没有生效的订阅,已被丢弃,不能重新投递",
    english: "The event was dropped, for no subscription was ACTIVE, and cannot be delivered again.",
  },
  DELIVERY_HAS_NO_RECEIVER: {
    status: 409,
    message: "应用未处于ACTIVE状态,或没有该事件类型的生效订阅,暂不能重新投递",
    english: "The application is not ACTIVE, or has no ACTIVE subscription to this type of event.",
  },
  REDELIVERY_AMBIGUOUS: {
    status: 400,
    message: "eventIds不能与from、to、status、eventType同时使用",
    english: "Name the deliveries either by eventIds or by from, to, status and eventType, not by both.",
  },
  REDELIVERY_UNSPECIFIED: {
    status: 400,
    message: "eventIds或from不能为空",
    english: "Either eventIds or from is needed.",
  },
  REDELIVERIES_TOO_MANY: {
    status: 429,
    message: "进行中的重新投递任务过多,请等待其完成或取消",
    english: "Too many redelivery jobs are running.",
  },
  REDELIVERY_JOB_NOT_FOUND: {
    status: 404,
    message: "重新投递任务不存在",
    english: "The application has no such redelivery job.",
  },
  REDELIVERY_JOB_DONE: {
    status: 409,
    message: "重新投递任务已完成",
    english: "The redelivery job is done and cannot be cancelled.",
  },
} as const satisfies Record<string, ConsoleMessage>;
