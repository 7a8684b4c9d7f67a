import { UploadedFileSchema } from "../../schemas/bot.ts";
import { CustomerSessionSchema, SentCustomerMessageSchema } from "../../schemas/customer.ts";
import {
  AnonymousVisitorBodySchema,
  AnonymousVisitorSchema,
  PostWidgetMessageBodySchema,
  RateBodySchema,
  VisitorSignedOutSchema,
  WidgetAppQuerySchema,
  WidgetAppSchema,
  WidgetMessageListSchema,
  WidgetMessagesQuerySchema,
  WidgetSessionSchema,
} from "../../schemas/widget.ts";
import { STORING, VISITOR_MESSAGE } from "../error-sets.ts";
import type { WidgetEndpoint } from "./access.ts";

/** The calls of a visitor's widget (docs/contract/customer-service.md#the-widget). */
export const WIDGET_ENDPOINTS = {
  getApp: {
    method: "GET",
    path: "/api/widget/v1/apps/:appId",
    summary: "Read how the widget of an application looks, and whether somebody answers",
    access: "site",
    query: WidgetAppQuerySchema,
    value: WidgetAppSchema,
    errors: ["WIDGET_ASKED_TOO_OFTEN"],
  },
  createVisitor: {
    method: "POST",
    path: "/api/widget/v1/visitors",
    summary: "Become a visitor without a name, or the same one again",
    access: "site",
    body: AnonymousVisitorBodySchema,
    value: AnonymousVisitorSchema,
    errors: ["ANONYMOUS_VISITORS_REFUSED", "ANONYMOUS_VISITORS_TOO_MANY", "VISITOR_KEY_UNKNOWN", "VISITOR_DISABLED"],
  },
  signOut: {
    method: "POST",
    path: "/api/widget/v1/auth/logout",
    summary: "End the visitor's tokens and streams, and the key of a visitor without a name",
    access: "visitor",
    value: VisitorSignedOutSchema,
    errors: [],
  },
  getSession: {
    method: "GET",
    path: "/api/widget/v1/session",
    summary: "Read who the visitor is, and their newest session",
    access: "visitor",
    value: WidgetSessionSchema,
    errors: [],
  },
  listMessages: {
    method: "GET",
    path: "/api/widget/v1/messages",
    summary: "Read the visitor's messages, a page at a time",
    access: "visitor",
    query: WidgetMessagesQuerySchema,
    value: WidgetMessageListSchema,
    errors: [],
  },
  postMessage: {
    method: "POST",
    path: "/api/widget/v1/messages",
    summary: "Say something; a session is opened if none is",
    access: "visitor",
    body: PostWidgetMessageBodySchema,
    value: SentCustomerMessageSchema,
    errors: [...VISITOR_MESSAGE, ...STORING],
  },
  rateSession: {
    method: "POST",
    path: "/api/widget/v1/rating",
    summary: "Rate the open session, or the one that was closed last",
    access: "visitor",
    body: RateBodySchema,
    value: CustomerSessionSchema,
    errors: ["SESSION_NOT_FOUND", "SESSION_NOT_RATABLE", "SESSION_ALREADY_RATED"],
  },
  uploadFile: {
    method: "POST",
    path: "/api/widget/v1/files",
    summary: "Upload a file to send",
    access: "visitor",
    takesFile: true,
    value: UploadedFileSchema,
    errors: [...STORING, "UNSENT_FILES_TOO_MANY"],
  },
} as const satisfies Record<string, WidgetEndpoint>;
