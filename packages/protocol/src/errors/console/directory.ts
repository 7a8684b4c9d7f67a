import type { ConsoleMessage } from "./message.ts";

/** Errors of tenants, developers, members and groups. */
export const DIRECTORY_ERRORS = {
  TENANT_NOT_FOUND: { status: 404, message: "租户不存在", english: "There is no such tenant." },
  TENANT_ID_TAKEN: { status: 409, message: "tenantId已存在", english: "A tenant has this tenantId already." },
  SCIM_TOKEN_NOT_FOUND: { status: 404, message: "SCIM令牌不存在", english: "The tenant has no such SCIM token." },
  SCIM_TOKENS_TOO_MANY: {
    status: 409,
    message: "SCIM令牌不能超过{max}个",
    english: "A tenant may have at most {max} SCIM tokens.",
  },
  DEVELOPER_NOT_FOUND: { status: 404, message: "开发者不存在", english: "There is no such developer." },
  DEVELOPER_PHONE_TAKEN: {
    status: 409,
    message: "该渠道下手机号已存在",
    english: "A developer of this channel has this phone number already.",
  },
  DEVELOPER_TENANT_UNKNOWN: {
    status: 400,
    message: "租户不存在: {tenantId}",
    english: "There is no tenant {tenantId}.",
  },
  CANNOT_DISABLE_SELF: { status: 403, message: "不能停用自己", english: "Operators cannot disable themselves." },
  CANNOT_DEMOTE_SELF: {
    status: 403,
    message: "不能取消自己的运营权限",
    english: "Operators cannot give up their own rights as operators.",
  },
  CANNOT_SET_OWN_PASSWORD: {
    status: 403,
    message: "不能在此重置自己的密码,请使用当前密码修改",
    english: "Operators change their own password with the present one (PUT me/password).",
  },
  CANNOT_RESET_OWN_SECOND_FACTOR: {
    status: 403,
    message: "不能重置自己的二次验证",
    english: "Operators cannot reset their own second factor.",
  },
  USERNAME_TAKEN: {
    status: 409,
    message: "用户名已存在",
    english: "A member of the tenant has this username already.",
  },
  USERNAME_TAKEN_IN_OTHER_CASE: {
    status: 409,
    message: "用户名与已有的{username}仅大小写不同",
    english: "A member of the tenant has the username {username}, which differs in its case alone.",
  },
  USERNAME_OR_USER_ID_TAKEN: {
    status: 409,
    message: "用户名或userId已存在",
    english: "A member has this username or this userId already.",
  },
  IDENTITY_NOT_FOUND: {
    status: 404,
    message: "未关联该身份",
    english: "There is no such identity linked to the account.",
  },
  IDENTITY_IS_ONLY_WAY_IN: {
    status: 409,
    message: "没有密码,不能解除关联",
    english: "Without a password, nobody could sign in to the account any more.",
  },
  MEMBER_NOT_ERASED: { status: 404, message: "成员数据未被清除", english: "The member has not been erased." },
  GROUP_NOT_FOUND: { status: 404, message: "群组不存在", english: "There is no such group in the tenant." },
  GROUP_ID_TAKEN: { status: 409, message: "groupId已存在", english: "A group has this groupId already." },
  GROUP_MEMBER_NOT_FOUND: { status: 404, message: "成员不在群组中", english: "The member is not in the group." },
  GROUP_ACCOUNT_UNKNOWN: {
    status: 400,
    message: "成员不存在: {account}",
    english: "The tenant has no member {account}.",
  },
  GROUP_MEMBERS_TOO_MANY: {
    status: 400,
    message: "群组成员不能超过{max}人",
    english: "A group may have at most {max} members.",
  },
} as const satisfies Record<string, ConsoleMessage>;
