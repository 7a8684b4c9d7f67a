import { defineWords } from "../words/words.ts";

/** What the sign-in of members says. */
export const SIGN_IN = defineWords("sign-in", {
  "en-US": {
    organisation: "Organisation",
    userName: "User name",
    password: "Password",
    signIn: "Sign in",
    or: "or",
    withProvider: "Sign in with {{name}}",
    needOrganisation: "Enter your organisation's id.",
    needUserName: "Enter your user name.",
    needPassword: "Enter your password.",
  },
  "zh-CN": {
    organisation: "企业",
    userName: "用户名",
    password: "密码",
    signIn: "登录",
    or: "或",
    withProvider: "使用 {{name}} 登录",
    needOrganisation: "请输入企业标识。",
    needUserName: "请输入用户名。",
    needPassword: "请输入密码。",
  },
});
