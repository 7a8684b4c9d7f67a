import { defineWords } from "../../shared/words/words.ts";

/** What is around every list. */
export const LISTS = defineWords("lists", {
  "en-US": {
    actions: "Actions",
    pages: "Pages",
    shown: "{{from}} to {{to}} of {{total}}",
    previous: "Previous",
    next: "Next",
  },
  "zh-CN": {
    actions: "操作",
    pages: "分页",
    shown: "第 {{from}}–{{to}} 条，共 {{total}} 条",
    previous: "上一页",
    next: "下一页",
  },
});
