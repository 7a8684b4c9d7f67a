import { defineWords } from "../../../shared/words/words.ts";

/** The developers of all tenants. */
export const DEVELOPERS = defineWords("operator-developers", {
  "en-US": {
    lead: "Who signs in to this console: developers of the tenants' applications, and the operators of the platform.",
    search: "Search by name or phone",
    newDeveloper: "New developer",
    editTitle: "Edit {{name}}",
    channel: "Channel",
    channelHint: "Phone numbers are unique within a channel of the messenger.",
    needChannel: "Enter a whole number.",
    tenantsHint: "Whose applications they may see and create.",
    operator: "Operator",
    operatesPlatform: "Operates the platform",
    secondFactor: "Second factor",
    resetFactor: "Reset second factor",
    resetFactorTitle: "Reset the second factor of {{name}}?",
    resetFactorWhat:
      "Every sign-in of this account ends at once, and from then on its password alone signs in. Make sure that it is really its owner who asks you.",
    operatorHint: "Operators see everything in this section and decide on reviews.",
  },
  "zh-CN": {
    lead: "可登录控制台的人员：各组织的应用开发者，以及平台运营人员。",
    search: "按姓名或手机号搜索",
    newDeveloper: "新建开发者",
    editTitle: "编辑“{{name}}”",
    channel: "渠道",
    channelHint: "同一渠道内手机号唯一。",
    needChannel: "请输入整数。",
    tenantsHint: "可查看并创建这些组织的应用。",
    operator: "运营",
    operatesPlatform: "平台运营人员",
    secondFactor: "二次验证",
    resetFactor: "重置二次验证",
    resetFactorTitle: "重置“{{name}}”的二次验证？",
    resetFactorWhat: "该账号的所有登录会立即结束，之后仅凭密码即可登录。请先确认提出请求的确为本人。",
    operatorHint: "运营人员可使用“平台运营”的全部功能并处理审核。",
  },
});
