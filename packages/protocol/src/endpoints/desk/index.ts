import { SentCustomerMessageSchema } from "../../schemas/customer.ts";
import {
  ChooseStatusBodySchema,
  CloseDeskSessionBodySchema,
  DeskAgentSchema,
  DeskAppListSchema,
  DeskMessageListSchema,
  DeskMessagesQuerySchema,
  DeskSessionListSchema,
  DeskSessionSchema,
  DeskSessionsQuerySchema,
  MarkReadBodySchema,
  PostDeskMessageBodySchema,
  ReadMarkSchema,
  TransferBodySchema,
} from "../../schemas/desk.ts";
import { STORING, VISITOR_MESSAGE } from "../error-sets.ts";
import type { MemberEndpoint } from "../member-access.ts";

const OF_AN_APPLICATION = ["NOT_AN_AGENT", "APP_NOT_ACTIVE"] as const;
const OF_A_SESSION = [...OF_AN_APPLICATION, "SESSION_NOT_FOUND"] as const;

/** The calls of an agent's desk (docs/contract/customer-service.md#the-desk). */
export const DESK_ENDPOINTS = {
  listApps: {
    method: "GET",
    path: "/api/desk/v1/apps",
    summary: "List the applications whose visitors the member serves",
    access: "member",
    value: DeskAppListSchema,
    errors: [],
  },
  chooseStatus: {
    method: "PUT",
    path: "/api/desk/v1/apps/:appId/status",
    summary: "Choose to be ONLINE, BUSY or OFFLINE",
    access: "member",
    body: ChooseStatusBodySchema,
    value: DeskAgentSchema,
    errors: [...OF_AN_APPLICATION],
  },
  listSessions: {
    method: "GET",
    path: "/api/desk/v1/apps/:appId/sessions",
    summary: "List an application's sessions",
    access: "member",
    query: DeskSessionsQuerySchema,
    value: DeskSessionListSchema,
    errors: [...OF_AN_APPLICATION],
  },
  acceptSession: {
    method: "POST",
    path: "/api/desk/v1/apps/:appId/sessions/:sessionId/accept",
    summary: "Take a session out of the queue",
    access: "member",
    value: DeskSessionSchema,
    errors: [...OF_A_SESSION, "ASSIGNMENT_FAILED", "SESSION_OF_OTHER_AGENT"],
  },
  transferSession: {
    method: "POST",
    path: "/api/desk/v1/apps/:appId/sessions/:sessionId/transfer",
    summary: "Give a session to another agent",
    access: "member",
    body: TransferBodySchema,
    value: DeskSessionSchema,
    errors: [...OF_A_SESSION, "ASSIGNMENT_FAILED", "SESSION_OF_OTHER_AGENT"],
  },
  closeSession: {
    method: "POST",
    path: "/api/desk/v1/apps/:appId/sessions/:sessionId/close",
    summary: "Close a session",
    access: "member",
    body: CloseDeskSessionBodySchema,
    value: DeskSessionSchema,
    errors: [...OF_A_SESSION, "SESSION_OF_OTHER_AGENT"],
  },
  markRead: {
    method: "POST",
    path: "/api/desk/v1/apps/:appId/sessions/:sessionId/read",
    summary: "Say up to where a visitor's messages have been read",
    access: "member",
    body: MarkReadBodySchema,
    value: ReadMarkSchema,
    errors: [...OF_A_SESSION, "SESSION_OF_OTHER_AGENT"],
  },
  listMessages: {
    method: "GET",
    path: "/api/desk/v1/apps/:appId/sessions/:sessionId/messages",
    summary: "Read a visitor's messages, a page at a time",
    access: "member",
    query: DeskMessagesQuerySchema,
    value: DeskMessageListSchema,
    errors: [...OF_A_SESSION],
  },
  postMessage: {
    method: "POST",
    path: "/api/desk/v1/apps/:appId/sessions/:sessionId/messages",
    summary: "Write to a session's visitor",
    access: "member",
    body: PostDeskMessageBodySchema,
    value: SentCustomerMessageSchema,
    errors: [
      ...VISITOR_MESSAGE,
      ...STORING,
      ...OF_A_SESSION,
      "SESSION_CLOSED",
      "SESSION_OF_OTHER_AGENT",
      "VISITOR_NOT_FOUND",
      "VISITOR_DISABLED",
    ],
  },
} as const satisfies Record<string, MemberEndpoint>;
