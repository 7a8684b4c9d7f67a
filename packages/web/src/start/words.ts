import { defineWords } from "../shared/words/words.ts";

/** What the start page says. */
export const START = defineWords("start", {
  "en-US": {
    title: "Portico",
    lead: "Bots, interactive cards, webhooks and customer service for your messenger, on your own machine.",
    console: "Developer console",
    consoleLead: "Make a bot, take its credentials, follow its calls and deliveries.",
    messenger: "Messenger",
    messengerLead: "Talk with groups and bots.",
    docs: "API reference",
    docsLead: "Every call with its shape and errors.",
  },
  "zh-CN": {
    title: "Portico",
    lead: "在自己的服务器上，为企业消息提供机器人、互动卡片、Webhook 与客服能力。",
    console: "开发者控制台",
    consoleLead: "创建机器人、获取凭证、追踪调用与投递。",
    messenger: "消息",
    messengerLead: "与群组和机器人对话。",
    docs: "API 参考",
    docsLead: "每个接口的参数、返回与错误。",
  },
});
