import { defineWords } from "../../shared/words/words.ts";

/** Where the developer is signed in. */
export const SESSIONS = defineWords("sessions", {
  "en-US": {
    lead: "Where you are signed in to the console. End what you do not know: it is signed out at once.",
    browser: "Browser",
    unknown: "Unknown",
    current: "This one",
    address: "Address",
    lastUsed: "Last used",
    begun: "Signed in",
    end: "End",
    endOthers: "Sign out everywhere else",
    endAll: "Sign out everywhere",
    endAllTitle: "Sign out everywhere?",
    endAllWhat: "All of these sign-ins end at once, this one too, and so do those of command-line tools.",
  },
  "zh-CN": {
    lead: "您在控制台的全部登录。发现陌生登录请立即结束，对方会马上退出。",
    browser: "浏览器",
    unknown: "未知",
    current: "当前",
    address: "来源地址",
    lastUsed: "最近使用",
    begun: "登录时间",
    end: "结束",
    endOthers: "退出其他登录",
    endAll: "退出全部登录",
    endAllTitle: "退出全部登录？",
    endAllWhat: "以上所有登录会立即结束，包括当前登录和命令行工具的登录。",
  },
});
