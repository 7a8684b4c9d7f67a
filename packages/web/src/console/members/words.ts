import { defineWords } from "../../shared/words/words.ts";

/** The choice of a member. */
export const MEMBERS = defineWords("members", {
  "en-US": {
    member: "Member",
    memberHint: "Search by name or account",
    none: "No member found who is left to choose",
    failed: "The members could not be loaded. Type again.",
  },
  "zh-CN": {
    member: "成员",
    memberHint: "按姓名或账号搜索",
    none: "没有可选的成员",
    failed: "成员加载失败，请重新输入",
  },
});
