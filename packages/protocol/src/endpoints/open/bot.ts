import {
  AppListSchema,
  InstallationListSchema,
  InstallationPagesQuerySchema,
  RecalledSchema,
  SendMessageBodySchema,
  SentMessageSchema,
  UpdateCardBodySchema,
  UploadedFileSchema,
} from "../../schemas/bot.ts";
import { CARD_CONTENT, CARD_RULES, MESSAGE_CONTENT } from "../error-sets.ts";
import type { OpenEndpoint } from "./access.ts";

/** The calls of a bot (docs/contract/messages.md, docs/contract/cards.md). */
export const BOT_ENDPOINTS = {
  sendMessage: {
    method: "POST",
    path: "/api/open/v2/bot/messages",
    summary: "Send a message to a conversation the bot is installed in",
    access: { scope: "bot.message.send" },
    body: SendMessageBodySchema,
    value: SentMessageSchema,
    errors: [...MESSAGE_CONTENT, ...CARD_CONTENT, "BOT_NOT_INSTALLED"],
  },
  replyMessage: {
    method: "POST",
    path: "/api/open/v2/bot/messages/:messageId/reply",
    summary: "Reply to a message that was delivered to the bot",
    access: { scope: "bot.message.reply" },
    body: SendMessageBodySchema,
    value: SentMessageSchema,
    errors: [
      ...MESSAGE_CONTENT,
      ...CARD_CONTENT,
      "MESSAGE_NOT_DELIVERED",
      "REPLY_TARGET_MISMATCH",
      "BOT_NOT_INSTALLED",
    ],
  },
  updateCard: {
    method: "PUT",
    path: "/api/open/v2/bot/messages/:messageId/card",
    summary: "Replace a card that the bot sent",
    access: { scope: "bot.message.send" },
    body: UpdateCardBodySchema,
    value: SentMessageSchema,
    errors: [...CARD_RULES, "MESSAGE_NOT_DELIVERED", "NOT_A_CARD_MESSAGE", "FILE_UNUSABLE", "CARD_IMAGE_NOT_A_PICTURE"],
  },
  recallCard: {
    method: "DELETE",
    path: "/api/open/v2/bot/messages/:messageId/card",
    summary: "Recall a card that the bot sent",
    access: { scope: "bot.message.send" },
    value: RecalledSchema,
    errors: ["MESSAGE_NOT_DELIVERED", "NOT_A_CARD_MESSAGE"],
  },
  uploadFile: {
    method: "POST",
    path: "/api/open/v2/bot/files",
    summary: "Upload a file to send",
    access: { scope: "bot.message.send" },
    takesFile: true,
    value: UploadedFileSchema,
    errors: [],
  },
  listInstallations: {
    method: "GET",
    path: "/api/open/v2/bot/installations",
    summary: "List the conversations the bot is or was installed in, all of them or in pages",
    access: { scope: "bot.installation.read" },
    query: InstallationPagesQuerySchema,
    value: InstallationListSchema,
    errors: ["CURSOR_INVALID"],
  },
  listApps: {
    method: "GET",
    path: "/api/open/v2/bot/apps",
    summary: "Show the calling application",
    access: { scope: "bot.installation.read" },
    value: AppListSchema,
    errors: [],
  },
} as const satisfies Record<string, OpenEndpoint>;
