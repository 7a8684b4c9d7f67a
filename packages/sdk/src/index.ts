export type {
  AgentState,
  AgentStatus,
  AgentStatusAnswer,
  AgentStatusEvent,
  AppInfo,
  AssignedSession,
  AuthenticatedVisitor,
  CardFinding,
  CardInteractionEvent,
  ClosedSession,
  CreatedSession,
  CustomerMessage,
  CustomerMessageEvent,
  CustomerMessageList,
  CustomerSession,
  CustomerSessionEvent,
  EventMember,
  EventType,
  Installation,
  InstallationPage,
  InstallationsQuery,
  Mention,
  MessageReceivedEvent,
  MiniappSession,
  SentCustomerMessage,
  SentMessage,
  SessionChange,
  UploadedFile,
  Visitor,
  VisitorInfo,
} from "@portico/protocol";
export { ApiRefusedError, TransportError } from "@portico/protocol/client";
export type { BotApi } from "./bot.ts";
export * from "./cards/index.ts";
export { PorticoClient, type PorticoClientOptions } from "./client.ts";
export type { CustomerApi } from "./customer.ts";
export type * from "./customer-requests.ts";
export type * from "./messages.ts";
export type { MiniappApi } from "./miniapp.ts";
export type { UploadOptions, UploadSource } from "./upload/read-source.ts";
export * from "./webhook/index.ts";
