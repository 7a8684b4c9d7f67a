import { TABLE_COLUMN_SUGGESTION } from "@portico/protocol/cards";
import type { CallCheck, CallRefusal } from "@portico/protocol/schemas";
import { TABLE_COLUMN_IN_CHINESE } from "../../../shared/cards/table-column-advice.ts";
import { CARD_ADVICE, FACT_ADVICE, FORM_ADVICE, RULE_ADVICE } from "./rule-advice.ts";
import { schemaAdvice } from "./schema-advice.ts";

type DetailsOf<Check extends CallCheck> = Extract<CallRefusal, { check: Check }>["details"];

/** A difference of clocks that is near a multiple of half an hour, up to this, is one of time zones. */
const LARGEST_ZONE_MS = 15 * 3_600_000;
const ZONE_STEP_MS = 1_800_000;

/** What to do about a refused call, in Chinese, the most likely first; the service itself says it in English. */
export function adviceInChinese(refusal: CallRefusal): string[] {
  switch (refusal.check) {
    case "connection":
      return ["请检查调用方的网络与超时设置：连接可能被提前断开，或请求体发送过慢。"];
    case "body-size":
      return [`请求体最多 ${refusal.details.maxBytes} 字节，请减小后重试。`];
    case "pace":
      return ["请检查调用方的网络以及读取文件的速度，然后重新上传。"];
    case "headers":
      return [headerAdvice(refusal.details)];
    case "timestamp":
      return timestampAdvice(refusal.details);
    case "application":
      return ["请与控制台逐字核对 X-Open-App-Id。"];
    case "app-state":
      return ["请先提交审核，或联系管理员了解停用原因。"];
    case "credential":
      return [CREDENTIAL_ADVICE[refusal.details.problem]];
    case "signature":
      return signatureAdvice(refusal.details);
    case "nonce":
      return [
        "每次调用（包括重试）都要使用新的随机串，并重新生成时间戳与签名。",
        "验签通过后才被拒绝的调用，也已用掉它的随机串。",
      ];
    case "quota":
      return [QUOTA_ADVICE[refusal.details.exceeded]];
    case "scope":
      return [`请在控制台申请权限 ${refusal.details.scope}，审核通过后生效。`];
    case "accept":
      return ["响应为 JSON：请不要发送 Accept，或让它包含 application/json。"];
    case "content-type":
      return [`请发送 Content-Type: ${refusal.details.expected}，并重新签名。`];
    case "schema":
      return [schemaAdvice(refusal.details), "改正后请使用新的随机串，重新签名发送。"];
    case "form":
      return [FORM_ADVICE[refusal.details.problem]];
    case "card":
      return [`位置 ${refusal.details.pointer || "（卡片本身）"}：${cardAdvice(refusal.details)}`];
    case "business":
      return businessAdvice(refusal.details);
    case "rehearsal":
      return ["这是应用所有者在演练的故障；它会自行结束，也可在控制台“概览”中结束。"];
    case "capacity":
      return ["与应用配额无关。请按 Retry-After 等待后，使用新的随机串、时间戳和签名重试。"];
    case "internal":
      return ["请退避重试；若持续出现，请将请求编号提供给管理员。"];
  }
}

function cardAdvice({ rule, suggestion }: DetailsOf<"card">): string {
  return suggestion === TABLE_COLUMN_SUGGESTION ? TABLE_COLUMN_IN_CHINESE : CARD_ADVICE[rule];
}

const QUOTA_ADVICE = {
  minute: "请把调用分散到整分钟：X-RateLimit-Remaining 为剩余次数，Retry-After 为需等待的秒数。",
  day: "当日调用已用完，UTC 零点重新计算；需要更高配额请联系管理员。",
  bytes: "应用一小时内的存储量已达上限，用量会逐渐恢复。",
  concurrent: "同时进行的调用过多，请等待响应后再发送。",
};

const CREDENTIAL_ADVICE = {
  unknown: "请与控制台核对 X-Open-Credential-Id；其他应用或其他环境的凭证无效。",
  expired: "凭证已轮换且宽限期已过，请换用新凭证。",
};

function headerAdvice({ header, problem, maxLength }: DetailsOf<"headers">): string {
  if (problem === "too-long") return `${header} 最多 ${maxLength} 个字符。`;
  return `请发送 ${header} 并填写内容；中间的代理可能将其移除。`;
}

function timestampAdvice({ received, clockSkewMs, serverTime, windowMs }: DetailsOf<"timestamp">): string[] {
  if (clockSkewMs === null) return ["X-Open-Timestamp 应为毫秒时间戳，只含数字。"];
  if (Math.abs(Number(received) * 1_000 - serverTime) <= windowMs) return ["时间戳以秒为单位发送，应为毫秒。"];
  const size = Math.abs(clockSkewMs);
  const isZone = size < LARGEST_ZONE_MS && size % ZONE_STEP_MS <= windowMs;
  return [
    "请用 NTP 校准调用方的时钟。",
    ...(isZone ? ["相差约为整个时区：时间戳应从 UTC 的纪元开始计算。"] : []),
    ...(clockSkewMs < 0 ? ["排队等待的调用应在发送时签名，而不是在排队之前。"] : []),
  ];
}

/** Of a signature for which no usual mistake was found. */
function signatureAdvice({ contentType, lines, mistakes, received }: DetailsOf<"signature">): string[] {
  if (lines.length === 0) return ["查询串中的百分号之后不是有效的 UTF-8 编码，请把百分号写作 %25。"];
  if (mistakes === null) return ["该秒内被拒绝的签名过多，未逐一分析，请单独重试一次。"];
  const isHex = received.length === 64 && received.form !== "neither hex nor Base64";
  return [
    ...(isHex ? [] : ["签名应为 64 位小写十六进制。"]),
    ...(contentType?.toLowerCase().startsWith("multipart/")
      ? ["请先生成完整的 multipart 请求体，对其字节签名并原样发送；HTTP 客户端自行生成的分隔符会使签名失效。"]
      : []),
    "请逐行对比您的签名串与服务端的签名串。",
    "若八行完全一致，则是密钥不同：密钥仅在创建凭证时显示一次。",
  ];
}

function businessAdvice(details: DetailsOf<"business">): string[] {
  if (details === null) return ["调用格式正确，但所请求的操作无法完成，原因见上；重试不会成功。"];
  const { rule, pointer, facts } = details;
  return [...factAdvice(facts), ...RULE_ADVICE[rule], ...(pointer === null ? [] : [`问题位于请求体的 ${pointer}。`])];
}

/** Facts that say more than the rule's name. */
function factAdvice({ problem, installation, given, current, ...facts }: Readonly<Record<string, unknown>>): string[] {
  const known = typeof problem === "string" && Object.hasOwn(FACT_ADVICE, problem) ? FACT_ADVICE[problem] : undefined;
  if (known !== undefined) return [known];
  if (installation === "UNINSTALLED") return ["机器人曾安装在此会话，后被卸载。"];
  if (installation === "NONE") return ["机器人从未安装在此会话。"];
  if (current !== undefined) return [`卡片当前版本为 ${current}，请求的版本为 ${given}。`];
  if (typeof facts.msgType === "string") return [`该消息的类型为 ${facts.msgType}。`];
  if (typeof facts.mimeType === "string") return [`文件上传时的类型为 ${facts.mimeType}。`];
  return [];
}
