import type { ApiMessage } from "./open.ts";

const kind = "QUOTA_EXCEEDED";

/** Errors of every API when the service has no capacity. */
export const CAPACITY_ERRORS = {
  BODIES_TOO_MANY: {
    kind,
    message: "同时接收的内容过多,请稍后重试",
    english: "The service is receiving too much at the moment.",
  },
  ANSWERS_TOO_MANY: {
    kind,
    message: "同时读取的内容过多,请稍后重试",
    english: "The service is giving out too many large answers at the moment.",
  },
  UPLOADS_TOO_MANY: {
    kind,
    message: "同时上传的文件过多,请稍后重试",
    english: "Too many files are being uploaded at the moment.",
  },
  DOWNLOADS_TOO_MANY: {
    kind,
    message: "同时下载的文件过多,请稍后重试",
    english: "Too many files are being downloaded at the moment.",
  },
  UNSENT_FILES_TOO_MANY: {
    kind,
    message: "未发送的文件过多,请稍后重试",
    english: "The uploader has too many files that no message has been sent with yet.",
  },
  LOGIN_FAILURES_TOO_MANY: {
    kind,
    message: "登录失败次数过多,请稍后再试",
    english: "Too many logins to this account have failed of late.",
  },
  LOGINS_TOO_MANY: {
    kind,
    message: "登录请求过多,请稍后再试",
    english: "There are too many logins at the moment.",
  },
  MESSAGES_TOO_FREQUENT: {
    kind,
    message: "发送过于频繁,请稍后重试",
    english: "The sender sends too often.",
  },
  ANONYMOUS_VISITORS_TOO_MANY: {
    kind,
    message: "匿名访客过多,请稍后重试",
    english: "Too many visitors without a name have come from this address, or to this application.",
  },
  WIDGET_ASKED_TOO_OFTEN: {
    kind,
    message: "请求过于频繁,请稍后重试",
    english: "This address has asked too often how widgets look.",
  },
  STORED_TOO_MUCH: {
    kind,
    message: "存储的内容过多,请稍后重试",
    english: "The sender has stored too much in a short time.",
  },
  STREAMS_TOO_MANY: {
    kind,
    message: "同时打开的连接过多",
    english: "Too many streams are open at the moment, or were opened in a short time.",
  },
  DISK_FULL: {
    kind,
    message: "存储空间不足,请稍后重试",
    english: "The service has no disk space left for it.",
  },
} as const satisfies Record<string, ApiMessage>;
