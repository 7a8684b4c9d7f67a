import { DeskSearchQuerySchema, DeskSearchSchema, DeskVisitorSchema } from "../../schemas/desk-visitors.ts";
import type { MemberEndpoint } from "../member-access.ts";
import { OF_AN_APPLICATION } from "./errors.ts";

/** An application's visitors, and what was said with them. */
export const DESK_VISITOR_ENDPOINTS = {
  getVisitor: {
    method: "GET",
    path: "/api/desk/v1/apps/:appId/visitors/:visitorId",
    summary: "Read a visitor, with their newest sessions",
    access: "member",
    value: DeskVisitorSchema,
    errors: [...OF_AN_APPLICATION, "VISITOR_NOT_FOUND"],
  },
  search: {
    method: "GET",
    path: "/api/desk/v1/apps/:appId/search",
    summary: "Find visitors and messages by a part of their text",
    access: "member",
    query: DeskSearchQuerySchema,
    value: DeskSearchSchema,
    errors: [...OF_AN_APPLICATION],
  },
} as const satisfies Record<string, MemberEndpoint>;
