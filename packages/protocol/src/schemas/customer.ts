import type { Static } from "typebox";
import * as Type from "typebox";
import { AGENT_STATUSES, CUSTOMER_MESSAGE_TYPES, CUSTOMER_SENDER_TYPES, SESSION_STATES } from "../customer.ts";
import { BOUNDS } from "../limits.ts";
import { nullable, pageQuery, time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** A visitor (docs/contract/customer-service.md#objects). */
export const VisitorSchema = Type.Object({
  visitorId: Type.String(),
  thirdUserId: Type.String({ description: "By which the integrator knows the visitor" }),
  nickname: Type.String(),
  avatar: Type.String(),
  phone: Type.String(),
  email: Type.String(),
  extra: Type.Unknown({ description: "The integrator's own object, numbers as they were written; null for none" }),
  status: Type.Union([Type.Literal(0), Type.Literal(1)], { description: "0: disabled" }),
  online: Type.Boolean({ description: "Whether a widget sent a heartbeat in the last 45 seconds" }),
  lastSeenAt: nullable(time()),
  createdAt: time(),
});

/** A session (docs/contract/customer-service.md#objects). */
export const CustomerSessionSchema = Type.Object({
  sessionId: Type.Integer(),
  visitorId: Type.String(),
  status: Type.Enum([...SESSION_STATES]),
  agentId: nullable(Type.String({ description: "The agent's account" })),
  agentName: nullable(Type.String()),
  source: Type.String(),
  subject: Type.String(),
  queuePosition: nullable(Type.Integer({ description: "From 1, while it is QUEUED" })),
  createdAt: time(),
  assignedAt: nullable(time()),
  firstReplyAt: nullable(time("When an agent first wrote in it")),
  closedAt: nullable(time()),
  closedBy: nullable(Type.String({ description: "An agent's account, the visitorId, or the appId" })),
  rating: nullable(Type.Integer()),
});

/** A message (docs/contract/customer-service.md#objects). */
export const CustomerMessageSchema = Type.Object({
  messageId: Type.Integer(),
  thirdMsgId: nullable(Type.String()),
  sessionId: Type.Integer(),
  visitorId: Type.String(),
  agentId: nullable(Type.String({ description: "The account of the agent who wrote it" })),
  senderType: Type.Enum([...CUSTOMER_SENDER_TYPES]),
  msgType: Type.Enum([...CUSTOMER_MESSAGE_TYPES]),
  content: Type.Unknown({ description: "A text for text, else an object with the file" }),
  seq: Type.Integer({ description: "Counts the visitor's messages from 1 without gaps" }),
  createdAt: time(),
});

const visitorId = plainText({ minLength: 1 });
const agentId = plainText({ minLength: 1, description: "An agent's account" });
/** Any value: one that is not a session's id is answered as an unknown session. */
const sessionId = Type.Unknown({ description: "A session's id: a number, or its digits" });
/** An optional text; null counts as missing. */
const optionalText = (maxLength: number) => Type.Optional(nullable(plainText({ maxLength })));

/** Body of `POST /api/open/v1/visitor/auth`. Members that are missing or null do not change. */
export const VisitorAuthBodySchema = Type.Object({
  thirdUserId: plainText({ minLength: 1, maxLength: BOUNDS.idLength }),
  nickname: optionalText(64),
  avatar: optionalText(2048),
  phone: optionalText(32),
  email: optionalText(254),
  extra: Type.Optional(nullable(Type.Object({}, { description: "At most 8 KiB of JSON" }))),
  appId: Type.Optional(nullable(plainText({ description: "The calling application" }))),
});
export type VisitorAuthBody = Static<typeof VisitorAuthBodySchema>;

/** `value` of `POST /api/open/v1/visitor/auth`. */
export const AuthenticatedVisitorSchema = Type.Object({
  ...VisitorSchema.properties,
  isNew: Type.Boolean(),
  visitorToken: Type.String({ description: "For the visitor's widget" }),
  expiresAt: time("When the visitorToken is no longer good"),
});
export type AuthenticatedVisitor = Static<typeof AuthenticatedVisitorSchema>;

/** Query of `GET /api/open/v1/visitor/info`. */
export const VisitorInfoQuerySchema = Type.Object({ visitorId });

/** `value` of `GET /api/open/v1/visitor/info`. */
export const VisitorInfoSchema = Type.Object({
  ...VisitorSchema.properties,
  currentSessionId: nullable(Type.Integer({ description: "The session that is open" })),
});
export type VisitorInfo = Static<typeof VisitorInfoSchema>;

const said = {
  content: Type.Unknown({ description: "A text for text, {fileKey, width, height} for image, {fileKey} for file" }),
  msgType: Type.Optional(
    nullable(plainText({ description: `One of ${CUSTOMER_MESSAGE_TYPES.join(", ")}`, default: "text" })),
  ),
  thirdMsgId: Type.Optional(
    nullable(plainText({ minLength: 1, maxLength: BOUNDS.idLength, description: "Idempotency key" })),
  ),
  sessionId: Type.Optional(sessionId),
};

/** Body of `POST /api/open/v1/message/send`. */
export const VisitorMessageBodySchema = Type.Object({ visitorId, ...said });
export type VisitorMessageBody = Static<typeof VisitorMessageBodySchema>;

/** Body of `POST /api/open/v1/agent/message/send`. */
export const AgentMessageBodySchema = Type.Object({ agentId, visitorId, ...said });
export type AgentMessageBody = Static<typeof AgentMessageBodySchema>;

/** `value` of `POST /api/open/v1/message/send` and `POST /api/open/v1/agent/message/send`. */
export const SentCustomerMessageSchema = Type.Object({
  messageId: Type.Integer(),
  sessionId: Type.Integer(),
  seq: Type.Integer(),
  isDuplicate: Type.Boolean({ description: "Whether it was sent before, under the same thirdMsgId" }),
});
export type SentCustomerMessage = Static<typeof SentCustomerMessageSchema>;

/** Query of `GET /api/open/v1/message/list`. */
export const CustomerMessagesQuerySchema = Type.Object({
  visitorId,
  sessionId: Type.Optional(Type.String({ description: "Only the messages of this session" })),
  ...pageQuery,
  afterSeq: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Only the messages after this one" }),
  ),
});

/** `value` of `GET /api/open/v1/message/list`, oldest first. */
export const CustomerMessageListSchema = Type.Object({
  records: Type.Array(CustomerMessageSchema),
  total: Type.Integer({ description: "How many there are on all pages" }),
});
export type CustomerMessageList = Static<typeof CustomerMessageListSchema>;

/** Body of `POST /api/open/v1/session/create`. */
export const CreateSessionBodySchema = Type.Object({
  visitorId,
  agentId: optionalText(BOUNDS.idLength),
  source: optionalText(64),
  subject: optionalText(256),
});
export type CreateSessionBody = Static<typeof CreateSessionBodySchema>;

/** `value` of `POST /api/open/v1/session/create`. */
export const CreatedSessionSchema = Type.Object({
  ...CustomerSessionSchema.properties,
  isExisting: Type.Boolean({ description: "Whether the visitor's session was open already" }),
});
export type CreatedSession = Static<typeof CreatedSessionSchema>;

/** Body of `POST /api/open/v1/session/close`. */
export const CloseSessionBodySchema = Type.Object({ sessionId, reason: optionalText(512) });
export type CloseSessionBody = Static<typeof CloseSessionBodySchema>;

/** `value` of `POST /api/open/v1/session/close`. */
export const ClosedSessionSchema = Type.Object({
  ...CustomerSessionSchema.properties,
  alreadyClosed: Type.Boolean(),
});
export type ClosedSession = Static<typeof ClosedSessionSchema>;

/** Query of `GET /api/open/v1/session/info`. */
export const SessionInfoQuerySchema = Type.Object({ sessionId: Type.String() });

/** Body of `POST /api/open/v1/agent/assign`. */
export const AssignAgentBodySchema = Type.Object({
  sessionId,
  agentId: Type.Optional(nullable(plainText({ description: "An agent's account; left out: whoever is free" }))),
});
export type AssignAgentBody = Static<typeof AssignAgentBodySchema>;

/** `value` of `POST /api/open/v1/agent/assign`. */
export const AssignedSessionSchema = Type.Object({
  ...CustomerSessionSchema.properties,
  previousAgentId: nullable(Type.String({ description: "Who had it before" })),
});
export type AssignedSession = Static<typeof AssignedSessionSchema>;

/** Query of `GET /api/open/v1/agent/status`. */
export const AgentStatusQuerySchema = Type.Object({ agentId });

/** `value` of `GET /api/open/v1/agent/status`. */
export const AgentStatusSchema = Type.Object({
  exists: Type.Boolean(),
  online: Type.Boolean({ description: "Whether the agent chose ONLINE and is at the desk" }),
  agentName: nullable(Type.String()),
  status: nullable(Type.Enum([...AGENT_STATUSES])),
  activeSessions: Type.Integer(),
});
export type AgentStatusAnswer = Static<typeof AgentStatusSchema>;
