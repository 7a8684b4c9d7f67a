import {
  CannedReplyBodySchema,
  CannedReplyListSchema,
  CannedReplySchema,
  UpdateCannedReplyBodySchema,
} from "../../schemas/canned-replies.ts";
import { STORING } from "../error-sets.ts";
import type { MemberEndpoint } from "../member-access.ts";
import { OF_AN_APPLICATION } from "./errors.ts";

/** Texts that agents insert by a shortcut. */
export const CANNED_REPLY_ENDPOINTS = {
  listCannedReplies: {
    method: "GET",
    path: "/api/desk/v1/apps/:appId/canned-replies",
    summary: "List an application's canned replies",
    access: "member",
    value: CannedReplyListSchema,
    errors: [...OF_AN_APPLICATION],
  },
  createCannedReply: {
    method: "POST",
    path: "/api/desk/v1/apps/:appId/canned-replies",
    summary: "Store a text to be inserted by a shortcut",
    access: "member",
    body: CannedReplyBodySchema,
    value: CannedReplySchema,
    errors: [...STORING, ...OF_AN_APPLICATION, "SHORTCUT_TAKEN", "CANNED_REPLIES_TOO_MANY", "CANNED_REPLIES_TOO_LONG"],
  },
  updateCannedReply: {
    method: "PATCH",
    path: "/api/desk/v1/apps/:appId/canned-replies/:replyId",
    summary: "Change a canned reply",
    access: "member",
    body: UpdateCannedReplyBodySchema,
    value: CannedReplySchema,
    errors: [...STORING, ...OF_AN_APPLICATION, "CANNED_REPLY_UNKNOWN", "SHORTCUT_TAKEN", "CANNED_REPLIES_TOO_LONG"],
  },
  deleteCannedReply: {
    method: "DELETE",
    path: "/api/desk/v1/apps/:appId/canned-replies/:replyId",
    summary: "Delete a canned reply",
    access: "member",
    value: CannedReplySchema,
    errors: [...OF_AN_APPLICATION, "CANNED_REPLY_UNKNOWN"],
  },
} as const satisfies Record<string, MemberEndpoint>;
