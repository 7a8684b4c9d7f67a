import { type CardFinding, type CardRule, TABLE_COLUMN_SUGGESTION } from "@portico/protocol/cards";
import { englishOf } from "@portico/protocol/errors";
import type { Locale } from "../look/preferences.ts";
import { defineWords, type KeysOf, wordsNow } from "../words/words.ts";
import { TABLE_COLUMN_IN_CHINESE } from "./table-column-advice.ts";

/** What to do about a card that breaks a rule; English has longer advice, made for the very card. */
const RULES = defineWords("card-rules", {
  "en-US": {
    hintSchema: 'Write "schema": "2.0".',
    hintBody: 'Add "body": {"elements": [...]}.',
    hintElements: '"body.elements" is the list of components.',
    hintObject: 'A component is an object with a "tag".',
    hintTag: "Choose one of the tags that there are.",
    hintCount: "Split the card into several messages, or join texts.",
    hintLink: "Write the whole address, beginning with https://.",
    hintChildren: "Make it an array of components, or leave it out.",
    hintDepth: "Move these components further out.",
    hintSize: "Shorten texts, or split the card into several messages.",
    hintImage: 'Put an uploaded fileKey into "img_key", or an address into "img_url".',
  },
  "zh-CN": {
    hintSchema: '请写明 "schema": "2.0"。',
    hintBody: '请添加 "body": {"elements": [...]}。',
    hintElements: "body.elements 是组件列表，没有组件时写 []。",
    hintObject: "组件是带有 tag 的对象，文本请写成 markdown 组件。",
    hintTag: "请改用支持的组件；飞书卡片可先转换。",
    hintCount: "请拆成多条消息，或合并文本。",
    hintLink: "请填写以 https:// 开头的完整地址，没有地址时去掉该字段。",
    hintChildren: "请改为组件数组，或去掉该字段。",
    hintDepth: "请减少嵌套，把这些组件移到外层。",
    hintSize: "请精简文本，或拆成多条消息。",
    hintImage: "请在 img_key 中填写已上传文件的 fileKey，或在 img_url 中填写图片地址。",
  },
});

const HINTS: Readonly<Record<CardRule, KeysOf<typeof RULES>>> = {
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

/** A problem of a card in words: what is wrong, and what to do. */
export interface ProblemInWords {
  what: string;
  todo: string;
}

/**
 * Says in the person's language what rule a card breaks: the service says rules in Chinese, and `protocol` knows them in
 * English.
 */
export function findingInWords({ message, suggestion, rule }: CardFinding, locale: Locale): ProblemInWords {
  if (locale === "zh-CN") {
    const isColumn = suggestion === TABLE_COLUMN_SUGGESTION;
    return { what: message, todo: isColumn ? TABLE_COLUMN_IN_CHINESE : wordsNow(RULES)(HINTS[rule]) };
  }
  return { what: englishOf({ message, code: CARD_REFUSED }) ?? message, todo: suggestion };
}

/** The code of a card that breaks a rule (docs/contract/errors.md). */
const CARD_REFUSED = "400006";
