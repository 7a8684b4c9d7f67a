import type { DropReason } from "@portico/protocol/errors";
import { defineWords, type KeysOf } from "../../shared/words/words.ts";
import type { Delivery } from "./delivery-queries.ts";

/** What to do about a delivery that has not arrived. */
export const DELIVERY_ADVICE = defineWords("delivery-advice", {
  "en-US": {
    dns: "The receiver's name does not resolve. Look at its DNS records.",
    private: "The receiver's name leads to an address that is not public; only public ones are called.",
    address: "The address may not be called. Change it to a public https address.",
    connect: "The receiver takes no connection. Look whether it runs, and at its firewall.",
    tls: "The TLS handshake failed. The certificate has to be valid for the name, with its whole chain.",
    reset: "The receiver closed the connection before it had answered. Look at its log and its proxies.",
    slow: "The receiver took longer than 8 seconds. Have it answer 2xx at once, and work afterwards.",
    bad: "What came is not valid HTTP/1.1; the attempt says why. Look whether the port is that of the https server, and at proxies before it.",
    network: "Look at the receiver's log and network.",
    nack: "The bot refused the event. Its log tells why.",
    unacknowledged: "The bot did not acknowledge the event in time. Acknowledge at once, and work afterwards.",
    ends: "Three connections in a row ended before the event was answered. Look whether it stops the bot.",
    unconnected: "No connection was open for too long. Start the bot.",
    malformed: "The receiver took the event for malformed. Look at what its handler expects.",
    signature:
      "The receiver did not accept the signature. Verify with the newest secret, over the raw body; until it has that, have it answer 425.",
    path: "The receiver takes no POST at this path. Change the address of the subscription.",
    later: "The receiver could not verify the signature or the time. Deploy the newest secret, and look at its clock.",
    large: "The receiver takes no body so large. Raise its limit.",
    redirect: "Redirects are not followed. Subscribe with the address that it leads to.",
    other: "Have the receiver answer 2xx; its log tells why it did not.",
    retried: "It is tried again by itself.",
    final: "Such an answer is final: it is not tried again by itself. Once that is mended, redeliver it.",
    exhausted: "All retries are used up. Once that is mended, redeliver it.",
    dropped: "Nobody was subscribed when it happened or came due. What is dropped is never sent.",
    unsubscribed:
      "The application had no subscription for this event when it happened or came due. Subscribe for those to come; what is dropped is never sent.",
    paused:
      "The subscription was not ACTIVE when it happened or came due. Activate it for those to come; what is dropped is never sent.",
    disabled:
      "The application was no longer ACTIVE when it came due. Have it enabled for those to come; what is dropped is never sent.",
  },
  "zh-CN": {
    dns: "接收端域名无法解析，请检查 DNS 记录。",
    private: "接收端域名解析到非公网地址；只会请求公网地址。",
    address: "该地址不可请求，请改为公网 https 地址。",
    connect: "无法连接接收端，请检查其是否运行以及防火墙设置。",
    tls: "TLS 握手失败：证书须与域名匹配、在有效期内，且证书链完整。",
    reset: "接收端在响应之前断开了连接，请查看其日志与代理。",
    slow: "接收端超过 8 秒未响应。请先立即返回 2xx，再处理业务。",
    bad: "收到的不是有效的 HTTP/1.1，原因见该次推送。请确认端口属于 https 服务，并检查其前面的代理。",
    network: "请查看接收端的日志与网络。",
    nack: "机器人拒收了该事件，原因见其日志。",
    unacknowledged: "机器人未及时确认。请先立即确认，再处理业务。",
    ends: "连续三次在应答之前断开连接，请检查该事件是否导致机器人退出。",
    unconnected: "长时间没有连接，请启动机器人。",
    malformed: "接收端认为事件格式有误，请核对其处理程序的要求。",
    signature: "接收端未通过验签。请用最新密钥对原始请求体验签；在更换密钥之前，请让它返回 425。",
    path: "接收端在此路径不接受 POST，请修改订阅地址。",
    later: "接收端无法验证签名或时间，请部署最新密钥并校准时钟。",
    large: "接收端不接受这么大的请求体，请放宽限制。",
    redirect: "不跟随重定向，请直接订阅目标地址。",
    other: "请让接收端返回 2xx；原因见其日志。",
    retried: "稍后会自动重试。",
    final: "这类响应不会自动重试；修复后请重新推送。",
    exhausted: "重试已用尽；修复后请重新推送。",
    dropped: "事件发生或到期时没有有效订阅；已丢弃的事件不会补发。",
    unsubscribed: "事件发生或到期时，应用没有订阅这类事件。请订阅，以便接收之后的事件；已丢弃的不会补发。",
    paused: "事件发生或到期时，订阅未处于 ACTIVE。请启用，以便接收之后的事件；已丢弃的不会补发。",
    disabled: "事件到期时，应用已不是 ACTIVE。请恢复应用，以便接收之后的事件；已丢弃的不会补发。",
  },
});

type AdviceKey = KeysOf<typeof DELIVERY_ADVICE>;

/** What to do about a failure, by the reason that stands for it, longer beginnings first. */
const BY_REASON: readonly (readonly [beginning: string, key: AdviceKey])[] = [
  ["dns", "dns"],
  ["refused-address:private", "private"],
  ["refused-address", "address"],
  ["connect-timeout", "connect"],
  ["connection-refused", "connect"],
  ["unreachable", "connect"],
  ["tls", "tls"],
  ["connection-reset", "reset"],
  ["read-timeout", "slow"],
  ["bad-response", "bad"],
  ["nack", "nack"],
  ["ack-timeout", "unacknowledged"],
  ["connection-ended", "ends"],
  ["no-connection", "unconnected"],
];

const BY_DROP_REASON: Readonly<Record<string, AdviceKey>> = {
  "no-subscription": "unsubscribed",
  "subscription-inactive": "paused",
  "application-not-active": "disabled",
} satisfies Record<DropReason, AdviceKey>;

const BY_STATUS: Readonly<Record<number, AdviceKey>> = {
  400: "malformed",
  401: "signature",
  403: "signature",
  404: "path",
  405: "path",
  413: "large",
  425: "later",
};

/** What to do about a delivery, and what becomes of it by itself; nothing when it arrived or was not tried yet. */
export function adviceOf({ status, lastStatus, lastReason }: Delivery): AdviceKey[] {
  if (status === "DROPPED") return [BY_DROP_REASON[lastReason ?? ""] ?? "dropped"];
  if (status === "DELIVERED" || (lastStatus === null && lastReason === null)) return [];
  const follows = status === "FAILED" ? "final" : status === "EXHAUSTED" ? "exhausted" : "retried";
  return [causeOf(lastStatus, lastReason ?? ""), follows];
}

/** What to do about an attempt that got this answer, or for this reason none. */
export function causeOf(status: number | null, reason: string): AdviceKey {
  if (status === null) return BY_REASON.find(([beginning]) => reason.startsWith(beginning))?.[1] ?? "network";
  if (status >= 300 && status < 400) return "redirect";
  return BY_STATUS[status] ?? "other";
}
