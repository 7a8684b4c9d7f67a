import type { OperationName } from "../../shared/calls/snippets/snippet-call.ts";
import type { Locale } from "../../shared/look/preferences.ts";
import { endpointOf } from "./built-call.ts";

/** What each call does, in Chinese; its description says it in English. */
const SUMMARIES_ZH: Readonly<Record<OperationName, string>> = {
  sendMessage: "向已安装机器人的会话发送消息",
  replyMessage: "回复推送给机器人的消息",
  updateCard: "更新机器人发送的卡片",
  recallCard: "撤回机器人发送的卡片",
  uploadFile: "上传待发送的文件",
  listInstallations: "查询机器人的安装记录，可分页",
  listApps: "查询当前应用",
  authVisitor: "将您的用户登记为访客，并获取网页组件的令牌",
  getVisitor: "查询访客资料",
  sendVisitorMessage: "以访客身份发送消息",
  listVisitorMessages: "查询访客的消息",
  sendAgentMessage: "以坐席身份发送消息",
  createSession: "为访客创建会话",
  closeSession: "关闭会话",
  getSession: "查询会话",
  assignAgent: "为会话分配坐席",
  getAgentStatus: "查询坐席是否在线",
  openMiniappSession: "用小程序登录码换取会话",
};

/** What the fields of the calls are for, by the English of their description. */
const HINTS_ZH: Readonly<Record<string, string>> = {
  "Idempotency key": "幂等键",
  "Optimistic lock: the version that the card must have, else 500000; left out, it is overwritten":
    "乐观锁：卡片当前应有的版本，不符时返回 500000；不填则直接覆盖",
  "Asks for pages of so many": "每页条数，填写后分页返回",
  "The nextCursor of the page before; left out for the first": "上一页返回的 nextCursor，第一页不填",
  "At most 8 KiB of JSON": "不超过 8 KiB 的 JSON",
  "The calling application": "发起调用的应用",
  "A text for text, {fileKey, width, height} for image, {fileKey} for file":
    "text 填文本，image 填 {fileKey, width, height}，file 填 {fileKey}",
  "One of text, image, file": "text、image、file 之一",
  "A session's id: a number, or its digits": "会话编号：数字，或由数字组成的文本",
  "Only the messages of this session": "仅返回此会话的消息",
  "Only the messages after this one": "仅返回此消息之后的消息",
  "An agent's account": "坐席账号",
  "An agent's account; left out: whoever is free": "坐席账号；不填则分配给空闲坐席",
  "What the member's messenger gave the mini-program": "成员客户端交给小程序的登录码",
};

/** What a call does, in a sentence without its full stop. */
export function summaryIn(locale: Locale, operation: OperationName): string {
  return locale === "zh-CN" ? SUMMARIES_ZH[operation] : endpointOf(operation).summary;
}

/** What a field is for; a description without a translation stays as it is, which a test forbids. */
export function hintIn(locale: Locale, description: string | undefined): string | undefined {
  if (locale === "en-US" || description === undefined) return description;
  return Object.hasOwn(HINTS_ZH, description) ? HINTS_ZH[description] : description;
}
