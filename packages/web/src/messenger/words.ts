import { defineWords } from "../shared/words/words.ts";

/** What the messenger says around its parts, and at its sign-in. */
export const MESSENGER = defineWords("messenger", {
  "en-US": {
    area: "Messenger",
    signInTitle: "Messenger",
    signInLead: "Talk with your groups and bots.",
    organisation: "Organisation",
    userName: "User name",
    password: "Password",
    signIn: "Sign in",
    needOrganisation: "Enter your organisation's id.",
    needUserName: "Enter your user name.",
    needPassword: "Enter your password.",
  },
  "zh-CN": {
    area: "消息",
    signInTitle: "消息",
    signInLead: "与群组和机器人对话。",
    organisation: "企业",
    userName: "用户名",
    password: "密码",
    signIn: "登录",
    needOrganisation: "请输入企业标识。",
    needUserName: "请输入用户名。",
    needPassword: "请输入密码。",
  },
});
