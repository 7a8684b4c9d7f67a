import type { Locale } from "../common/messages.ts";

/** What the loader itself says, on the page of the site. */
export const WORDS = {
  "en-US": {
    open: "Chat with us",
    frame: "Chat",
    unread: (count: number) => (count === 1 ? "1 unread message" : `${count} unread messages`),
    slow: "The chat does not answer yet. It opens as soon as it does.",
    unreachable: "The chat cannot be reached at the moment. Please try again later.",
    close: "Close",
  },
  "zh-CN": {
    open: "联系客服",
    frame: "在线客服",
    unread: (count: number) => `${count} 条未读消息`,
    slow: "客服暂无响应，连接成功后会自动打开。",
    unreachable: "暂时无法连接客服，请稍后再试。",
    close: "关闭",
  },
} satisfies Record<Locale, object>;
