import { DELIVERY_FAILURES, DROP_REASONS } from "@portico/protocol/errors";
import { defineWords, type KeysOf, type Say } from "../../shared/words/words.ts";

/** Why an attempt got no answer, or an event was dropped, in a few words. */
export const REASONS = defineWords("delivery-reasons", {
  "en-US": {
    dns: "name not found",
    "refused-address:too-long": "address too long",
    "refused-address:malformed": "address malformed",
    "refused-address:not-https": "address not https",
    "refused-address:credentials-in-url": "user in address",
    "refused-address:private-address": "address not public",
    "connect-timeout": "no connection in time",
    "connection-refused": "connection refused",
    unreachable: "unreachable",
    tls: "TLS failed",
    "connection-reset": "connection closed",
    "read-timeout": "no answer in time",
    "bad-response": "no valid HTTP",
    network: "network error",
    nack: "refused by the bot",
    "ack-timeout": "not acknowledged in time",
    "connection-ended": "connections ended",
    "no-connection": "no connection",
    "application-not-active": "application not active",
    "no-subscription": "no subscription",
    "subscription-inactive": "subscription paused",
    unknown: "failed",
  },
  "zh-CN": {
    dns: "域名无法解析",
    "refused-address:too-long": "地址过长",
    "refused-address:malformed": "地址格式错误",
    "refused-address:not-https": "地址不是 https",
    "refused-address:credentials-in-url": "地址含用户名",
    "refused-address:private-address": "地址非公网",
    "connect-timeout": "连接超时",
    "connection-refused": "连接被拒绝",
    unreachable: "网络不可达",
    tls: "TLS 失败",
    "connection-reset": "连接被断开",
    "read-timeout": "响应超时",
    "bad-response": "不是有效的 HTTP",
    network: "网络错误",
    nack: "机器人拒收",
    "ack-timeout": "确认超时",
    "connection-ended": "连接多次中断",
    "no-connection": "没有连接",
    "application-not-active": "应用未启用",
    "no-subscription": "没有订阅",
    "subscription-inactive": "订阅已暂停",
    unknown: "失败",
  },
});

type ReasonKey = KeysOf<typeof REASONS>;

/** A reason in the person's language; a newer service may know of more. */
export function wordOfReason(reason: string | null, say: Say<ReasonKey>): string {
  const known = [...DELIVERY_FAILURES, ...DROP_REASONS].find((each) => each === reason);
  return known === undefined ? (reason ?? say("unknown")) : say(known);
}
