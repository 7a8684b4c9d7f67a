export type { AppInfo, Installation, InstallationsQuery, SentMessage } from "@portico/protocol";
export type { BotApi } from "./bot.ts";
export { PorticoClient, type PorticoClientOptions } from "./client.ts";
export { ApiRefusedError, TransportError } from "./errors.ts";
export type { ContentByType, MentionTarget, OutgoingMessage, SendMessageRequest, TextContent } from "./messages.ts";
