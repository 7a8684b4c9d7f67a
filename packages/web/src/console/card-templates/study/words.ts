import { defineWords, type KeysOf } from "../../../shared/words/words.ts";
import type { SyntaxReason } from "./syntax-fault.ts";

/** What is wrong with a card's text. */
export const PROBLEMS = defineWords("card-problems", {
  "en-US": {
    notJson: "This is not valid JSON.",
    reasonEmpty: "Begin with an example, or write a card.",
    reasonUnfinished: "The text ends too early: a bracket, a brace or a quotation mark is not closed.",
    reasonTrailingComma: "Remove the comma: nothing follows it.",
    reasonMissingComma: "Put a comma between these two.",
    reasonSingleQuotes: 'Use double quotation marks: "text".',
    reasonComment: "JSON has no comments: remove it.",
    reasonString: 'Write line breaks in a text as \\n, a quotation mark as \\", a backslash as \\\\.',
    reasonUnexpected: "This is not expected here.",
  },
  "zh-CN": {
    notJson: "JSON 格式不正确。",
    reasonEmpty: "可从示例开始，或直接编写卡片。",
    reasonUnfinished: "内容不完整：有括号或引号没有闭合。",
    reasonTrailingComma: "请删除这个逗号，后面已没有内容。",
    reasonMissingComma: "两项之间缺少逗号。",
    reasonSingleQuotes: "请使用英文双引号。",
    reasonComment: "JSON 不支持注释，请删除。",
    reasonString: '文本中的换行请写作 \\n，引号写作 \\"，反斜杠写作 \\\\。',
    reasonUnexpected: "此处不应出现该内容。",
  },
});

type Key = KeysOf<typeof PROBLEMS>;

/** What to do about each way of not being JSON. */
export const REASONS: Readonly<Record<SyntaxReason, Key>> = {
  empty: "reasonEmpty",
  unfinished: "reasonUnfinished",
  "trailing-comma": "reasonTrailingComma",
  "missing-comma": "reasonMissingComma",
  "single-quotes": "reasonSingleQuotes",
  comment: "reasonComment",
  string: "reasonString",
  unexpected: "reasonUnexpected",
};
