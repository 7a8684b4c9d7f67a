/** An error of the console API, with its own status and no six-digit code. */
export interface ConsoleMessage {
  status: 400 | 401 | 403 | 404 | 409 | 429 | 503;
  /** The message; a name in braces stands for a value. */
  message: string;
  /** The message in English, with the same names or fewer. */
  english: string;
}

/**
 * The errors of the console API, including operators' calls, in addition to those of all APIs. The name of a row is the
 * `errorCode` of the answer, and is stable.
 */
export const CONSOLE_ERRORS = {
  // Access
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

  // Applications
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

  // Review and scopes
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

  // Installations
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

  // Subscriptions and deliveries
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
    english: "Too many verifications are under way for this developer.",
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

  // Card templates
  TEMPLATE_NOT_FOUND: { status: 404, message: "卡片模板不存在", english: "The application has no such card template." },
  TEMPLATE_VERSION_NOT_FOUND: {
    status: 404,
    message: "卡片模板版本不存在",
    english: "The card template has no such version.",
  },
  ONLY_BOTS_HAVE_TEMPLATES: {
    status: 409,
    message: "只有BOT类型的应用可以创建卡片模板",
    english: "Only applications of type BOT can have card templates.",
  },
  TEMPLATES_TOO_MANY: {
    status: 409,
    message: "卡片模板不能超过{max}个",
    english: "An application may have at most {max} card templates.",
  },
  TEMPLATE_CHANGED: {
    status: 409,
    message: "卡片模板已被修改,当前版本为{version}",
    english: "The card template has been changed meanwhile; its version is now {version}.",
  },
  TEMPLATE_VERSIONS_USED_UP: {
    status: 409,
    message: "卡片模板的版本号已用尽",
    english: "The card template has no version numbers left.",
  },

  // Customer service
  AGENTS_NOT_FOR_APP: {
    status: 409,
    message: "只有CUSTOMER_SERVICE类型的应用有客服",
    english: "Only applications of type CUSTOMER_SERVICE have agents.",
  },
  VISITORS_NOT_FOR_APP: {
    status: 409,
    message: "只有CUSTOMER_SERVICE类型的应用有访客",
    english: "Only applications of type CUSTOMER_SERVICE have visitors.",
  },
  APP_AGENT_NOT_FOUND: { status: 404, message: "客服不存在", english: "The application has no such agent." },
  AGENTS_TOO_MANY: {
    status: 409,
    message: "客服不能超过{max}个",
    english: "An application may have at most {max} agents.",
  },
  APP_VISITOR_NOT_FOUND: { status: 404, message: "访客不存在", english: "The application has no such visitor." },

  // Tenants, people and groups
  TENANT_NOT_FOUND: { status: 404, message: "租户不存在", english: "There is no such tenant." },
  TENANT_ID_TAKEN: { status: 409, message: "tenantId已存在", english: "A tenant has this tenantId already." },
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
  USERNAME_TAKEN: {
    status: 409,
    message: "用户名已存在",
    english: "A member of the tenant has this username already.",
  },
  USERNAME_OR_USER_ID_TAKEN: {
    status: 409,
    message: "用户名或userId已存在",
    english: "A member has this username or this userId already.",
  },
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
