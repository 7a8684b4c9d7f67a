import type { CallRefusal } from "@portico/protocol/schemas";

type SchemaFault = Extract<CallRefusal, { check: "schema" }>["details"];

/** The service says what it expects in English. */
const EXPECTED: readonly (readonly [said: RegExp, chinese: string])[] = [
  [/^one of (.+)$/, "以下之一：$1"],
  [/^of type (\w+)$/, "$1 类型"],
  [/^an integer$/, "整数"],
  [/^an array$/, "数组"],
  [/^at least (\d+) characters long$/, "至少 $1 个字符"],
  [/^at most (\d+) characters long$/, "至多 $1 个字符"],
  [/^at least (-?\d+)$/, "不小于 $1 的数"],
  [/^at most (-?\d+)$/, "不大于 $1 的数"],
  [/^from (\d+) to (\d+)$/, "$1 至 $2 之间的整数"],
  [/^of at most (\d+) accounts$/, "至多 $1 个账号"],
  [/^of at most (\d+) bytes of JSON$/, "至多 $1 字节的 JSON"],
  [/^an account as text/, "账号文本，或 userId 为账号的对象"],
  [/^an object with either card or cardId/, "只含 card 或只含 cardId 的对象"],
  [/^the nextCursor of a page$/, "上一页的 nextCursor"],
  [/^more than blanks$/, "不能只有空白"],
];

/** Problems of the body as a whole. */
const BODY_ADVICE: Partial<Record<SchemaFault["problem"], string>> = {
  missing: "请求体为空，请发送 JSON 对象。",
  "not-utf8": "请求体不是 UTF-8，请先按 UTF-8 编码再签名。",
  "not-json": "请求体不是 JSON：请检查多余的逗号、非英文引号，或内容是否被截断。",
};

/** What to do about a body or a parameter that is not valid, in Chinese. */
export function schemaAdvice({ field, pointer, problem, expected }: SchemaFault): string {
  const due = expected === null ? "符合接口说明" : expectedInChinese(expected);
  if (pointer === "") return BODY_ADVICE[problem] ?? `请求体应为${due}。`;
  if (field === null) return "请改正响应消息中指出的内容。";
  const where = pointer ? `请求体中的 ${pointer} ` : `参数 ${field} `;
  if (problem === "missing") return `${where}缺失或为空，请填写。`;
  if (problem === "repeated") return `${where}重复出现，只能出现一次。`;
  if (problem === "characters") return `${where}含有不允许的字符，例如 NUL 或不成对的代理字符。`;
  return `${where}应为：${due}。`;
}

/** What a newer service may expect is in the description of its API. */
function expectedInChinese(expected: string): string {
  const known = EXPECTED.find(([said]) => said.test(expected));
  return known === undefined ? "接口说明中的取值" : expected.replace(known[0], known[1]);
}
