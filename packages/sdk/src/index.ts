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
export { RawJson } from "@portico/protocol/raw-json";
export type { SocketEvent, SocketHello } from "@portico/protocol/socket";
export type * from "./answers.ts";
export { Bot, type BotOptions, type BotWebhookOptions, createBot } from "./bot/bot.ts";
export type * from "./bot/contexts.ts";
export type { ErrorHandler, Listener, Middleware } from "./bot/listeners.ts";
export type { Logger } from "./bot/logger.ts";
export {
  type Arrival,
  createTestBot,
  type MadeUpEvent,
  type SentCall,
  TestBot,
  type TestBotOptions,
} from "./bot/test-bot.ts";
export type { BotApi } from "./bot-api.ts";
export * from "./cards/index.ts";
export { PorticoClient } from "./client.ts";
export type { PorticoClientOptions } from "./client-options.ts";
export type { CustomerApi } from "./customer.ts";
export type * from "./customer-requests.ts";
export type * from "./messages.ts";
export type { MiniappApi } from "./miniapp.ts";
export { createEventStream, type EventStreamSetup } from "./socket/create-event-stream.ts";
export type { EventAnswer, EventStream } from "./socket/event-stream.ts";
export type { StreamEnding } from "./socket/stream-ending.ts";
export type { UploadOptions, UploadSource } from "./upload/read-source.ts";
export * from "./webhook/index.ts";
