import { UploadedFileSchema } from "../../schemas/bot.ts";
import { CustomerSessionSchema, SentCustomerMessageSchema } from "../../schemas/customer.ts";
import {
  PostWidgetMessageBodySchema,
  RateBodySchema,
  WidgetMessageListSchema,
  WidgetMessagesQuerySchema,
  WidgetSessionSchema,
} from "../../schemas/widget.ts";
import { STORING, VISITOR_MESSAGE } from "../error-sets.ts";
import type { WidgetEndpoint } from "./access.ts";

/** The calls of a visitor's widget (docs/contract/customer-service.md#the-widget). */
export const WIDGET_ENDPOINTS = {
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
