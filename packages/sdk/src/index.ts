export type { CardFinding } from "@portico/protocol/cards/find-card-problems";
export { ApiRefusedError, TransportError } from "@portico/protocol/client/errors";
export type {
  AgentState,
  AgentStatus,
  CustomerMessage,
  CustomerSession,
  SessionChange,
  Visitor,
} from "@portico/protocol/customer";
export type {
  AgentStatusEvent,
  CardInteractionEvent,
  CustomerMessageEvent,
  CustomerSessionEvent,
  EventMember,
  EventType,
  Mention,
  MessageReceivedEvent,
} from "@portico/protocol/events";
export type * from "./answers.ts";
export type { BotApi } from "./bot.ts";
export * from "./cards/index.ts";
export { PorticoClient, type PorticoClientOptions } from "./client.ts";
export type { CustomerApi } from "./customer.ts";
export type * from "./customer-requests.ts";
export type * from "./messages.ts";
export type { MiniappApi } from "./miniapp.ts";
export type { UploadOptions, UploadSource } from "./upload/read-source.ts";
export * from "./webhook/index.ts";
