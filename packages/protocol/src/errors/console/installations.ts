import type { ConsoleMessage } from "./message.ts";

/** Errors of installations. */
export const INSTALLATION_ERRORS = {
  MEMBER_NOT_FOUND: { status: 404, message: "成员不存在", english: "There is no such member in the tenant." },
  MEMBER_DISABLED: { status: 409, message: "成员已停用", english: "The member is disabled." },
  DEVELOPER_NOT_A_MEMBER: {
    status: 409,
    message: "租户中没有使用您手机号的成员",
    english: "No enabled member of the application's tenant has the developer's phone number.",
  },
  ONLY_BOTS_INSTALLED: {
    status: 409,
    message: "只有BOT类型的应用可以安装",
    english: "Only applications of type BOT can be installed.",
  },
  INSTALLED_APP_NOT_ACTIVE: {
    status: 409,
    message: "应用未启用,不能安装",
    english: "The application is not ACTIVE and cannot be installed.",
  },
  INSTALLATION_NOT_FOUND: { status: 404, message: "机器人未安装到该目标", english: "The bot is not installed there." },
  INSTALLATION_AMBIGUOUS: {
    status: 400,
    message: "username与targetType、targetId只能提供一种",
    english: "Name the installation either by username or by targetType and targetId, not by both.",
  },
} as const satisfies Record<string, ConsoleMessage>;
