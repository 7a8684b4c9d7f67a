export type {
  AppInfo,
  CardFinding,
  CardInteractionEvent,
  EventMember,
  EventType,
  Installation,
  InstallationsQuery,
  Mention,
  MessageReceivedEvent,
  SentMessage,
  UploadedFile,
} from "@portico/protocol";
export type { BotApi } from "./bot.ts";
export * from "./cards/index.ts";
export { PorticoClient, type PorticoClientOptions } from "./client.ts";
export { ApiRefusedError, TransportError } from "./errors.ts";
export type * from "./messages.ts";
export type { UploadOptions, UploadSource } from "./upload/read-source.ts";
export * from "./webhook/index.ts";
