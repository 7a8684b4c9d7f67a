import type { CardRule } from "@portico/protocol/cards";
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
    inexact: "The number {{source}} would be saved as another one.",
    inexactDo: "JSON numbers have about 15 digits: write it as text.",
    hintSchema: 'Write "schema": "2.0".',
    hintBody: 'Add "body": {"elements": [...]}.',
    hintElements: '"body.elements" is the list of components.',
    hintObject: 'A component is an object with a "tag".',
    hintTag: "Choose one of the tags that completion offers.",
    hintCount: "Split the card into several messages, or join texts.",
    hintLink: "Write the whole address, beginning with https://.",
    hintChildren: "Make it an array of components, or leave it out.",
    hintDepth: "Move these components further out.",
    hintSize: "Shorten texts, or split the card into several messages.",
    hintImage: 'Put an uploaded fileKey into "img_key", or an address into "img_url".',
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
    inexact: "数字 {{source}} 保存后会失真。",
    inexactDo: "JSON 数字约支持 15 位，请改为字符串。",
    hintSchema: '请写明 "schema": "2.0"。',
    hintBody: '请添加 "body": {"elements": [...]}。',
    hintElements: "body.elements 是组件列表，没有组件时写 []。",
    hintObject: "组件是带有 tag 的对象，文本请写成 markdown 组件。",
    hintTag: "请从补全列表中选择组件，或使用“转换”。",
    hintCount: "请拆成多条消息，或合并文本。",
    hintLink: "请填写以 https:// 开头的完整地址，没有地址时去掉该字段。",
    hintChildren: "请改为组件数组，或去掉该字段。",
    hintDepth: "请减少嵌套，把这些组件移到外层。",
    hintSize: "请精简文本，或拆成多条消息。",
    hintImage: "请在 img_key 中填写已上传文件的 fileKey，或在 img_url 中填写图片地址。",
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

/** What to do about each rule; English has longer advice, made for the very card. */
export const RULE_HINTS: Readonly<Record<CardRule, Key>> = {
  schema: "hintSchema",
  body: "hintBody",
  "body-elements": "hintElements",
  "component-object": "hintObject",
  "component-tag": "hintTag",
  "component-count": "hintCount",
  link: "hintLink",
  "child-array": "hintChildren",
  depth: "hintDepth",
  size: "hintSize",
  "image-key": "hintImage",
};
