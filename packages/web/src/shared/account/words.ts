import { defineWords } from "../words/words.ts";

/** A member's own account, in messenger and desk. */
export const ACCOUNT = defineWords("account", {
  "en-US": {
    security: "Security",
    changePassword: "Change password",
    changeLead: "Your sign-ins on other devices end at once.",
    currentPassword: "Current password",
    newPassword: "New password",
    newPasswordHint: "Long is better than complicated: four words that do not belong together will do.",
    needCurrent: "Enter your current password.",
    needNew: "Choose a longer password.",
    wasChanged: "Your password was changed.",
    signOutEverywhere: "Sign out everywhere",
    everywhereLead: "You are signed out on all devices at once, on this one too.",
  },
  "zh-CN": {
    security: "账号安全",
    changePassword: "修改密码",
    changeLead: "修改后，您在其他设备上的登录会立即结束。",
    currentPassword: "当前密码",
    newPassword: "新密码",
    newPasswordHint: "越长越好，不必复杂：例如几个互不相关的词。",
    needCurrent: "请输入当前密码。",
    needNew: "密码过短，请输入更长的密码。",
    wasChanged: "密码已修改。",
    signOutEverywhere: "退出全部登录",
    everywhereLead: "所有设备上的登录会立即结束，包括当前设备。",
  },
});
