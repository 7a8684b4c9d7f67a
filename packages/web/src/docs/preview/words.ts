import { defineWords } from "../../shared/words/words.ts";

/** What the preview of a card says around it. */
export const PREVIEW = defineWords("card-preview", {
  "en-US": {
    title: "Card preview",
    lead: "The card in this page's address, drawn as members see it. The address keeps it to itself: no server gets it.",
    card: "Card",
    botIsTold: "What the bot is told",
    check: "Check",
    accepted: "The service accepts this card.",
    acceptedButKeys:
      "The service accepts this card if its fileKeys are valid. Pictures by fileKey are shown once it has been sent.",
    refused_one: "The service would refuse this card: there is one thing to mend.",
    refused_other: "The service would refuse this card: there are {{count}} things to mend.",
    wholeCard: "The whole card",
    noCard: "No card is in the address",
    noCardDo: "This command makes a link to a card:",
    tooLong: "The address is too long for a card.",
    tooLarge: "What the address holds is far larger than a card may be.",
    brokenLink: "The address is damaged: a part of it is missing or was changed when it was copied.",
    notJson: "The address holds no JSON, so there is no card to draw.",
    again: "Copy the whole address once more, or make a new one:",
  },
  "zh-CN": {
    title: "卡片预览",
    lead: "按成员看到的样子绘制本页地址中的卡片。卡片只留在地址里，不会发给任何服务器。",
    card: "卡片",
    botIsTold: "机器人收到的内容",
    check: "检查",
    accepted: "服务会接受这张卡片。",
    acceptedButKeys: "只要 fileKey 有效，服务就会接受这张卡片。通过 fileKey 引用的图片在发送后才会显示。",
    refused_one: "服务会拒绝这张卡片，有 1 处需要修改。",
    refused_other: "服务会拒绝这张卡片，有 {{count}} 处需要修改。",
    wholeCard: "整张卡片",
    noCard: "地址中没有卡片",
    noCardDo: "用以下命令生成卡片链接：",
    tooLong: "地址过长，不是卡片链接。",
    tooLarge: "地址中的内容远超卡片的大小上限。",
    brokenLink: "地址已损坏：复制时缺少了一部分或发生了改动。",
    notJson: "地址中的内容不是 JSON，没有可绘制的卡片。",
    again: "请重新复制完整地址，或重新生成：",
  },
});
